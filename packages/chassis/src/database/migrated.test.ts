import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { migrate } from '@suite/migrations';
import { afterAll, expect, test } from '@jest/globals';
import { freePort, openGround, scratch } from '../../test/ground.ts';
import { assertMigrated } from './migrated.ts';

const ground = await openGround();
const directory = scratch();
afterAll(async () => {
  await ground.close();
  rmSync(directory, { recursive: true });
});

const here = { DATABASE_URL: ground.url };
const elsewhere = (changes: object) => ({ DATABASE_URL: Object.assign(new URL(ground.url), changes).href });
const add = (name: string) => {
  mkdirSync(join(directory, 'prisma/migrations', name), { recursive: true });
  writeFileSync(join(directory, 'prisma/migrations', name, 'migration.sql'), 'SELECT 1;');
};

test('a database that lacks a migration is refused in one sentence that names it', async () => {
  add('20260101000000_init');
  await migrate({ databaseUrl: ground.url, directory });
  await assertMigrated(here, directory);
  add('20260102000000_next');
  await expect(assertMigrated(here, directory)).rejects.toThrow(
    /^The database of \S+ lacks the migration 20260102000000_next\.$/,
  );
  await migrate({ databaseUrl: ground.url, directory });
  await assertMigrated(here, directory);
});

test('a database that refuses is not waited for', async () => {
  const begun = performance.now();
  await expect(assertMigrated(elsewhere({ password: 'wrong' }), directory)).rejects.toThrow(
    /^The database refuses: password authentication failed for user "\w+"\.$/,
  );
  await expect(assertMigrated(elsewhere({ pathname: '/nowhere' }), directory)).rejects.toThrow(
    'The database refuses: database "nowhere" does not exist.',
  );
  expect(performance.now() - begun).toBeLessThan(5_000);
});

test('a database that does not answer is waited for, and no longer than that', async () => {
  const port = await freePort();
  const begun = performance.now();
  await expect(assertMigrated(elsewhere({ port }), directory, 1_200)).rejects.toThrow(
    `The database does not answer: connect ECONNREFUSED 127.0.0.1:${port}.`,
  );
  expect(performance.now() - begun).toBeGreaterThanOrEqual(1_200);
});

test('a database that comes late is used', async () => {
  const port = await freePort();
  const target = Number(new URL(ground.url).port);
  const proxy = createServer((socket) => {
    const other = connect(target, '127.0.0.1');
    socket.pipe(other).pipe(socket);
    for (const end of [socket, other]) end.on('error', () => undefined);
  });
  setTimeout(() => proxy.listen(port, '127.0.0.1'), 700);
  await assertMigrated(elsewhere({ port }), directory, 20_000);
  proxy.close();
});
