/** Checks that `npm test` skips exactly the tests that have already passed. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, expect, test } from '@jest/globals';

/** A repository of two workspaces, with a fake turbo that returns any hashes a test needs. */
const bare = mkdtempSync(join(tmpdir(), 'suite-remembered-'));
cpSync(fileURLToPath(new URL('../scripts', import.meta.url)), join(bare, 'scripts'), { recursive: true });
mkdirSync(join(bare, 'node_modules/.bin'), { recursive: true });
afterAll(() => rmSync(bare, { recursive: true }));

const PROGRAM = `
  import { remembered } from './scripts/remembered.mjs';
  const [, results, isComplete] = process.argv;
  const memory = await remembered(Boolean(isComplete));
  if (results) await memory.remember(JSON.parse(results));
  const { passed, workspaces, isAll, options } = memory;
  console.log(JSON.stringify({ passed, workspaces, isAll, options }));
`;

type Hashes = Record<'' | 'crm' | 'tests', string>;

/** Makes turbo return these hashes. `tests` is the task that it may not cache. */
function change(hashes: Hashes): void {
  const tasks = Object.entries(hashes).map(([directory, hash]) => ({
    taskId: directory ? `@suite/${directory}#test` : '//#test',
    task: 'test',
    command: 'jest',
    directory,
    hash,
    resolvedTaskDefinition: { cache: directory === 'crm' },
  }));
  const turbo = `#!/bin/sh\ncat <<'END'\n${JSON.stringify({ tasks })}\nEND\n`;
  writeFileSync(join(bare, 'node_modules/.bin/turbo'), turbo, { mode: 0o755 });
}

function run(...words: string[]) {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', PROGRAM, ...words], {
    cwd: bare,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as { passed: number; workspaces: number; isAll: boolean; options: string[] };
}

/** Returns the results of one file per folder, each with one test. */
const resultsOf = (statuses: Record<string, 'passed' | 'failed'>): string =>
  JSON.stringify(
    Object.entries(statuses).map(([folder, status]) => ({
      name: join(bare, folder, 'one.test.ts'),
      status,
      assertionResults: [{ status }],
    })),
  );
const GREEN = resultsOf({ crm: 'passed', tests: 'passed', 'deploy/docker': 'passed' });

beforeEach(() => {
  rmSync(join(bare, 'node_modules/.suite'), { recursive: true, force: true });
  change({ '': 'whole 1', crm: 'crm 1', tests: 'tests 1' });
});

test('npm test runs everything on a fresh clone', () => {
  expect(run()).toMatchObject({
    passed: 0,
    workspaces: 0,
    isAll: false,
    options: [expect.stringContaining('node_modules'), expect.stringContaining('data')],
  });
});

test('npm test skips and counts what has already passed', () => {
  run(GREEN);
  expect(run()).toMatchObject({ passed: 3, workspaces: 3, isAll: true });
});

test('a complete run skips nothing', () => {
  run(GREEN);
  expect(run('', 'complete')).toMatchObject({ passed: 0, workspaces: 0, isAll: false });
});

test('a change outside a workspace runs all tests that read the whole repository', () => {
  run(GREEN);
  change({ '': 'whole 2', crm: 'crm 1', tests: 'tests 1' });
  const { options, ...rest } = run();
  expect(rest).toEqual({ passed: 1, workspaces: 1, isAll: false });
  expect(options[0]).toMatch(/crm\/$/);
  expect(options).toHaveLength(3);
});

test('a change to a workspace runs its tests, too', () => {
  run(GREEN);
  change({ '': 'whole 2', crm: 'crm 2', tests: 'tests 1' });
  expect(run()).toMatchObject({ passed: 0, workspaces: 0, isAll: false });
});

test('failed tests run again, together with all tests outside workspaces', () => {
  run(resultsOf({ crm: 'failed', tests: 'passed', 'deploy/docker': 'passed' }));
  expect(run()).toMatchObject({ passed: 1, workspaces: 1, isAll: false });
});
