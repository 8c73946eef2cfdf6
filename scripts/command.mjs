import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root, with whatever directory the command was started from. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** Node 24 from npm: the host's own Node may be older and only starts these scripts. */
export const node = join(root, 'node_modules/.bin/node');

/** The locked tools come first on PATH, and none of them calls home. */
export function environment(extra = {}) {
  return {
    ...process.env,
    PATH: join(root, 'node_modules/.bin') + delimiter + process.env.PATH,
    CHECKPOINT_DISABLE: '1',
    TURBO_TELEMETRY_DISABLED: '1',
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    SCARF_ANALYTICS: 'false',
    DO_NOT_TRACK: '1',
    ...extra,
  };
}

/** Runs a command in the root, keeps what it prints, and answers `{ code, output }` when it has ended. */
export function quietly(program, args, extra = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, env: environment(extra), stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ code: 127, output: `${program}: ${error.message}\n` }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Runs a command in the root with the terminal as its own, and answers its exit code. */
export function openly(program, args, extra = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, env: environment(extra), stdio: 'inherit' });
    // The terminal sends Ctrl-C to the child as well: stay until it has tidied up. Other signals reach only this process.
    process.on('SIGINT', () => {});
    for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    child.on('error', (error) => {
      console.error(`${program}: ${error.message}`);
      resolve(127);
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** `1.2 s`, for the end of a progress line. */
export const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/**
 * Runs one step of the set-up and prints a line with the time that it took.
 * @throws Error with the output of the program if it failed
 */
export async function step(title, failure, work) {
  const started = performance.now();
  // On a terminal, the line shows the work in progress until the result replaces it.
  if (process.stdout.isTTY) process.stdout.write(`${title} …\r`);
  const { code, output } = await work();
  console.log(`${title} … ${code === 0 ? seconds(started) : 'failed'}`);
  if (code !== 0) throw new Error(`${failure}:\n${output}`);
}
