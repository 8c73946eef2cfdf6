/** Injection holes of handlers that omit a parameter. Never write SQL like this test. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { type TransactionContext, type Database, raw, sql } from '@suite/chassis/database';
import { makeCaller, start } from '@suite/testing';
import { notebook } from '../src/notebook.ts';
import type { Db } from '../src/operations.ts';

const service = await start(notebook, { connections: 1 });
const database = service.database as unknown as Database<Db>;
const login = new URL(service.database_url).username;
const [ours, theirs] = [randomUUID(), randomUUID()];
const caller = makeCaller({ workspace: ours, record_scopes: { note: 'own' }, can: ['note.view'] });
const at = (workspace_id: string): TransactionContext => ({
  workspace_id,
  caller,
  operation: 'test',
  request_id: 'test',
});
for (const [workspace_id, title] of [
  [ours, 'ours'],
  [theirs, 'SECRET'],
] as const)
  await database.write({ ...at(workspace_id), caller: null }, (db) => db.note.create({ data: { title } }));

/** Runs a search that is open to injection. */
const search = (db: Db, typed: string) =>
  db.rows<{ title: string }>(sql`SELECT title FROM notes WHERE title = '${raw(typed)}'`);

const ALL = `SELECT title FROM notes`;
const OF_THEIRS = `SET LOCAL suite.workspace_id = '${theirs}'; ${ALL} --`;

const ATTACKS: [string, string][] = [
  ['a condition that always holds', `' OR TRUE --`],
  [
    'every table that can be named',
    `' UNION SELECT envelope::text FROM received_events UNION SELECT data::text FROM journal_events --`,
  ],
  ['the role of the login', `' UNION SELECT title FROM notes, set_config('role', 'none', true) AS left --`],
  ['the role of the login, before anything is read', `' OR set_config('role', 'none', true) = 'none' UNION ${ALL} --`],
  ['the owner', `' UNION SELECT title FROM notes, set_config('role', '${login}_owner', true) AS left --`],
  ['the machinery', `' UNION SELECT title FROM notes, set_config('role', 'suite_everywhere', true) AS left --`],
  [
    'another session',
    `' UNION SELECT title FROM notes, set_config('session_authorization', '${login}', true) AS left --`,
  ],
  [
    'another workspace',
    `' UNION SELECT title FROM notes, set_config('suite.workspace_id', '${theirs}', true) AS left --`,
  ],
  [
    'another workspace, before anything is read',
    `' UNION (WITH moved AS MATERIALIZED (SELECT set_config('suite.workspace_id', '${theirs}', true) AS to)
      SELECT title FROM moved, LATERAL (SELECT title FROM notes WHERE moved.to <> '') AS found) --`,
  ],
  ['row security that is off', `' UNION SELECT title FROM notes, set_config('row_security', 'off', true) AS left --`],
  [
    'the view of all settings',
    `' UNION (WITH s AS (UPDATE pg_settings SET setting = 'none' WHERE name = 'role' RETURNING name) SELECT name FROM s) --`,
  ],
  ['a query in a query', `' UNION SELECT query_to_xml('${ALL}', true, true, '')::text --`],
  [
    'a setting in a query',
    `' UNION SELECT query_to_xml($$SET LOCAL suite.workspace_id = '${theirs}'$$, true, true, '')::text UNION ${ALL} --`,
  ],
  ['a role in a query', `' UNION SELECT query_to_xml('RESET ROLE', true, true, '')::text UNION ${ALL} --`],
  [
    'a call in a query',
    `' UNION SELECT query_to_xml($$SELECT set_config('role', 'none', true)$$, true, true, '')::text UNION ${ALL} --`,
  ],
  [
    'a function of the owner',
    `' UNION SELECT suite_search('notes', 'secret')::text UNION SELECT suite_linked('notes', 'id', 'created_by', '{}')::text --`,
  ],
  ['what others ask at this moment', `' UNION SELECT query FROM pg_stat_activity WHERE query LIKE '%${theirs}%' --`],
  ['what is known of the values', `' UNION SELECT most_common_vals::text FROM pg_stats WHERE tablename = 'notes' --`],
  ['a file', `' UNION SELECT pg_read_file('postgresql.conf') --`],
  ['another connection', `' UNION SELECT * FROM dblink('dbname=postgres', '${ALL}') AS t(title text) --`],
  ['RESET ROLE', `'; RESET ROLE; ${ALL} --`],
  ['SET ROLE NONE', `'; SET LOCAL ROLE NONE; ${ALL} --`],
  ['SET ROLE', `'; SET ROLE "${login}_owner"; ${ALL} --`],
  ['SET SESSION AUTHORIZATION', `'; SET SESSION AUTHORIZATION "${login}"; ${ALL} --`],
  ['row_security', `'; SET LOCAL row_security = off; ${ALL} --`],
  ['a setting', `'; ${OF_THEIRS}`],
  ['DO', `'; DO $$ BEGIN SET LOCAL suite.workspace_id = '${theirs}'; END $$; ${ALL} --`],
  ['ALTER TABLE', `'; ALTER TABLE notes DISABLE ROW LEVEL SECURITY; ${ALL} --`],
  ['a policy', `'; CREATE POLICY mine ON notes USING (true); ${ALL} --`],
  [
    'a user-defined function',
    `'; CREATE FUNCTION mine() RETURNS SETOF text LANGUAGE sql SECURITY DEFINER AS $$ ${ALL} $$; SELECT mine() --`,
  ],
  ['COPY', `'; COPY notes TO PROGRAM 'cat >/tmp/notes'; ${ALL} --`],
  ['an end of the transaction', `'; COMMIT; RESET ROLE; ${ALL} --`],
];

/** Returns all data that an attack reads. */
const loot = (how: 'read' | 'view' | 'write', typed: string): Promise<unknown> =>
  database[how](at(ours), (db: Db) => search(db, typed)).catch(({ message }: Error) => message);

describe.each(['read', 'view', 'write'] as const)('SQL injected into what is done by %s', (how) => {
  test.each(ATTACKS)('cannot access another workspace through %s', async (_, typed) => {
    expect(JSON.stringify(await loot(how, typed))).not.toMatch(new RegExp(`SECRET|${theirs}.*operation`));
    expect(JSON.stringify(await loot(how, `' OR TRUE --`))).not.toContain('SECRET');
  });
});

test('does not send a statement that is neither a query nor a change to rows', async () => {
  for (const text of [OF_THEIRS, 'RESET ROLE', 'COMMIT', `/* */ SET LOCAL ROLE NONE`, 'DO $$ BEGIN END $$']) {
    const sent = database.write(at(ours), (db: Db) => db.rows(sql`${raw(text)}`));
    await expect(sent).rejects.toThrow('Handlers can only read and change rows.');
  }
});

test('the attacks would find data: an internal connection sees it', async () => {
  expect(JSON.stringify(await service.database.pool.query(ALL))).toContain('SECRET');
});
