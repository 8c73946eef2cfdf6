/** Restores the data of a stopped suite to a time. Nothing of the present data changes until the restored data is complete. */
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { lockData } from '../data/data-directory.ts';
import { LaunchError, sentence } from '../launch-error.ts';
import { freePort } from '../ports.ts';
import { openArchive, type PostgresServer, startPostgres } from '../servers/postgres.ts';
import { postgresAccount, postgresVersion } from '../servers/postgres-programs.ts';
import { archiveOf, clusterIn } from './archive.ts';
import { type Backup, describeFullDisk, keysFolderOf, listBackups } from './backup-folder.ts';
import { copyTree } from './copy-tree.ts';
import { beginEpoch, type Consequences, type EarlierData, readEarlierData } from './new-epoch.ts';
import { describeRecovery } from './recovery-failure.ts';
import { draftOf, replaceDatabases, undoInterruptedRestore } from './replacement.ts';
import { findBackup, recordRestore, timelineAt, timelineOf } from './timelines.ts';

/** A request to restore. */
export interface RestoreRequest {
  /** The data folder of the suite. */
  data: string;
  /** The folder of the backups. */
  folder: string;
  /** The point in time that all databases return to. */
  until: Date;
  /** Receives each step. */
  say?: (line: string) => void;
}

/** The result of a restore. */
export interface Restored extends Consequences {
  backup: Backup;
  /** Number of files that were missing. */
  files: number;
  /** Folder with the previous databases, or null if there were none. */
  earlier_databases: string | null;
  /** True if the previous databases could not be read, so numbers and revoked keys are unknown. */
  is_incomplete: boolean;
}

/**
 * Restores all databases of a suite to one point in time, and empties its bus.
 * @throws LaunchError with the next step: the suite runs, no backup is old enough, the backups belong to another suite or to
 *   another PostgreSQL, the archive ends earlier or has a hole, or the disk is full
 */
export async function restore({ data, folder, until, say = () => {} }: RestoreRequest): Promise<Restored> {
  const backup = chooseBackup(folder, until);
  const lock = lockData(data);
  try {
    undoInterruptedRestore(data);
    assertRestorable({ data, folder, backup });
    await copyDraft({ data, folder, backup });
    say(`Databases of the backup ${backup.name} copied`);
    const earlier = await readPresentData(data, archiveOf(folder), say);
    const timeline = timelineAt(folder, until);
    const recovered = await recover({ draft: draftOf(data), folder, until, timeline, backup, earlier });
    say(`Databases recovered to ${until.toISOString()}`);
    await copyTree(join(draftOf(data), 'wal'), archiveOf(folder));
    giveToPostgres(archiveOf(folder));
    await copyTree(keysOf(folder, backup), data);
    const files = await copyTree(join(folder, backup.name, 'files'), join(data, 'files'));
    const { began, ...consequences } = recovered;
    const earlier_databases = replaceDatabases(data, consequences.epoch);
    recordRestore(folder, { ...began, parent: timeline, until: until.toISOString() });
    return { ...consequences, backup, files, earlier_databases, is_incomplete: earlier === null };
  } catch (error) {
    throw describeFullDisk(error, data);
  } finally {
    rmSync(draftOf(data), { recursive: true, force: true });
    lock.release();
  }
}

/** Returns the last backup that leads to a time. @throws LaunchError if there is none */
function chooseBackup(folder: string, until: Date): Backup {
  const [first] = listBackups(folder);
  if (!first) throw new LaunchError(`${folder} contains no backup: set BACKUP_DIR to the folder of the backups.`);
  const chosen = findBackup(folder, until);
  if (chosen) return chosen;
  throw new LaunchError(`The first backup is of ${first.finished_at}: choose that time or a later one for --until.`);
}

/** Keys of a backup. Newer keys of the suite stay at a restore: they can also decrypt the values of earlier ones. */
const keysOf = (folder: string, { name }: Backup): string => join(keysFolderOf(folder), name);

type Choice = Pick<RestoreRequest, 'data' | 'folder'> & { backup: Backup };

/** Checks what can be checked before anything is copied. @throws LaunchError with the next step */
function assertRestorable({ data, folder, backup }: Choice): void {
  const databases = join(folder, backup.name, 'databases');
  const present = clusterIn(join(data, 'postgres/data'));
  if (present !== undefined && present !== clusterIn(databases))
    throw new LaunchError(
      `The backups in ${folder} are not of the suite in ${data}: set BACKUP_DIR to its backups, or choose a new folder with --data.`,
    );
  const [version, own] = [readFileSync(join(databases, 'PG_VERSION'), 'utf8').trim(), postgresVersion()];
  if (version !== own)
    throw new LaunchError(
      `The backup ${backup.name} is of PostgreSQL ${version}, but this release has PostgreSQL ${own}: restore it with the release that made the backup.`,
    );
  giveToPostgres(archiveOf(folder));
  openArchive(archiveOf(folder), postgresAccount());
  const keys = keysOf(folder, backup);
  if (!existsSync(join(keys, 'postgres/password')) && (present === undefined || !existsSync(join(data, 'keys'))))
    throw new LaunchError(`The keys are missing: copy the folder ${keys} of the backup of the keys to this machine.`);
}

