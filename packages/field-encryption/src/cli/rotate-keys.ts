/** Command-line program for operators: rotates the keys of a service's encrypted values, while the service runs. */
import { addMasterKey, masterKeysIn } from '@suite/chassis/identity';
import { databaseSettings, readSettings } from '@suite/chassis/runtime';
import pg from 'pg';
import { z } from 'zod';
import { isUnfinished, rotateKeys } from './rotation.ts';

const { DATABASE_URL, KEYS_DIR } = readSettings({ ...databaseSettings, KEYS_DIR: z.string().min(1) });
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 2 });
try {
  const master = masterKeysIn(KEYS_DIR);
  if (await isUnfinished(pool, master)) console.log('Continuing an earlier rotation that was stopped.');
  else addMasterKey(KEYS_DIR);
  const { workspaces, values, unopened } = await rotateKeys(pool, master);
  const { name } = master.newest();
  console.log(`${values} values of ${workspaces} workspaces encrypted again; the master key is ${name}.`);
  for (const sentence of unopened) console.error(sentence);
  if (unopened.length > 0) process.exitCode = 1;
  console.log('Retain the older master keys while backups need them.');
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  await pool.end();
}
