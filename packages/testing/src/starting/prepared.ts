/** Databases of a suite, created and migrated once per Jest run. Every suite starts with a copy. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { prepareDatabases } from '@suite/local/suite';
import pg from 'pg';

const PARTS = ['postgres', 'secrets.json'];

/** Creates the databases if they do not exist. Files that need the databases at the same time wait. */
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

/** Copies the prepared databases to the data directory of a suite that has not been started yet. */
export async function copyPrepared(data: string): Promise<void> {
  const place = await prepared(String(process.env['SUITE_TEST_DIR']));
  mkdirSync(data, { recursive: true, mode: 0o700 });
  // PostgreSQL's files belong to a separate user, which node:fs would not preserve.
  const { status, stderr } = spawnSync('cp', ['-a', ...PARTS.map((part) => join(place, part)), data]);
  if (status !== 0) throw new Error(`Prepared databases could not be copied: ${stderr}`);
}
