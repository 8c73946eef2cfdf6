import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { type Child, startChild } from '../local/src/supervision/child.ts';
import { temporaryDirectory } from '../local/src/fixtures/programs.ts';
import { readiness } from '../local/src/health.ts';
import { processes } from '../local/src/processes.ts';
import { startNats, startPostgres } from '../local/src/servers/servers.ts';
import { prune } from './prune.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const place = temporaryDirectory();
afterAll(() => place.remove());

const byName = (names: string[]): string[] => names.toSorted((one, other) => one.localeCompare(other));
/** Returns the workspace packages that a folder's programs import, directly or indirectly. */
function importedBy(folder: string, found = new Set<string>()): Set<string> {
  const sources = globSync('src/**/*.ts', { cwd: join(root, folder) }).filter((path) => !path.endsWith('.test.ts'));
  for (const path of sources) {
    const text = readFileSync(join(root, folder, path), 'utf8');
    for (const [, name] of text.matchAll(/^(?:import (?!type)|\} |export ).*from '@suite\/([\w-]+)/gm)) {
      const next = `packages/${name}`;
      if (found.has(next) || next === folder) continue;
      found.add(next);
      importedBy(next, found);
    }
  }
  return found;
}

describe.each(processes)('the image of $name', ({ name, entry, service }) => {
  test('contains its sources and imports, without tests and development dependencies', () => {
    const target = join(place.path, name);
    prune(root, service?.directory ?? 'gateway', target);
    const manifest = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')) as { workspaces: string[] };
    const folder = service?.directory ?? 'gateway';
    // Compose runs the migrations from the image of the service.
    const expected = [...new Set([folder, 'packages/migrations', ...importedBy(folder)])];
    expect(byName(manifest.workspaces)).toEqual(byName(expected));
    expect(existsSync(join(target, entry))).toBe(true);
    const migrations = globSync('**/prisma/migrations/*/migration.sql', { cwd: target });
    expect(migrations.length > 0).toBe(Boolean(service));
    expect(globSync('**/*.test.ts', { cwd: target })).toEqual([]);
    for (const folder of ['.', ...manifest.workspaces]) {
      expect(JSON.parse(readFileSync(join(target, folder, 'package.json'), 'utf8'))).toMatchObject({
        devDependencies: {},
      });
    }
  });
});

/** Runs the steps of the compose file without containers: prepare, migrate, run. All use the pruned install. */
test('the pruned install of platform prepares, migrates, becomes ready and stops', async () => {
  const image = join(place.path, 'installed');
  prune(root, 'services/platform', image);
  const installed = run(
    image,
    'npm',
    ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'],
    {},
  );
  expect(installed).toMatchObject({ status: 0 });
  expect(existsSync(join(image, 'node_modules/jest'))).toBe(false);
  expect(existsSync(join(image, 'node_modules/prisma'))).toBe(false);

  const port = 7_000 + 10 * Math.floor(Math.random() * 90);
  const postgres = await startPostgres({ directory: join(place.path, 'postgres'), port, fast: true });
  const nats = await startNats({ directory: join(place.path, 'nats'), port: port + 1 });
  try {
    const keys = join(place.path, 'keys');
    const services = processes.filter(({ service }) => service).map(({ name }) => name.toUpperCase());
    const passwords = Object.fromEntries(services.map((name) => [`${name}_PASSWORD`, 'first']));
    const prepare = () =>
      run(image, process.execPath, ['deploy/docker/prepare.ts'], {
        ADMIN_URL: postgres.adminUrl,
        KEYS: keys,
        NATS_USERS: join(place.path, 'users.conf'),
        ...passwords,
      });
    expect([prepare(), prepare()]).toMatchObject([{ status: 0 }, { status: 0 }]);
    const databaseUrl = `postgres://platform:first@127.0.0.1:${port}/platform`;
    const migrate = ['packages/migrations/src/migrate.ts', 'services/platform'];
    const migrated = run(image, process.execPath, migrate, { DATABASE_URL: databaseUrl });
    expect(migrated).toMatchObject({ status: 0, stdout: expect.stringContaining('Applied: foundation') });
    await becomesReady(image, port, {
      DATABASE_URL: databaseUrl,
      KEYS_DIR: join(keys, 'platform'),
      NATS_URL: nats.url,
      // Unused in this test: platform calls finance only when a plan changes.
      RPC_FINANCE: `127.0.0.1:${port + 5}`,
    });
  } finally {
    await nats.stop();
    await postgres.stop();
  }
}, 300_000);

function run(cwd: string, command: string, args: string[], environment: Record<string, string>) {
  const surroundings = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  const ran = spawnSync(command, args, { cwd, env: { ...surroundings, ...environment }, encoding: 'utf8' });
  return { status: ran.status, stdout: ran.stdout, stderr: ran.stderr };
}

async function becomesReady(image: string, port: number, environment: Record<string, string>): Promise<void> {
  const files = join(place.path, 'files');
  mkdirSync(files, { recursive: true });
  const log = join(place.path, 'platform.log');
  const child: Child = await startChild({
    command: process.execPath,
    args: ['services/platform/src/main.ts'],
    cwd: image,
    log,
    env: {
      ...environment,
      OPERATIONS_PORT: String(port + 2),
      HTTP_PORT: String(port + 3),
      GRPC_PORT: String(port + 4),
      FILES_DIR: files,
      MAIL_DIR: files,
      RPC_CRM: '127.0.0.1:1',
      RPC_PROJECTS: '127.0.0.1:1',
      PUBLIC_URL: 'http://localhost:4000',
      SHUTDOWN_GRACE_MS: '0',
    },
  });
  let isReady = false;
  for (let tries = 0; tries < 300 && child.isRunning() && !isReady; tries += 1) {
    ({ isComplete: isReady } = await readiness(`http://127.0.0.1:${port + 2}`, 2_000));
    if (!isReady) await pause(100);
  }
  await child.stop('SIGTERM', 20_000);
  expect({ isReady, log: isReady ? '' : readFileSync(log, 'utf8').slice(-2000) }).toEqual({ isReady: true, log: '' });
  expect(await child.exited).toEqual({ code: 0, signal: null });
}
