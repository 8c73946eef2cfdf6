/** `npm test` leaves out what has passed already, and nothing else. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, expect, test } from '@jest/globals';

/** A repository of two workspaces, with a turbo that says whatever hashes a test wants. */
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

/** Lets turbo answer with these hashes; `tests` is what it may not cache. */
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

/** The results of a file of each of these folders, each with one test. */
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

test('a fresh clone runs everything', () => {
  expect(run()).toMatchObject({
    passed: 0,
    workspaces: 0,
    isAll: false,
    options: [expect.stringContaining('node_modules'), expect.stringContaining('data')],
  });
});

test('a second run of what has passed runs nothing, and counts it', () => {
  run(GREEN);
  expect(run()).toMatchObject({ passed: 3, workspaces: 3, isAll: true });
});

test('a run that is to be complete leaves nothing out', () => {
  run(GREEN);
  expect(run('', 'complete')).toMatchObject({ passed: 0, workspaces: 0, isAll: false });
});

test('a change outside a workspace runs all that look at the whole repository', () => {
  run(GREEN);
  change({ '': 'whole 2', crm: 'crm 1', tests: 'tests 1' });
  const { options, ...rest } = run();
  expect(rest).toEqual({ passed: 1, workspaces: 1, isAll: false });
  expect(options[0]).toMatch(/crm\/$/);
  expect(options).toHaveLength(3);
});

test('a change of a workspace runs its tests, too', () => {
  run(GREEN);
  change({ '': 'whole 2', crm: 'crm 2', tests: 'tests 1' });
  expect(run()).toMatchObject({ passed: 0, workspaces: 0, isAll: false });
});

test('what failed is run again, with what belongs to no workspace', () => {
  run(resultsOf({ crm: 'failed', tests: 'passed', 'deploy/docker': 'passed' }));
  expect(run()).toMatchObject({ passed: 1, workspaces: 1, isAll: false });
});
