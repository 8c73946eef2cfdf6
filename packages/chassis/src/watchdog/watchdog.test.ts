import { spawn } from 'node:child_process';
import { expect, test } from '@jest/globals';

const module = JSON.stringify(new URL('./watchdog.ts', import.meta.url).href);

/** Runs a program in a process with a watchdog limit of one second. */
function run(program: string): Promise<{ code: number | null; output: string }> {
  const text = `import { watchEventLoop } from ${module}; watchEventLoop('watched', 1_000); ${program}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', text], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

/** Waits until the process has used the processor for this long. */
const busyFor = (ms: number, work: string) => `
  const begin = process.cpuUsage();
  const used = () => { const { user, system } = process.cpuUsage(begin); return (user + system) / 1_000; };
  while (used() < ${ms}) { ${work} }
  console.log('done');`;

test.each([
  ['a loop', 'setTimeout(() => { for (;;); }, 300);'],
  ['a regular expression', "setTimeout(() => /^(a+)+$/.test('a'.repeat(60) + 'b'), 300);"],
])('ends a process whose event loop is blocked by %s with exit code 86', async (_, program) => {
  const { code, output } = await run(program);
  expect(code).toBe(86);
  expect(output).toContain('"process":"watched","exit_code":86,"msg":"event loop blocked; ending the process"');
});

test('kills a process that is blocked by native code', async () => {
  const { code, output } = await run(
    "import { pbkdf2Sync } from 'node:crypto'; setTimeout(() => pbkdf2Sync('a', 'b', 2_000_000_000, 64, 'sha512'), 300);",
  );
  expect(code).not.toBe(0);
  expect(output).toContain('event loop blocked');
});

test('does not end a process under load', async () => {
  const piece = 'const until = Date.now() + 50; while (Date.now() < until); await new Promise(setImmediate);';
  const { code, output } = await run(busyFor(5_000, piece));
  expect({ code, output }).toEqual({ code: 0, output: 'done\n' });
});

test('does not end a process whose threads use the processor', async () => {
  const hog = `import { Worker } from 'node:worker_threads'; const hog = new Worker('for (;;);', { eval: true });`;
  const wait = 'await new Promise((resolve) => setTimeout(resolve, 100));';
  const { code, output } = await run(`${hog} ${busyFor(4_000, wait)} process.exit(0);`);
  expect({ code, output }).toEqual({ code: 0, output: 'done\n' });
});

test('does not end a process that waits without using the processor', async () => {
  const wait = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_000);';
  expect(await run(`${wait} console.log('done');`)).toEqual({ code: 0, output: 'done\n' });
});
