/** Command-line program for operators: rotates the keys of a service's encrypted values, while the service runs. */
import { readFileSync } from 'node:fs';
import { addMasterKey, masterKeysIn } from '@suite/chassis/identity';
import { databaseSettings, readSettings } from '@suite/chassis/runtime';
import pg from 'pg';
import { z } from 'zod';
import { isUnfinished, rotateKeys } from './rotation.ts';

/** Separate file, so that it can be printed before any installation (scripts/operator.mjs). */
const usage = () => readFileSync(new URL('./rotate-keys.help.txt', import.meta.url), 'utf8').trim();

/** Error codes of a folder that cannot be written. */
const READ_ONLY = ['EROFS', 'EACCES', 'EPERM'];

/** Adds a master key. @throws Error with one sentence if KEYS_DIR is read-only, as in a running container */
function addKey(directory: string): void {
  try {
    addMasterKey(directory);
  } catch (error) {
    if (!READ_ONLY.includes(String((error as NodeJS.ErrnoException).code))) throw error;
    throw new Error(`KEYS_DIR is read-only: run this command where ${directory} is mounted with write access.`, {
      cause: error,
    });
  }
}

async function rotate(): Promise<void> {
  const { DATABASE_URL, KEYS_DIR } = readSettings({ ...databaseSettings, KEYS_DIR: z.string().min(1) });
  const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 2 });
  try {
    const master = masterKeysIn(KEYS_DIR);
    if (await isUnfinished(pool, master)) console.log('Continuing an earlier rotation that was stopped.');
    else addKey(KEYS_DIR);
    const { workspaces, values, unopened } = await rotateKeys(pool, master);
    const { name } = master.newest();
    console.log(`${values} values of ${workspaces} workspaces encrypted again; the master key is ${name}.`);
    for (const sentence of unopened) console.error(sentence);
    if (unopened.length > 0) process.exitCode = 1;
    console.log('Retain the older master keys while backups need them.');
  } finally {
    await pool.end();
  }
}

const [word] = process.argv.slice(2);
try {
  if (word === '--help' || word === '-h') console.log(usage());
  else if (word !== undefined) throw new Error(`Unexpected argument "${word}". See npm run rotate-keys -- --help.`);
  else await rotate();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
