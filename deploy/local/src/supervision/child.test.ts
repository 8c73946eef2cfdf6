import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { temporaryDirectory } from '../fixtures/programs.ts';
import { startChild } from './child.ts';

let place: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  place = temporaryDirectory();
});
afterEach(() => place.remove());

const start = (program: string, lines: string[]) =>
  startChild({
    command: process.execPath,
    args: ['-e', program],
    log: join(place.path, 'child.log'),
    onLine: (line) => void lines.push(line),
  });

test('delivers all output before it reports the end of the process', async () => {
  const lines: string[] = [];
  const child = await start(
    "process.stdout.write('much\\n'.repeat(200_000)); process.stderr.write('KEYS_DIR is missing.\\n')",
    lines,
  );
  expect(await child.exited).toEqual({ code: 0, signal: null });
  expect(lines).toHaveLength(200_001);
  expect(lines).toContain('KEYS_DIR is missing.');
});

test('reports the end of a process whose child keeps the output open', async () => {
  const program = "require('node:child_process').spawn('sleep', ['5'], { stdio: 'inherit' }).unref(); process.exit(3)";
  const child = await start(program, []);
  expect(await Promise.race([child.exited, new Promise((resolve) => setTimeout(resolve, 4_000).unref())])).toEqual({
    code: 3,
    signal: null,
  });
});
