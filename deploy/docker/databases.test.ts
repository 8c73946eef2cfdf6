import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { freePort } from '@suite/local/ports';
import { startPostgres } from '@suite/local/servers';
import { services } from '../local/src/processes.ts';
import { postgresAccount, postgresPrograms } from '../local/src/servers/postgres-programs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const place = mkdtempSync(join(tmpdir(), 'suite-databases-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const [first = '', second = ''] = services.map(({ name }) => name);
const passwordsOf = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [`${name.toUpperCase()}_PASSWORD`, 'first']));
const prepare = 'deploy/docker/prepare.ts';
const words = [prepare, '--databases'];
const run = (args: readonly string[], env: Record<string, string>) =>
  spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' });

test('prepare.ts --databases waits for the server and creates databases for migrations', async () => {
  const port = await freePort();
  const options = { directory: join(place, 'postgres'), port, fast: true, short_lived: true };
  const initialised = await startPostgres(options);
  await initialised.stop();
  const env = { ADMIN_URL: initialised.adminUrl, ...passwordsOf(first, second) };
  const waiting = spawn(process.execPath, [...words, first, second], { cwd: root, env });
  const exited = once(waiting, 'exit');
  const output = Promise.all([text(waiting.stdout), text(waiting.stderr)]);
  const postgres = await startPostgres(options);
  try {
    const [code] = await exited;
    expect({ code, output: await output }).toEqual({
      code: 0,
      output: [`Databases are ready: ${first}, ${second}.\n`, ''],
    });
    // A further run changes nothing.
    expect(run([...words, first], env)).toMatchObject({ status: 0 });
    const DATABASE_URL = `postgres://${second}:first@127.0.0.1:${port}/${second}`;
    expect(run(['packages/migrations/src/migrate.ts', `services/${second}`], { DATABASE_URL })).toMatchObject({
      status: 0,
    });
    const wrong = { ...env, ADMIN_URL: initialised.adminUrl.replace('//postgres:', '//postgres:wrong') };
    expect(run([...words, first], wrong)).toMatchObject({ status: 1, stderr: expect.stringContaining('password') });
  } finally {
    waiting.kill('SIGKILL');
    await postgres.stop();
  }
});

test.each([
  [[...words, 'payroll'], 'payroll is not a service. Use '],
  [[...words, first], 'ADMIN_URL is missing.'],
  [[prepare, '--database'], 'Unknown option --database. Use --databases'],
])('prepare.ts rejects %j', (args, sentence) => {
  expect(run(args, {})).toMatchObject({ status: 1, stderr: expect.stringContaining(sentence) });
});

test.each(['docker-compose.yml', 'deploy/helm/suite/templates/postgres.yaml'])(
  'PostgreSQL creates its files with the arguments in %s',
  (path) => {
    const [, args = ''] =
      /^ *(?:value|POSTGRES_INITDB_ARGS): (--.*)$/m.exec(readFileSync(join(root, path), 'utf8')) ?? [];
    const account = postgresAccount();
    const folder = mkdtempSync(join(tmpdir(), 'suite-initdb-'));
    try {
      if (account) chownSync(folder, account.uid, account.gid);
      const initdb = join(postgresPrograms(account), 'initdb');
      const options = { cwd: '/', env: {}, encoding: 'utf8', ...account } as const;
      const created = spawnSync(initdb, ['--no-sync', '--pgdata', folder, ...args.split(' ')], options);
      expect(created).toMatchObject({ status: 0, stdout: expect.stringContaining('Success') });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
