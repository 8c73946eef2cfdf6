/** `turbo prune` gives one team a tree of its own, with exactly what its workspace needs. */
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

/** The environment of a fresh clone, without the variables of this Jest run. */
const surroundings = Object.fromEntries(
  ['HOME', 'TMPDIR', 'NATS_SERVER'].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
);

function run(cwd: string, program: string, ...args: string[]) {
  const PATH = `${join(cwd, 'node_modules/.bin')}:${process.env['PATH']}`;
  const env = { ...surroundings, PATH, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', FORCE_COLOR: '0' };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

/** Installs like `npm ci`: copies exactly the packages of the pruned lock file from the current installation. */
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

test('the tree of crm installs, generates, typechecks and tests on its own', () => {
  const tree = join(place, 'crm');
  expect(run(root, 'turbo', 'prune', '@suite/crm', '--out-dir', tree)).toMatchObject({ status: 0 });
  const others = services.filter(({ name }) => name !== 'crm').map(({ name }) => `services/${name}`);
  expect(['services/crm', 'gateway', 'tests', ...others].filter((path) => existsSync(join(tree, path)))).toEqual([
    'services/crm',
  ]);

  // Rejects a lock file that lacks any dependency of the workspaces.
  const options = ['--dry-run', '--ignore-scripts', '--no-audit', '--no-fund'];
  expect(run(tree, 'npm', 'ci', ...options)).toMatchObject({ status: 0 });
  install(tree);

  expect(run(tree, 'turbo', 'run', 'typecheck', '--filter=@suite/crm')).toMatchObject({
    status: 0,
    output: expect.stringMatching(/4 successful, 4 total/),
  });
  expect(existsSync(join(tree, 'services/crm/src/generated'))).toBe(true);
  expect(run(tree, 'npm', 'test', '-w', '@suite/crm', '--', 'users/concurrent-copies')).toMatchObject({
    status: 0,
    output: expect.stringMatching(/Tests: +[1-9]\d* passed/),
  });
}, 300_000);
