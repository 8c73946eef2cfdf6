import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { addMigration as addMigrationTo, query as askTarget, targetOfEachTest } from '../test/target.ts';
import { migrate } from './migrate.ts';

const target = targetOfEachTest();
const ask = (statement: string, first?: string) => askTarget(target, statement, first);
const addMigration = (folder: string, sql: string) => addMigrationTo(target, folder, sql);

describe('a table with a search column', () => {
  const TABLE = 'CREATE TABLE words (id uuid DEFAULT gen_random_uuid(), workspace_id uuid, search tsvector);';
  const [large, small] = [randomUUID(), randomUUID()];
  const within = (workspace_id: string) => `SET ROLE suite_confined; SET suite.workspace_id = '${workspace_id}'`;
  const found = async (workspace_id: string, typed: string) => {
    const [row] = await ask(`SELECT count(*)::int FROM suite_search('words', '${typed}')`, within(workspace_id));
    return row!['count'];
  };

  beforeEach(async () => {
    await migrate(target);
    addMigration('20260101000000_words', TABLE);
    await migrate(target);
    await ask(`INSERT INTO words (workspace_id, search) SELECT '${large}', to_tsvector('simple', 'apple ' || n)
      FROM generate_series(1, 600) AS n; INSERT INTO words (workspace_id, search) VALUES ('${small}', 'apple')`);
  });

  test('finds words by their beginning, in large and small workspaces', async () => {
    expect([await found(large, 'app'), await found(large, 'app 599'), await found(large, 'pear')]).toEqual([600, 1, 0]);
    expect([await found(small, 'APP'), await found(small, '599')]).toEqual([1, 0]);
  });

  test('returns the newest matches of a frequent word, and all matches of a rare one', async () => {
    const newest = (typed: string, most: number, workspace_id = large) =>
      ask(`SELECT suite_search_newest('words', '${typed}', ${most}) AS id`, within(workspace_id));
    const allOf = (typed: string) => ask(`SELECT suite_search('words', '${typed}') AS id`, within(large));
    expect(await newest('apple', 5)).toEqual((await allOf('apple')).slice(0, 5));
    expect(await newest('apple 59', 20)).toHaveLength(11);
    expect(await newest('apple 5', 20)).toEqual((await allOf('apple 5')).slice(0, 20));
    expect(await newest('apple', 5, small)).toHaveLength(1);
    expect(await newest('pear', 5)).toEqual([]);
  });

  test('returns all of a few matches, and a null for too many', async () => {
    const few = async (typed: string, most: number, workspace_id = large) => {
      const rows = await ask(`SELECT suite_search_few('words', '${typed}', ${most}) AS id`, within(workspace_id));
      return rows.some(({ id }) => id === null) ? rows : rows.length;
    };
    expect([await few('apple', 600), await few('apple 59', 11)]).toEqual([600, 11]);
    expect([await few('apple', 1, small), await few('pear', 5)]).toEqual([1, 0]);
    expect(await few('apple', 599)).toEqual([{ id: null }]);
  });

  test('uses a new search function as soon as it exists', async () => {
    await ask(`CREATE OR REPLACE FUNCTION suite_search_words(typed text) RETURNS SETOF uuid LANGUAGE sql
      AS 'SELECT NULL::uuid WHERE FALSE'; DELETE FROM _suite_foundation`);
    expect(await found(large, 'apple')).toBe(0);
    expect(await migrate(target)).toEqual(['foundation']);
    expect(await found(large, 'apple')).toBe(600);
  });

  test('cannot be searched past its policies', async () => {
    await expect(ask("SELECT suite_search_words('apple')", within(small))).rejects.toThrow('permission denied');
  });
});

describe('a table with a search index on an expression', () => {
  const workspace_id = randomUUID();
  const within = `SET ROLE suite_confined; SET suite.workspace_id = '${workspace_id}'`;

  test('is searched by its texts, without a column', async () => {
    await migrate(target);
    addMigration(
      '20260101000000_documents',
      `CREATE EXTENSION IF NOT EXISTS btree_gin;
      CREATE TABLE documents (id uuid DEFAULT gen_random_uuid(), workspace_id uuid, number text, reference text);
      INSERT INTO documents (workspace_id, number, reference) SELECT '${workspace_id}', 'INV-' || n, 'Zoë' FROM generate_series(1, 600) AS n;
      CREATE INDEX documents_search_idx ON documents USING gin (workspace_id, suite_document(coalesce(number, '') || ' ' || coalesce(reference, '')));`,
    );
    await migrate(target);
    const found = async (call: string) => (await ask(`SELECT ${call}`, within)).length;
    expect(await found("suite_search('documents', 'zoe')")).toBe(600);
    expect(await found("suite_search('documents', 'inv-599 zoe')")).toBe(1);
    expect(await found("suite_search_few('documents', 'inv-59', 20)")).toBe(11);
    expect(await found("suite_search_newest('documents', 'zoe', 5)")).toBe(5);
  });
});

describe('text without accents', () => {
  beforeEach(() => migrate(target));
  const plain = async (text: string) => (await ask(`SELECT suite_unaccented('${text}') AS text`))[0]!['text'];

  test('is the same for short and long text', async () => {
    expect(await plain('Größe Ångström cœur Łódź')).toBe('Grosse Angstrom coeur Lodz');
    expect(await plain('Größe '.repeat(1_000))).toBe('Grosse '.repeat(1_000));
  });

  test.each([
    ['marks above and below', '\u0301\u0316', ''],
    ['Hebrew marks', '\u05b8\u0591', '\u05b8'],
  ])('is found for a sequence of 100,000 %s', async (_, marks, rest) => {
    expect(String(await plain(`a${marks.repeat(50_000)}`)).startsWith(`a${rest}`)).toBe(true);
  });
});
