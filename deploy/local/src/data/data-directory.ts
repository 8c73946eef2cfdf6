import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LaunchError, sentence } from '../launch-error.ts';

/** The parts of a suite's data directory. Other files in the directory are left alone. */
const KEPT = [
  'environment',
  'keys',
  'postgres',
  'nats',
  'files',
  'mail',
  'logs',
  'demo.json',
  'demo.done',
  'demo.unfinished',
  'secrets.json',
];

/** The lock on a data directory. Only one suite owns it at a time. */
export interface DataLock {
  /** True if the last suite here was killed, so that its processes may still be ending. */
  was_killed: boolean;
  release(): void;
}

/**
 * Locks the data directory.
 * @throws LaunchError with the process that has the lock
 */
export function lockData(data: string): DataLock {
  restrictToOwner(data);
  const file = join(data, 'suite.lock');
  const before = readLock(file);
  if (before && before.identity === identity(before.pid)) {
    throw new LaunchError(
      `A suite is running on ${data} already (process ${before.pid}); stop it, or choose another place with --data.`,
    );
  }
  rmSync(file, { force: true });
  writeFileSync(file, JSON.stringify({ pid: process.pid, identity: identity(process.pid) }), { flag: 'wx' });
  return { was_killed: before !== null, release: () => rmSync(file, { force: true }) };
}

/** Closes the directory to other users, so that its files are out of their reach. */
function restrictToOwner(data: string): void {
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 });
    chmodSync(data, 0o700);
  } catch (error) {
    throw new LaunchError(`${data} cannot be closed to other users of this machine: ${sentence(error)}`);
  }
}

/** Stores the environment of a process, so that an operators' command can use the same database (see operator.mjs). */
export function writeEnvironment(data: string, name: string, environment: Record<string, string>): void {
  mkdirSync(join(data, 'environment'), { recursive: true });
  const file = join(data, 'environment', `${name}.json`);
  writeFileSync(file, JSON.stringify(environment), { mode: 0o600 });
  chmodSync(file, 0o600);
}

/** Removes all data of a suite. Only the owner of the lock may call this. */
export function resetData(data: string): void {
  for (const name of KEPT) rmSync(join(data, name), { recursive: true, force: true });
}

function readLock(file: string): { pid: number; identity: string } | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { pid: number; identity: string };
  } catch {
    return null;
  }
}

/**
 * Returns the start time of a process. With the pid, it distinguishes the process from a later one with the same
 * number.
 */
function identity(pid: number): string {
  if (process.platform !== 'linux') {
    return (
      spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
        encoding: 'utf8',
        env: { LC_ALL: 'C' },
      }).stdout?.trim() || 'gone'
    );
  }
  try {
    // Field 2, the name, may contain spaces. The start time is field 22, counted from the closing bracket of the name.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? 'gone';
  } catch {
    return 'gone';
  }
}