/** Folders that PostgreSQL needs, and whose contents are not part of a backup. */
const EMPTY = ['wal', 'replslot', 'dynshmem', 'notify', 'serial', 'snapshots', 'stat_tmp', 'subtrans'];

async function copyDraft({ data, folder, backup }: Choice): Promise<void> {
  const draft = draftOf(data);
  await copyTree(join(folder, backup.name, 'databases'), join(draft, 'data'));
  for (const name of EMPTY) await mkdir(join(draft, 'data', `pg_${name}`), { recursive: true, mode: 0o700 });
  await mkdir(join(draft, 'wal'));
  writeFileSync(join(draft, 'data/recovery.signal'), '');
  const passwords = [data, keysOf(folder, backup)].map((place) => join(place, 'postgres/password'));
  copyFileSync(passwords.find(existsSync)!, join(draft, 'password'));
  chmodSync(join(draft, 'password'), 0o600);
  giveToPostgres(draft);
  chmodSync(join(draft, 'data'), 0o700);
}

/** Makes the user that runs PostgreSQL the owner of a folder. */
function giveToPostgres(folder: string): void {
  const account = postgresAccount();
  if (account) spawnSync('chown', ['-R', `${account.uid}:${account.gid}`, folder]);
}

/**
 * Reads the previous databases, and archives their last changes. Returns null if there are none, or they are damaged.
 */
async function readPresentData(
  data: string,
  archive: string,
  say: (line: string) => void,
): Promise<EarlierData | null> {
  const directory = join(data, 'postgres');
  if (!existsSync(join(directory, 'data/PG_VERSION'))) return null;
  let server: PostgresServer | undefined;
  try {
    server = await startPostgres({ directory, archive, port: await freePort() });
    return await readEarlierData(server.adminUrl);
  } catch (error) {
    say(`The previous databases cannot be read: ${sentence(error)}`);
    return null;
  } finally {
    await server?.stop();
  }
}

interface Recovery {
  draft: string;
  folder: string;
  until: Date;
  /** The timeline of that time. */
  timeline: number;
  backup: Backup;
  earlier: EarlierData | null;
}

/** A recovered cluster, with its new timeline. */
interface Recovered extends Consequences {
  began: { timeline: number; began_at: string };
}

/**
 * Recovers the draft, and begins its epoch. The draft archives to a folder of its own: a timeline in the archive without its
 * segments would prevent the next restore.
 */
async function recover({ draft, folder, until, timeline, backup, earlier }: Recovery): Promise<Recovered> {
  const log = join(draft, 'postgres.log');
  const recovery = { archive: archiveOf(folder), until, timeline };
  const options = { directory: draft, log, archive: '../wal', port: await freePort() };
  let server: PostgresServer | undefined;
  try {
    server = await startPostgres({ ...options, recovery });
    const began = await untilPromoted(server);
    return { ...(await beginEpoch(server.adminUrl, earlier)), began };
  } catch (error) {
    const lines = existsSync(log) ? readFileSync(log, 'utf8') : '';
    throw describeRecovery(error, lines, { folder, until, timeline, backup });
  } finally {
    await server?.stop();
  }
}

/** Waits for the end of the recovery, and returns the new timeline. */
async function untilPromoted({ adminUrl, exited }: PostgresServer): Promise<Recovered['began']> {
  let hasExited = false;
  void exited.then(() => (hasExited = true));
  while (!hasExited) {
    const client = new pg.Client({ connectionString: adminUrl });
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query(
        `SELECT NOT pg_is_in_recovery() AS is_complete, clock_timestamp() AS now,
           CASE WHEN NOT pg_is_in_recovery() THEN pg_walfile_name(pg_current_wal_lsn()) END AS segment`,
      );
      const [{ is_complete, now, segment }] = rows;
      if (is_complete) return { timeline: timelineOf(segment), began_at: now.toISOString() };
    } catch {
      // The server ends when the archive does, and the caller reads the reason in its log.
    } finally {
      await client.end().catch(() => {});
    }
    await pause(100);
  }
  throw new LaunchError('PostgreSQL has ended before the recovery was complete.');
}
