/** The program for operators: new keys for what a service has sealed, while it runs. */
import { addMasterKey, databaseSettings, masterKeysIn, readSettings } from '@suite/chassis';
import pg from 'pg';
import { z } from 'zod';
import { isUnfinished, rotateKeys } from './rotation.ts';

const { DATABASE_URL, KEYS_DIR } = readSettings({ ...databaseSettings, KEYS_DIR: z.string().min(1) });
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 2 });
try {
  const master = masterKeysIn(KEYS_DIR);
  if (await isUnfinished(pool, master)) console.log('An earlier rotation was stopped: this goes on with it.');
  else addMasterKey(KEYS_DIR);
  const { workspaces, values, unopened } = await rotateKeys(pool, master);
  const { name } = master.newest();
  console.log(`${values} values of ${workspaces} workspaces are sealed anew; the master key is ${name}.`);
  for (const sentence of unopened) console.error(sentence);
  if (unopened.length > 0) process.exitCode = 1;
  console.log('Keep the older master keys for as long as backups need them.');
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  await pool.end();
}
