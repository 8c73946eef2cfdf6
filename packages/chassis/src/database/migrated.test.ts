import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { migrate } from '@suite/migrations';
import { afterAll, describe, expect, test } from '@jest/globals';
import { freePort } from '@suite/local/ports';
import { openFixture, temporaryDirectory } from '../../test/fixture.ts';
import { assertMigrated } from './migrated.ts';

const fixture = await openFixture();
const directory = temporaryDirectory();
afterAll(async () => {
  await fixture.close();
  rmSync(directory, { recursive: true });
});

const here = { DATABASE_URL: fixture.url };
const elsewhere = (changes: object) => ({ DATABASE_URL: Object.assign(new URL(fixture.url), changes).href });
const add = (name: string) => {
  mkdirSync(join(directory, 'prisma/migrations', name), { recursive: true });
  writeFileSync(join(directory, 'prisma/migrations', name, 'migration.sql'), 'SELECT 1;');
};

test('rejects a database that lacks a migration, and names the migration', async () => {
  add('20260101000000_init');
  await migrate({ databaseUrl: fixture.url, directory });
  await assertMigrated(here, directory);
  add('20260102000000_next');
  await expect(assertMigrated(here, directory)).rejects.toThrow(
    /^The database of \S+ lacks the migration 20260102000000_next\.$/,
  );
  await migrate({ databaseUrl: fixture.url, directory });
  await assertMigrated(here, directory);
});

test('does not wait for a database that rejects the connection', async () => {
  const begun = performance.now();
  await expect(assertMigrated(elsewhere({ password: 'wrong' }), directory)).rejects.toThrow(
    /^The database rejected the connection: password authentication failed for user "\w+"\.$/,
  );
  await expect(assertMigrated(elsewhere({ pathname: '/nowhere' }), directory)).rejects.toThrow(
    'The database rejected the connection: database "nowhere" does not exist.',
  );
  expect(performance.now() - begun).toBeLessThan(5_000);
});

test('compares the migrations over the direct connection', async () => {
  const { DATABASE_URL: DATABASE_DIRECT_URL } = elsewhere({ password: 'wrong' });
  await expect(assertMigrated({ ...here, DATABASE_DIRECT_URL }, directory)).rejects.toThrow('password authentication');
});

test('waits for a database that does not answer, up to the limit', async () => {
  const port = await freePort();
  const begun = performance.now();
  await expect(assertMigrated(elsewhere({ port }), directory, 1_200)).rejects.toThrow(
    `The database is unavailable: connect ECONNREFUSED 127.0.0.1:${port}.`,
  );
  expect(performance.now() - begun).toBeGreaterThanOrEqual(1_200);
});

test('uses a database that starts late', async () => {
  const port = await freePort();
  const target = Number(new URL(fixture.url).port);
  const proxy = createServer((socket) => {
    const other = connect(target, '127.0.0.1');
    socket.pipe(other).pipe(socket);
    for (const end of [socket, other]) end.on('error', () => undefined);
  });
  setTimeout(() => proxy.listen(port, '127.0.0.1'), 700);
  await assertMigrated(elsewhere({ port }), directory, 20_000);
  proxy.close();
});

describe('a database that would let a request leave its workspace', () => {
  const login = new URL(fixture.url).username;
  test.each([
    [
      'of unforced policies',
      'ALTER TABLE notes NO FORCE ROW LEVEL SECURITY',
      'The policies of the table notes are not forced',
    ],
    ['of its login', `ALTER TABLE notes OWNER TO ${login}`, `The table notes belongs to the login "${login}"`],
    ['of a privilege of its own', `GRANT SELECT ON notes TO ${login}_requests`, 'has privileges of its own on tables'],
    ['of another role', `GRANT suite_everywhere TO ${login}_requests`, 'has the roles suite_everywhere'],
    ['of no role', `REVOKE suite_viewer FROM ${login}_requests`, 'is not a member of suite_confined and suite_viewer'],
    ['of its attribute', `ALTER ROLE ${login}_requests BYPASSRLS`, 'can bypass row-level security'],
    ['of new tables', `GRANT CREATE ON SCHEMA public TO ${login}_requests`, 'can create tables and functions'],
  ])('is rejected because %s', async (_, statement, problem) => {
    await fixture.pool.query(statement);
    try {
      await expect(assertMigrated(here, directory)).rejects.toThrow(problem);
    } finally {
      await fixture.pool.query(`
        ALTER TABLE notes OWNER TO ${login}_owner; ALTER TABLE notes FORCE ROW LEVEL SECURITY;
        REVOKE ALL ON notes FROM ${login}_requests; REVOKE suite_everywhere FROM ${login}_requests;
        GRANT suite_viewer TO ${login}_requests; ALTER ROLE ${login}_requests NOBYPASSRLS;
        REVOKE CREATE ON SCHEMA public FROM ${login}_requests`);
    }
    expect(await assertMigrated(here, directory)).toEqual([]);
  });

  test('is used with a warning if queries may change settings', async () => {
    const set_config = 'EXECUTE ON FUNCTION pg_catalog.set_config(text, text, boolean)';
    await fixture.pool.query(`GRANT ${set_config} TO PUBLIC`);
    expect(await assertMigrated(here, directory)).toEqual([expect.stringContaining('can call set_config')]);
    await fixture.pool.query(`REVOKE ${set_config} FROM PUBLIC`);
  });

  test('is rejected if the login of requests does not exist', async () => {
    const settings = { ...here, DATABASE_REQUESTS_URL: elsewhere({ username: 'nobody' }).DATABASE_URL };
    await expect(assertMigrated(settings, directory)).rejects.toThrow('authentication failed for user "nobody"');
  });
});
