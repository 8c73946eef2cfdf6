import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

interface Report {
  success: boolean;
  testResults: { name: string; message: string; assertionResults: { title: string; status: string }[] }[];
}

/** Runs files of packages/testing/test as tests, one after another in one process. */
async function reportOn(...names: string[]): Promise<Report> {
  const directory = mkdtempSync(join(tmpdir(), 'suite-runner-'));
  const report = join(directory, 'report.json');
  const rootDir = join(root, 'packages/testing');
  const testRunner = join(rootDir, 'src/jest/test-runner.ts');
  const config = { rootDir, testRunner, testMatch: names.map((name) => `**/test/${name}.ts`), transform: {} };
  const options = ['--config', JSON.stringify(config), '--runInBand', '--json', `--outputFile=${report}`];
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  try {
    await promisify(execFile)(process.execPath, [jest, ...options], { cwd: root }).catch(() => undefined);
    return JSON.parse(readFileSync(report, 'utf8')) as Report;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

test('reports every outcome of a test like Jest', async () => {
  const { success, testResults } = await reportOn('outcomes');
  expect(success).toBe(false);
  const [file] = testResults;
  expect(file!.assertionResults.map(({ title, status }) => [title, status])).toEqual([
    ['passes', 'passed'],
    ['fails', 'failed'],
    ['never ends', 'failed'],
    ['forgets an assertion', 'failed'],
    ['rejects behind its back', 'failed'],
    ['counts 1', 'passed'],
    ['counts 2', 'passed'],
    ['sets the clock', 'passed'],
    ['belongs to the file', 'passed'],
  ]);
  for (const said of ['Exceeded timeout of 200 ms', 'An unhandled rejection.', 'The end went wrong.'])
    expect(file!.message).toContain(said);
});

test('reports a file that cannot be loaded as failed, without effects on the next', async () => {
  const { success, testResults } = await reportOn('broken', 'outcomes', 'second');
  expect(success).toBe(false);
  const broken = testResults.find(({ name }) => name.endsWith('broken.ts'));
  expect(broken).toMatchObject({ assertionResults: [], message: expect.stringContaining('cannot be loaded') });
  const second = testResults.find(({ name }) => name.endsWith('second.ts'));
  expect(second!.assertionResults).toMatchObject([{ status: 'passed' }]);
});
