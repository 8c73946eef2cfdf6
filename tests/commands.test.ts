/** The commands of package.json, as somebody types them who does not know them yet. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/** A checkout in which nothing was installed: only what a command reads to explain itself. */
const bare = mkdtempSync(join(tmpdir(), 'suite-bare-'));
for (const path of ['scripts', 'packages/chassis/src/cli', 'services/platform/src/cli'])
  cpSync(join(ROOT, path), join(bare, path), { recursive: true });
afterAll(() => rmSync(bare, { recursive: true }));

/** Runs a command as npm does; it must end by itself, soon. */
function run(name: string, ...words: string[]) {
  const [program = '', ...args] = (scripts[name] ?? '').replace('exec ', '').split(' ');
  const { status, stdout, stderr } = spawnSync(program, [...args, ...words], {
    cwd: bare,
    env: { PATH: process.env['PATH'] },
    encoding: 'utf8',
    timeout: 30_000,
  });
  return { status, stdout, stderr };
}

describe.each(['start', 'test', 'bench', 'model', 'audit', 'workspace', 'parked'])('npm run %s', (name) => {
  test.each(['--help', '-h'])('explains itself on one screen given %s, with nothing installed or started', (word) => {
    const { status, stdout, stderr } = run(name, word);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^Usage: npm (run )?${name} `));
    const lines = stdout.split('\n');
    expect(lines.length).toBeLessThan(24);
    expect(lines.filter((line) => line.length > 125)).toEqual([]);
  });
});

describe('wrong words end a command with one sentence', () => {
  test.each([
    ['start', ['--rest'], "Unknown option '--rest'. See npm start -- --help."],
    ['start', ['--data'], "Option '--data <value>' argument missing. See npm start -- --help."],
    ['start', ['now'], '"now" is one word too many. See npm start -- --help.'],
    ['test', ['--quick'], "Unknown option '--quick'. See npm test -- --help."],
    ['bench', ['--only'], "Option '--only <value>' argument missing. See npm run bench -- --help."],
    ['model', ['ten'], 'The number of operations takes a whole number, not "ten". See npm run model -- --help.'],
    ['model', ['10', '--seed', 'x'], '--seed takes a whole number, not "x". See npm run model -- --help.'],
    [
      'audit',
      ['--workspace', 'acme'],
      '--workspace takes the id of a workspace, not "acme". See npm run audit -- --help.',
    ],
    ['parked', ['--wait', '3'], '"--wait" is not the name of a service. See npm run parked -- --help.'],
    [
      'parked',
      ['crm'],
      'Nothing is known here of a service "crm": start the suite first (npm start), or set DATABASE_URL.',
    ],
  ])('npm run %s -- %j', (name, words, sentence) => {
    const { status, stdout, stderr } = run(name, ...words);
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: `${sentence}\n` });
    expect(status).toBeGreaterThan(0);
  });
});
