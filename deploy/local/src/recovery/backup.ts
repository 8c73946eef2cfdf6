/** Physical backups of the PostgreSQL of `npm start`, by its low-level API, with the files and keys of the suite. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { LaunchError, sentence } from '../launch-error.ts';
import { type Backup, keysFolderOf, writeComplete, writeDescription } from './backup-folder.ts';
import { copyTree } from './copy-tree.ts';
import { type Removal, removeOldBackups } from './retention.ts';

/** A complete backup and its folders. */
export interface WrittenBackup extends Backup {
  folder: string;
  keys_folder: string;
  /** Old backups that were removed afterwards. */
  removed: Removal;
}

/**
 * Parts of a data directory that PostgreSQL recreates, or that belong to the running server only. The history of the timeline
 * stays, because an archive that was begun later does not have it.
 */
const TRANSIENT =
  /^(postmaster\.(pid|opts)|pg_wal\/.+(?<!\.history)|(pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/.+|.*pgsql_tmp.*|.*pg_internal\.init)$/;
/** Parts of the data folder that are kept apart from the databases, because they contain keys and passwords. */
const KEYS = /^(keys(\/.*)?|secrets\.json|demo\.(json|done)|postgres(\/password)?)$/;
/** Any number, for the lock of a backup. */
const LOCK = 5_318_008;
/** Time in which the archive must receive the last segment of a backup. */
const ARCHIVE_PATIENCE_S = 60;

/** Returns the address of the running PostgreSQL of a suite, as its superuser. @throws LaunchError if none runs */
export function runningAddress(data: string): string {
  if (existsSync(data) && !existsSync(join(data, 'postgres/data')))
    throw new LaunchError(`${data} contains no databases: choose another folder with --data, or back up their server.`);
  const pid_file = join(data, 'postgres/data/postmaster.pid');
  if (!existsSync(pid_file))
    throw new LaunchError(`No suite is running on ${data}: start it with BACKUP_DIR=<folder> npm start.`);
  const port = readFileSync(pid_file, 'utf8').split('\n')[3];
  const password = readFileSync(join(data, 'postgres/password'), 'utf8').trim();
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
}

/**
 * Backs up a running suite: first all databases at one time, then the files, which are written before the rows that name them.
 * @param data the data folder of the suite
 * @param keep_days number of days for which older backups stay
 * @throws LaunchError if the suite does not run or archives nothing, another backup runs, or the disk is full
 */
export async function backUp(data: string, keep_days: number): Promise<WrittenBackup> {
  const client = new pg.Client({
    connectionString: runningAddress(data),
    statement_timeout: ARCHIVE_PATIENCE_S * 1000,
  });
  client.on('error', () => {});
  await client.connect().catch((error: unknown) => {
    throw new LaunchError(`PostgreSQL of ${data} does not respond: start the suite again. (${sentence(error)})`);
  });
  try {
    const { rows } = await client.query(
      `SELECT current_setting('archive_mode') AS mode, current_setting('basic_archive.archive_directory', true) AS archive,
         pg_try_advisory_lock($1) AS is_locked`,
      [LOCK],
    );
    if (rows[0].mode !== 'on' || !rows[0].archive)
      throw new LaunchError('This suite archives nothing: stop it, and start it with BACKUP_DIR=<folder> npm start.');
    if (!rows[0].is_locked)
      throw new LaunchError('Another backup of this suite is running: wait until it is complete.');
    const folder = dirname(rows[0].archive);
    const backup = await writeBackup(client, data, folder);
    return { ...backup, removed: removeOldBackups(folder, keep_days, new Date(backup.finished_at)) };
  } finally {
    await client.end();
  }
}

async function writeBackup(client: pg.Client, data: string, folder: string): Promise<Omit<WrittenBackup, 'removed'>> {
  const name = (await timeOf(client)).replaceAll(':', '-');
  const [own, keys] = [join(folder, name), join(keysFolderOf(folder), name)];
  for (const place of [folder, keysFolderOf(folder)]) await mkdir(place, { recursive: true, mode: 0o700 });
  let backup: Backup | undefined;
  await writeComplete(keys, async (draft) => {
    await copyTree(data, draft, (path) => KEYS.test(path));
  });
  try {
    await writeComplete(own, async (draft) => {
      const description = await copyDatabases(client, join(data, 'postgres/data'), join(draft, 'databases'));
      await copyTree(join(data, 'files'), join(draft, 'files'));
      backup = { name, ...description };
      writeDescription(draft, backup);
    });
  } catch (error) {
    rmSync(keys, { recursive: true, force: true });
    throw error;
  }
  return { ...backup!, folder: own, keys_folder: keys };
}

/** Returns the time of the server. ISO 8601. */
async function timeOf(client: pg.Client): Promise<string> {
  return (await client.query('SELECT clock_timestamp() AS now')).rows[0].now.toISOString();
}

/** Copies the data directory of a running server, and waits until the archive has what its recovery needs. */
async function copyDatabases(client: pg.Client, data: string, to: string): Promise<Omit<Backup, 'name'>> {
  const started = await client.query(`SELECT pg_walfile_name(pg_backup_start('npm run backup', true)) AS segment`);
  await copyTree(data, to, (path) => !TRANSIENT.test(path));
  const stopped = await client.query('SELECT labelfile FROM pg_backup_stop(true)').catch((error: unknown) => {
    throw new LaunchError(
      `The archive received no segment for ${ARCHIVE_PATIENCE_S} s: check its disk and logs/postgres.log, then repeat npm run backup. (${sentence(error)})`,
    );
  });
  writeFileSync(join(to, 'backup_label'), stopped.rows[0].labelfile);
  return { finished_at: await timeOf(client), first_segment: started.rows[0].segment };
}
