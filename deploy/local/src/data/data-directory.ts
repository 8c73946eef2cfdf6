import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LaunchError, sentence } from '../launch-error.ts';

/** The parts of a suite's data directory. Other things may lie there too, and are left alone. */
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

/** The right to use a data directory, which one suite holds at a time. */
export interface DataLock {
  /** Whether the last suite here was killed, so that its processes may still be going away. */
  was_killed: boolean;
  release(): void;
}

/** Takes the data directory, or says which process has it. */
export function lockData(data: string): DataLock {
  closeToOthers(data);
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

/** Nobody else may enter the directory, so nobody reaches its files. */
function closeToOthers(data: string): void {
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 });
    chmodSync(data, 0o700);
  } catch (error) {
    throw new LaunchError(`${data} cannot be made a directory of ours alone: ${sentence(error)}`);
  }
}

/** Keeps what a process was started with, so that an operators' command can work on the same database (see operator.mjs). */
export function writeEnvironment(data: string, name: string, environment: Record<string, string>): void {
  mkdirSync(join(data, 'environment'), { recursive: true });
  const file = join(data, 'environment', `${name}.json`);
  writeFileSync(file, JSON.stringify(environment), { mode: 0o600 });
  chmodSync(file, 0o600);
}

/** Removes everything that a suite kept; only for the holder of the lock. */
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

/** When a process began: with its pid, this tells it from a later process that was given the same number. */
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
    // The name in field 2 may hold spaces; the start time is field 22, counted behind the bracket that closes it.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? 'gone';
  } catch {
    return 'gone';
  }
}
