/** The databases of a suite, made and migrated once in a run of Jest: every suite begins with a copy of them. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { prepareDatabases } from '@suite/local/suite';
import pg from 'pg';

const PARTS = ['postgres', 'secrets.json'];

/** Makes them when nobody has; the files that need them at the same time wait. */
async function prepared(directory: string): Promise<string> {
  const place = join(directory, 'prepared');
  const client = new pg.Client({ connectionString: process.env['SUITE_TEST_ADMIN_URL'] });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock(hashtextextended('prepared', 0))");
    if (!existsSync(place)) {
      const draft = `${place}.new`;
      mkdirSync(draft, { recursive: true });
      await prepareDatabases({ data: draft, port: 'free', fast: true });
      renameSync(draft, place);
    }
  } finally {
    await client.end();
  }
  return place;
}

/** Puts them into the data directory of a suite that has not been started yet. */
export async function copyPrepared(data: string): Promise<void> {
  const place = await prepared(String(process.env['SUITE_TEST_DIR']));
  mkdirSync(data, { recursive: true, mode: 0o700 });
  // PostgreSQL's files belong to a user of its own, which node:fs would not keep.
  const { status, stderr } = spawnSync('cp', ['-a', ...PARTS.map((part) => join(place, part)), data]);
  if (status !== 0) throw new Error(`The prepared databases could not be copied: ${stderr}`);
}
