import { expect, test } from '@jest/globals';
import { machineryTables } from '@suite/migrations';
import { wordsIn } from './statements.ts';

test('the tables of a statement are among its words, however they are written', () => {
  const words = wordsIn(
    'SELECT count(*) FROM Leads JOIN "public"."lead_users" AS link ON link.lead_id = leads.id, deals',
  );
  expect([...words]).toEqual(expect.arrayContaining(['leads', 'lead_users', 'deals']));
});

test.each([
  ['a function of ours', 'SELECT ledger_hash(entry) FROM leads'],
  ['a function that runs a text', `SELECT query_to_xml('SELECT * FROM leads', true, true, '')`],
  ['a quoted function', 'SELECT "salary_of"(id) FROM leads'],
  ['a function in a schema', 'SELECT public.salary_of (id) FROM leads'],
  ['a table of the machinery', 'SELECT * FROM audit_log'],
  ['a table of PostgreSQL', 'SELECT * FROM pg_stats'],
  ['a name in an escape', String.raw`SELECT * FROM U&"\0073alaries"`],
])('what a statement with %s reads is unknown', (_, text) => {
  expect(wordsIn(text)).toBe('unknown');
});

test('every table of the machinery is known as one', () => {
  expect(machineryTables).toEqual(expect.arrayContaining(['outbox', 'rpc_keys', 'audit_log', 'turns']));
  for (const table of machineryTables) expect([table, wordsIn(`SELECT * FROM ${table}`)]).toEqual([table, 'unknown']);
});
