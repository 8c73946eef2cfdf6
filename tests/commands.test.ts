/** Runs the commands of package.json as a new user types them. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/** A checkout without installed dependencies: only the files that a command needs to print its help. */
const bare = mkdtempSync(join(tmpdir(), 'suite-bare-'));
for (const path of ['scripts', 'packages/chassis/src/cli', 'services/platform/src/cli'])
  cpSync(join(ROOT, path), join(bare, path), { recursive: true });
afterAll(() => rmSync(bare, { recursive: true }));

/** Runs a command as npm does. The command must exit on its own, soon. */
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

describe.each([
  'start',
  'test',
  'bench',
  'model',
  'audit',
  'reconcile',
  'migration',
  'release',
  'workspace',
  'dead-letters',
])('npm run %s', (name) => {
  test.each(['--help', '-h'])('prints help on one screen given %s, with nothing installed or started', (word) => {
    const { status, stdout, stderr } = run(name, word);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^Usage: npm (run )?${name} `));
    const lines = stdout.split('\n');
    expect(lines.length).toBeLessThan(24);
    expect(lines.filter((line) => line.length > 125)).toEqual([]);
  });
});

describe('the check of packages', () => {
  const check = (packages: object) => {
    writeFileSync(join(bare, 'package.json'), JSON.stringify({ allowScripts: { node: true, prisma: false } }));
    writeFileSync(join(bare, 'package-lock.json'), JSON.stringify({ packages }));
    const { status, stderr } = spawnSync(process.execPath, [join(bare, 'scripts/packages.mjs')], { encoding: 'utf8' });
    return { status, stderr };
  };

  test('accepts known install scripts and licences', () => {
    const script = { hasInstallScript: true, license: 'MIT' };
    const packages = { 'node_modules/node': script, 'node_modules/a/node_modules/prisma': script };
    const either = { 'node_modules/b': { license: '(GPL-3.0 OR Apache-2.0 AND ISC)' } };
    expect(check({ '': {}, ...packages, ...either })).toEqual({ status: 0, stderr: '' });
  });

  test.each([
    [{ hasInstallScript: true, license: 'MIT' }, 'new has an install script: add it to allowScripts in package.json'],
    [{ license: 'AGPL-3.0-only' }, 'new has the licence "AGPL-3.0-only"'],
    [{ license: 'MIT AND GPL-2.0-only' }, 'new has the licence "MIT AND GPL-2.0-only"'],
  ])('rejects %j', (locked, sentence) => {
    const { status, stderr } = check({ 'node_modules/new': locked });
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(sentence) });
  });
});

describe('wrong arguments end a command with one sentence', () => {
  test.each([
    ['start', ['--rest'], "Unknown option '--rest'. See npm start -- --help."],
    ['start', ['--data'], "Option '--data <value>' argument missing. See npm start -- --help."],
    ['start', ['now'], 'Unexpected argument "now". See npm start -- --help.'],
    ['test', ['--quick'], "Unknown option '--quick'. See npm test -- --help."],
    ['bench', ['--only'], "Option '--only <value>' argument missing. See npm run bench -- --help."],
    ['model', ['ten'], 'The number of operations must be a whole number, not "ten". See npm run model -- --help.'],
    ['model', ['10', '--seed', 'x'], '--seed must be a whole number, not "x". See npm run model -- --help.'],
    [
      'audit',
      ['--workspace', 'acme'],
      '--workspace must be the ID of a workspace, not "acme". See npm run audit -- --help.',
    ],
    ['migration', ['sales', 'add_size'], '"sales" is not a service with a database. See npm run migration -- --help.'],
    ['dead-letters', ['--wait', '3'], '"--wait" is not the name of a service. See npm run dead-letters -- --help.'],
    ['dead-letters', ['crm'], 'Unknown service "crm": start the suite first (npm start), or set DATABASE_URL.'],
  ])('npm run %s -- %j', (name, words, sentence) => {
    const { status, stdout, stderr } = run(name, ...words);
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: `${sentence}\n` });
    expect(status).toBeGreaterThan(0);
  });
});
