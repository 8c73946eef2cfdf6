/** `turbo prune` gives one team a tree of its own: what its workspace needs, and no more. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { services } from '@suite/local/processes';

const root = fileURLToPath(new URL('..', import.meta.url));
const place = mkdtempSync(join(tmpdir(), 'suite-prune-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** The surroundings of somebody who has just cloned: not those of this run of Jest. */
const surroundings = Object.fromEntries(
  ['HOME', 'TMPDIR', 'NATS_SERVER'].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
);

function run(cwd: string, program: string, ...args: string[]) {
  const PATH = `${join(cwd, 'node_modules/.bin')}:${process.env['PATH']}`;
  const env = { ...surroundings, PATH, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', FORCE_COLOR: '0' };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

/** Puts there what `npm ci` would: the packages of the pruned lock file, as they are installed here, and no others. */
function install(tree: string): void {
  const lock = JSON.parse(readFileSync(join(tree, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { link?: boolean; resolved?: string }>;
  };
  for (const [path, { link, resolved = '' }] of Object.entries(lock.packages)) {
    const isNested = path.slice(path.indexOf('node_modules/') + 1).includes('node_modules/');
    if (!path.includes('node_modules/') || isNested || !existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    symlinkSync(link ? join(tree, resolved) : join(root, path), join(tree, path));
  }
  symlinkSync(join(root, 'node_modules/.bin'), join(tree, 'node_modules/.bin'));
}

test('the tree of crm installs, generates, typechecks and tests by itself', () => {
  const tree = join(place, 'crm');
  expect(run(root, 'turbo', 'prune', '@suite/crm', '--out-dir', tree)).toMatchObject({ status: 0 });
  const others = services.filter(({ name }) => name !== 'crm').map(({ name }) => `services/${name}`);
  expect(['services/crm', 'gateway', 'tests', ...others].filter((path) => existsSync(join(tree, path)))).toEqual([
    'services/crm',
  ]);

  // Refuses a lock file that lacks anything of what the workspaces ask for.
  const options = ['--dry-run', '--ignore-scripts', '--no-audit', '--no-fund'];
  expect(run(tree, 'npm', 'ci', ...options)).toMatchObject({ status: 0 });
  install(tree);

  expect(run(tree, 'turbo', 'run', 'typecheck', '--filter=@suite/crm')).toMatchObject({
    status: 0,
    output: expect.stringMatching(/4 successful, 4 total/),
  });
  expect(existsSync(join(tree, 'services/crm/src/generated'))).toBe(true);
  expect(run(tree, 'npm', 'test', '-w', '@suite/crm', '--', 'users/copies-at-once')).toMatchObject({
    status: 0,
    output: expect.stringMatching(/Tests: +[1-9]\d* passed/),
  });
}, 300_000);
