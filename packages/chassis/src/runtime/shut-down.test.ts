import { spawn } from 'node:child_process';
import { expect, test } from '@jest/globals';

const BEGINNING = `
  import { shutDownWith } from ${JSON.stringify(new URL('./shut-down.ts', import.meta.url).href)};
  const say = (text) => process.stdout.write(text + '\\n');
  const log = { fatal: (_, text) => say('fatal ' + text), error: (_, text) => say('error ' + text) };
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  setInterval(() => undefined, 1_000);
`;

interface Ended {
  code: number | null;
  said: string[];
  took_ms: number;
}

/** Runs a process that ends with `shutDownWith`. Calls `tell` once the process reports that it is up. */
function run(stop: string, rest = '', tell: (kill: (signal: NodeJS.Signals) => void) => void = () => undefined) {
  const text = `${BEGINNING} shutDownWith(async () => { say('stop'); ${stop} }, log); say('up'); ${rest}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', text], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  let begun = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    if (begun === 0) {
      begun = performance.now();
      tell((signal) => child.kill(signal));
    }
    output += chunk;
  });
  return new Promise<Ended>((resolve) => {
    child.once('close', (code) =>
      resolve({ code, said: output.trim().split('\n'), took_ms: performance.now() - begun }),
    );
  });
}

test.each(['SIGTERM', 'SIGINT'] as const)('a process that gets %s stops in order and ends with 0', async (signal) => {
  const ended = await run(`await pause(200); say('done')`, '', (kill) => kill(signal));
  expect(ended).toMatchObject({ code: 0, said: ['up', 'stop', 'done'] });
});

test('stops once on repeated signals', async () => {
  const ended = await run(`await pause(600); say('done')`, '', (kill) => {
    for (const [at, signal] of (['SIGTERM', 'SIGTERM', 'SIGINT', 'SIGINT'] as const).entries())
      setTimeout(kill, at * 100, signal);
  });
  expect(ended).toMatchObject({ code: 0, said: ['up', 'stop', 'done'] });
});

test('exits with 1 and logs the error if stopping fails', async () => {
  const ended = await run(`throw new Error('stuck')`, '', (kill) => kill('SIGTERM'));
  expect(ended).toMatchObject({ code: 1, said: ['up', 'stop', 'error Orderly shutdown failed; exiting'] });
});

test.each([
  ['uncaughtException', `setTimeout(() => { throw new Error('a mistake') }, 50)`],
  ['unhandledRejection', `setTimeout(() => void Promise.reject(new Error('a mistake')), 50)`],
])('logs %s, stops in order and ends with exit code 1', async (escaped, mistake) => {
  const ended = await run(`await pause(200); say('done')`, mistake);
  expect(ended).toMatchObject({ code: 1, said: ['up', `fatal ${escaped}`, 'stop', 'done'] });
});

test('ends within five seconds after an uncaught error, even if something hangs', async () => {
  const ended = await run(`await pause(60_000)`, `setTimeout(() => { throw new Error('a mistake') }, 50)`);
  expect(ended.code).toBe(1);
  expect(ended.took_ms).toBeGreaterThan(4_000);
  expect(ended.took_ms).toBeLessThan(8_000);
}, 240_000);
