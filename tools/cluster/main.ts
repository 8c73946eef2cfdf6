/**
 * `npm run cluster`: builds the Debian root, then runs the cluster in namespaces of its own. Mounts, networks and
 * processes there end with the inner process, even after a crash.
 */
import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { lockData } from '@suite/local/data-directory';
import { LaunchError } from '@suite/local/launch-error';
import { environmentPath } from './config.ts';
import { machineMirror } from './debian/mirror.ts';
import { machineFacts, missingRequirement, NAMESPACES } from './debian/requirements.ts';
import { buildRoot, isBuilt } from './debian/root.ts';
import { planRounds } from './failures/failures.ts';
import { clusterOptions } from './options.ts';

const INSIDE = fileURLToPath(new URL('inside.ts', import.meta.url));
/**
 * The first process of the namespaces. A shell collects ended processes whose parents have ended, which Node does not:
 * Patroni would consider a killed PostgreSQL to be running.
 */
const FIRST_PROCESS = 'exec 3<&0; "$@" <&3 & wait $!';
/** Time for an orderly stop after an interruption. */
const STOP_MS = 30_000;

/** Runs the inner process. @returns its exit code */
async function runInside(words: readonly string[], signal: AbortSignal): Promise<number> {
  const inner = [process.execPath, INSIDE, ...words];
  const child = spawn('unshare', [...NAMESPACES, 'sh', '-c', FIRST_PROCESS, 'sh', ...inner], {
    // A group of its own: Ctrl-C must reach only this process, which then ends the standard input.
    detached: true,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  child.stdin.on('error', () => undefined);
  signal.addEventListener('abort', () => {
    child.stdin.end();
    void pause(STOP_MS, undefined, { ref: false }).then(() => child.kill('SIGKILL'));
  });
  return await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 2));
  });
}

async function main(words: readonly string[]): Promise<number> {
  const options = clusterOptions(words);
  planRounds(options.only, options.rounds);
  const missing = missingRequirement(machineFacts(environmentPath()));
  if (missing) throw new LaunchError(missing);
  const root = join(options.data, 'debian');
  const mirror = options.mirror ?? machineMirror();
  if (!mirror && !isBuilt(root))
    throw new LaunchError('The sources of apt name no Debian mirror: name one with --mirror http://…/debian.');
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupt.abort());
  const lock = lockData(options.data);
  try {
    if (!isBuilt(root)) process.stdout.write(`Building a Debian root in ${root}, which takes some minutes\n`);
    await buildRoot({ root, mirror: mirror ?? '', log: join(options.data, 'debian.log'), signal: interrupt.signal });
    return await runInside(words, interrupt.signal);
  } finally {
    lock.release();
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
