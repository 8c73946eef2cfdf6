import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { checkAccess, migrate } from '@suite/migrations';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { temporaryDirectory } from '../fixtures/programs.ts';
import { checkPorts } from '../ports.ts';
import { createServiceDatabase, startNats, startPostgres } from './servers.ts';

const place = temporaryDirectory();
const port = 8_000 + Math.floor(Math.random() * 900);
const directory = `${place.path}/postgres`;

jest.setTimeout(120_000);

async function ask(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(statement)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

beforeAll(() => checkPorts([{ port, wanted_by: 'this test' }], 0));
afterAll(() => place.remove());

describe('PostgreSQL', () => {
  test('is durable, recovers from kill -9, and ignores a pid of another process', async () => {
    let server = await startPostgres({ directory, port });
    const settings =
      "select current_setting('fsync') f, current_setting('data_checksums') c, current_setting('timezone') z";
    expect(await ask(server.adminUrl, settings)).toEqual([{ f: 'on', c: 'on', z: 'UTC' }]);
    await ask(server.adminUrl, 'create table kept (word text)');
    await ask(server.adminUrl, "insert into kept values ('safe')");
    process.kill(server.pid, 'SIGKILL');
    await server.exited;
    server = await startPostgres({ directory, port });
    expect(await ask(server.adminUrl, 'select word from kept')).toEqual([{ word: 'safe' }]);
    await server.stop();
    writeFileSync(`${directory}/data/postmaster.pid`, `${process.pid}\n${directory}/data\n`);
    server = await startPostgres({ directory, port });
    expect(await ask(server.adminUrl, 'select word from kept')).toEqual([{ word: 'safe' }]);
    await expect(startPostgres({ directory: `${place.path}/other`, port, fast: true })).rejects.toThrow(
      'already in use',
    );
    await server.stop();
  });

  test('ends a server that an earlier run left on its files', async () => {
    const left = await startPostgres({ directory, port });
    const server = await startPostgres({ directory, port });
    expect(server.pid).not.toBe(left.pid);
    expect(await left.exited).toEqual({ code: 0, signal: null });
    await server.stop();
  });

  test('creates a database per service that no other service can access', async () => {
    const server = await startPostgres({ directory, port });
    const make = (name: string) => createServiceDatabase(server.adminUrl, { name, password: 'p:@/ss' });
    const [crm] = await Promise.all([make('crm'), make('platform'), make('crm')]);
    const limits =
      "select current_setting('statement_timeout') s, current_setting('lock_timeout') l, pg_has_role('suite_confined', 'MEMBER') m";
    const limited = { s: '15s', l: '2s' };
    expect(await ask(crm, limits)).toEqual([{ ...limited, m: false }]);
    expect(await ask(crm.replace('//crm', '//crm_requests'), limits)).toEqual([{ ...limited, m: true }]);
    await expect(ask(crm.replace(/crm$/, 'platform'), 'select 1')).rejects.toThrow('permission denied for database');
    await server.stop();
  });
});

describe('a database', () => {
  test('gets the new owner role and keeps its content after an upgrade', async () => {
    const server = await startPostgres({ directory, port });
    await ask(server.adminUrl, `CREATE ROLE old LOGIN PASSWORD 'old'; GRANT suite_confined TO old`);
    await ask(server.adminUrl, 'CREATE DATABASE old OWNER old');
    const before = Object.assign(new URL(server.adminUrl), { username: 'old', password: 'old', pathname: 'old' }).href;
    await ask(
      before,
      `CREATE TABLE notes (workspace_id uuid, text text); INSERT INTO notes VALUES (gen_random_uuid(), 'kept');
       CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1'; CREATE TYPE mood AS ENUM ('fine')`,
    );
    const url = await createServiceDatabase(server.adminUrl, { name: 'old', password: 'new' });
    await migrate({ databaseUrl: url, directory: place.path });
    expect(await ask(url, 'SELECT text FROM notes')).toEqual([{ text: 'kept' }]);
    const owned = `SELECT FROM pg_shdepend WHERE refobjid = 'old'::regrole AND deptype = 'o'`;
    expect(await ask(url, owned)).toEqual([]);
    expect(await checkAccess(url, url.replace('//old', '//old_requests'))).toEqual({ problem: null, warnings: [] });
    await server.stop();
  });

  test('accepts the set-up statements in docs/operating.md', async () => {
    rmSync(`${place.path}/another`, { recursive: true, force: true });
    const server = await startPostgres({ directory: `${place.path}/another`, port });
    const guide = readFileSync(new URL('../../../../docs/operating.md', import.meta.url), 'utf8');
    const [, statements = ''] = /```sql\n([\s\S]*?)```/.exec(guide) ?? [];
    const [outside = '', inside = ''] = statements.split('\\connect crm\n');
    for (const statement of outside.split(/;.*\n/).filter((text) => text.trim())) await ask(server.adminUrl, statement);
    await ask(Object.assign(new URL(server.adminUrl), { pathname: 'crm' }).href, inside);
    const [url, requests] = ['crm', 'crm_requests'].map(
      (username) => Object.assign(new URL(server.adminUrl), { username, password: 'secret', pathname: 'crm' }).href,
    );
    await migrate({ databaseUrl: url!, directory: place.path });
    expect(await checkAccess(url!, requests!)).toEqual({ problem: null, warnings: [] });
    await server.stop();
  });
});

describe('NATS', () => {
  test('serves JetStream, recovers from kill -9, and reports why it does not start', async () => {
    let server = await startNats({ directory: `${place.path}/nats`, port });
    process.kill(server.pid, 'SIGKILL');
    await server.exited;
    server = await startNats({ directory: `${place.path}/nats`, port });
    expect(readFileSync(`${place.path}/nats/nats.conf`, 'utf8')).toContain(`listen: "127.0.0.1:${port}"`);
    const other = startNats({ directory: `${place.path}/other-nats`, port });
    await expect(other).rejects.toThrow('address already in use');
    await server.stop();
  });
});
