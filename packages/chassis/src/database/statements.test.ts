import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { machineryTables } from '@suite/migrations';
import pg from 'pg';
import { statementName, wordsIn } from './statements.ts';

test('finds the tables of a statement, however they are written', () => {
  const words = wordsIn(
    'SELECT count(*) FROM Leads JOIN "public"."lead_users" AS link ON link.lead_id = leads.id, deals',
  );
  expect([...words]).toEqual(expect.arrayContaining(['leads', 'lead_users', 'deals']));
});

test.each([
  ['a function of the suite', 'SELECT ledger_hash(entry) FROM leads'],
  ['a function that runs a text', `SELECT query_to_xml('SELECT * FROM leads', true, true, '')`],
  ['a quoted function', 'SELECT "salary_of"(id) FROM leads'],
  ['a function in a schema', 'SELECT public.salary_of (id) FROM leads'],
  ['a table of the machinery', 'SELECT * FROM journal_changes'],
  ['a table of PostgreSQL', 'SELECT * FROM pg_stats'],
  ['a name in an escape', String.raw`SELECT * FROM U&"\0073alaries"`],
])('does not guess the tables of a statement with %s', (_, text) => {
  expect(wordsIn(text)).toBe('unknown');
});

test('recognises every internal table', () => {
  expect(machineryTables).toEqual(expect.arrayContaining(['journal', 'rpc_keys', 'journal_changes', 'turns']));
  for (const table of machineryTables) expect([table, wordsIn(`SELECT * FROM ${table}`)]).toEqual([table, 'unknown']);
});

describe('the name of a prepared statement', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** Requests a statement often enough for it to be prepared. */
  const ask = (pool: pg.Pool, text: string) => Array.from({ length: 20 }, () => statementName(pool, text)).at(-1);

  test('is assigned only to a recurring statement', () => {
    const pool = new pg.Pool();
    expect(statementName(pool, 'SELECT 1')).toBeUndefined();
    expect(ask(pool, 'SELECT 1')).toBe('suite_1');
    expect(statementName(pool, 'SELECT 1')).toBe('suite_1');
    expect(statementName(pool, 'SELECT 2')).toBeUndefined();
  });

  test('is freed by idle statements for recurring ones, and never reused', () => {
    const pool = new pg.Pool();
    const now = jest.spyOn(performance, 'now').mockReturnValue(1_000);
    for (let n = 1; n <= 200; n += 1) ask(pool, `SELECT ${n}`);
    expect(ask(pool, 'SELECT late')).toBeUndefined();
    now.mockReturnValue(1_000 + 61_000);
    expect(statementName(pool, 'SELECT 7')).toBe('suite_7');
    expect(ask(pool, 'SELECT late')).toBe('suite_201');
    expect(statementName(pool, 'SELECT 7')).toBe('suite_7');
    expect(ask(pool, 'SELECT 8')).toBe('suite_202');
  });
});
