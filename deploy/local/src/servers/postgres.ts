import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type Child, type Exit, startChild } from '../supervision/child.ts';
import { LaunchError } from '../launch-error.ts';
import { reasonIn } from './log-tail.ts';
import { settingsOf } from './postgres-settings.ts';
import { type PostgresAccount, postgresAccount, postgresPrograms } from './postgres-programs.ts';

/** A running PostgreSQL. */
export interface PostgresServer {
  /** Address of the database `postgres`, as the superuser `postgres`. */
  adminUrl: string;
  pid: number;
  exited: Promise<Exit>;
  /** Closes all connections and shuts the server down cleanly. */
  stop(): Promise<void>;
}

/** Location and settings of PostgreSQL. */
export interface PostgresOptions {
  /** Folder for the data files, the password and, unless `log` is set, the log. */
  directory: string;
  port: number;
  log?: string;
  /**
   * Disables flushing to disk, for throwaway clusters only. A power cut would lose acknowledged writes. A kill does
   * not.
   */
  fast?: boolean;
  /** True for hundreds of databases that each live for seconds. */
  short_lived?: boolean;
  /** Folder that receives each segment of the write-ahead log. A relative one belongs to the data files and must exist. */
  archive?: string | undefined;
  /** Recovers a base backup to a time, with the segments of this archive. The backup must contain `recovery.signal`. */
  recovery?: { archive: string; until: Date; timeline: number };
}

const START_PATIENCE_MS = 60_000;

/** Starts PostgreSQL on a directory. Creates the cluster if it is missing, and recovers it after a kill. */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const account = postgresAccount();
  const bin = postgresPrograms(account);
  const directory = resolve(options.directory);
  const log = options.log ?? join(directory, 'postgres.log');
  mkdirSync(directory, { recursive: true });
  if (account) chownSync(directory, account.uid, account.gid);
  const password = readPassword(directory, account);
  const data = join(directory, 'data');
  if (!existsSync(data))
    initialise({ bin, directory, account, fast: options.fast ?? false, archives: Boolean(options.archive) });
  if (options.archive && isAbsolute(options.archive)) openArchive(options.archive, account);
  // A copied or restored directory is often open to other users, and PostgreSQL would reject it.
  chmodSync(data, 0o700);
  await clearRemains(data);
  const adminUrl = `postgres://postgres:${password}@127.0.0.1:${options.port}/postgres`;
  const child = await launch(bin, data, account, { ...options, log }, adminUrl);
  return { adminUrl, pid: child.pid, exited: child.exited, stop: () => child.stop('SIGINT', 20_000) };
}

/**
 * Returns a path that the account can use. As root, the launcher starts PostgreSQL inside its data directory and passes
 * a relative path. The account can then use a directory whose parents it cannot enter (a clone below /root, a private
 * temporary directory).
 */
function dataPath(data: string, account: PostgresAccount | null): string {
  return account && process.platform === 'linux' ? '/proc/self/cwd' : data;
}

function readPassword(directory: string, account: PostgresAccount | null): string {
  const file = join(directory, 'password');
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
  if (account) chownSync(file, account.uid, account.gid);
  return readFileSync(file, 'utf8').trim();
}

/** Creates the archive of the write-ahead log. @throws LaunchError if PostgreSQL may not write there */
export function openArchive(archive: string, account: PostgresAccount | null): void {
  mkdirSync(archive, { recursive: true });
  chmodSync(archive, 0o700);
  if (account) chownSync(archive, account.uid, account.gid);
  if (spawnSync('test', ['-w', archive], { cwd: '/', ...account }).status !== 0)
    throw new LaunchError(`The user that runs PostgreSQL cannot write to ${archive}: choose another BACKUP_DIR.`);
}

interface NewCluster {
  bin: string;
  directory: string;
  account: PostgresAccount | null;
  fast: boolean;
  archives: boolean;
}

function initialise(given: NewCluster): void {
  // Created under another name first, so that an interrupted cluster is never mistaken for a complete one.
  const draft = join(given.directory, 'data.new');
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  if (given.account) chownSync(draft, given.account.uid, given.account.gid);
  const place = dataPath(draft, given.account);
  const made = spawnSync(
    join(given.bin, 'initdb'),
    [
      `--pgdata=${place}`,
      '--username=postgres',
      `--pwfile=${place}/../password`,
      '--auth=scram-sha-256',
      '--data-checksums',
      '--encoding=UTF8',
      // Sorts the same way on every machine, regardless of the installed locales.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      // Each segment is archived as a whole, even if it contains only the changes of five seconds.
      ...(given.archives ? ['--wal-segsize=1'] : []),
      ...(given.fast ? ['--no-sync', '--set=scram_iterations=1'] : []),
    ],
    { cwd: draft, encoding: 'utf8', ...given.account },
  );
  if (made.status !== 0) {
    throw new LaunchError(
      `PostgreSQL could not make its data directory: ${(made.stderr || String(made.error)).trim()}`,
    );
  }
  renameSync(draft, join(given.directory, 'data'));
}

/**
 * Cleans up after a kill -9: ends a server that still runs on these files, and removes a pid that another process has
 * now.
 */
async function clearRemains(data: string): Promise<void> {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (pid > 0 && isServerOn(pid, data)) {
    process.kill(pid, 'SIGINT');
    for (let tries = 0; tries < 100 && isServerOn(pid, data); tries += 1) await pause(100);
    if (isServerOn(pid, data)) process.kill(pid, 'SIGQUIT');
    for (let tries = 0; tries < 50 && isServerOn(pid, data); tries += 1) await pause(100);
  }
  rmSync(file, { force: true });
}

function isServerOn(pid: number, data: string): boolean {
  if (process.platform !== 'linux') {
    const command = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
    return command.includes('postgres') && command.includes(data);
  }
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data);
  } catch {
    return false;
  }
}

async function launch(
  bin: string,
  data: string,
  account: PostgresAccount | null,
  options: PostgresOptions & { log: string },
  adminUrl: string,
): Promise<Child> {
  const started = performance.now();
  while (true) {
    const child = await startChild({
      command: join(bin, 'postgres'),
      args: [
        '-D',
        dataPath(data, account),
        '-p',
        String(options.port),
        ...settingsOf(options).flatMap((setting) => ['-c', setting]),
      ],
      cwd: data,
      account,
      log: options.log,
      endSignal: 'INT',
    });
    if (await answers(child, adminUrl, started)) return child;
    const reason = reasonIn(options.log);
    // The backends of a killed server need a moment to end. Until then the next server refuses their shared memory.
    const isTransient =
      reason.includes('pre-existing shared memory') && performance.now() - started < START_PATIENCE_MS;
    if (!isTransient) throw new LaunchError(`PostgreSQL did not start on port ${options.port}: ${reason}`);
    await pause(250);
  }
}

async function answers(child: Child, adminUrl: string, started: number): Promise<boolean> {
  while (child.isRunning()) {
    const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 2000 });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('select 1');
      return child.isRunning();
    } catch (error) {
      if (performance.now() - started > START_PATIENCE_MS) {
        await child.stop('SIGQUIT', 5000);
        throw new LaunchError(`PostgreSQL did not answer within ${START_PATIENCE_MS / 1000} s: ${String(error)}`);
      }
      await pause(50);
    } finally {
      await client.end().catch(() => {});
    }
  }
  return false;
}
