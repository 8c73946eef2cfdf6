import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root, regardless of the directory in which the command was started. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** Node 24 from npm. The host's own Node may be older and only starts these scripts. */
export const node = join(root, 'node_modules/.bin/node');

/** Returns the environment for tools: the locked tools come first on PATH, and telemetry is off. */
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

/** Runs a command in the root, captures its output, and returns `{ code, output }`. */
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

/** Runs a command in the root with access to the terminal, and returns its exit code. */
export function openly(program, args, extra = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, env: environment(extra), stdio: 'inherit' });
    // The terminal also sends Ctrl-C to the child: wait until the child has cleaned up. Other signals reach only this
    // process.
    process.on('SIGINT', () => {});
    for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    child.on('error', (error) => {
      console.error(`${program}: ${error.message}`);
      resolve(127);
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** Returns the elapsed time for a progress line, such as `1.2 s`. */
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
