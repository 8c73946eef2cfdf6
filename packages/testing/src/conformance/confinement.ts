/** Tests, generated from the tables, that the database alone confines requests to their workspace. */
import { describe, expect, test } from '@jest/globals';
import { requestsUrl } from '@suite/chassis/testing';
import { checkAccess } from '@suite/migrations';
import pg from 'pg';
import type { ServiceUnderTest } from '../start.ts';

interface Table {
  name: string;
  is_forced: boolean;
  owner: string;
  owner_logs_in: boolean;
}

const tablesOf = ({ sql }: ServiceUnderTest): Promise<Table[]> => sql<Table>`
  SELECT relname AS name, relrowsecurity AND relforcerowsecurity AS is_forced, rolname AS owner, rolcanlogin AS owner_logs_in
  FROM pg_class JOIN pg_roles ON pg_roles.oid = relowner
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY relname`;

/** Returns the rows that a statement gets, or the SQLSTATE of its error. */
async function resultOf(client: pg.Client, statement: string): Promise<unknown> {
  try {
    return (await client.query(statement)).rows;
  } catch (error) {
    return (error as pg.DatabaseError).code;
  }
}

/**
 * Returns what each statement gets with the request login after a first statement, on one connection. If the first
 * statement fails, its SQLSTATE is the only result.
 */
async function withLogin(serving: ServiceUnderTest, first: string, statements: readonly string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: requestsUrl({ DATABASE_URL: serving.database_url }) });
  await client.connect();
  try {
    const begun = await resultOf(client, first);
    if (typeof begun === 'string') return [begun];
    const results: unknown[] = [];
    for (const statement of statements) results.push(await resultOf(client, statement));
    return results;
  } finally {
    await client.end();
  }
}

const NOT_ALLOWED = '42501';

export function testConfinement(serving: ServiceUnderTest): void {
  describe('the database', () => {
    test('has no findings for its tables and logins', async () => {
      const { database_url } = serving;
      expect(await checkAccess(database_url, requestsUrl({ DATABASE_URL: database_url }))).toEqual({
        problem: null,
        warnings: [],
      });
    });

    test('forces the policies of every table, whose owner cannot log in', async () => {
      const tables = await tablesOf(serving);
      expect(tables.length).toBeGreaterThan(10);
      expect(tables.filter(({ is_forced, owner_logs_in }) => !is_forced || owner_logs_in)).toEqual([]);
      expect(new Set(tables.map(({ owner }) => owner)).size).toBe(1);
    });

    test('denies every table to the login of requests, with any role', async () => {
      const [tables, owner] = [await tablesOf(serving), new URL(serving.database_url).username];
      for (const first of ['SELECT', 'SET ROLE suite_confined; RESET ROLE', 'SET SESSION AUTHORIZATION DEFAULT']) {
        const results = await withLogin(
          serving,
          first,
          tables.map(({ name }) => `SELECT FROM ${name}`),
        );
        expect(tables.map(({ name }, at) => [name, results[at]])).toEqual(
          tables.map(({ name }) => [name, NOT_ALLOWED]),
        );
      }
      for (const role of [owner, `${owner}_owner`, 'suite_everywhere', 'postgres'])
        expect(await withLogin(serving, `SET ROLE ${role}`, ['SELECT'])).toEqual([NOT_ALLOWED]);
      for (const statement of [
        `SELECT set_config('role', 'suite_confined', false)`,
        'CREATE TABLE public.mine (x int)',
        'CREATE TEMPORARY TABLE mine (x int)',
      ])
        expect(await withLogin(serving, 'SELECT', [statement])).toEqual([NOT_ALLOWED]);
    });

    test('shows no row of a workspace table to a transaction without a workspace', async () => {
      const with_workspaces = await serving.sql<{ name: string }>`
        SELECT relname AS name FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'workspace_id'
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`;
      const nobodys = `SET ROLE suite_confined; SET suite.workspace_id = '00000000-0000-4000-8000-000000000000'`;
      const results = await withLogin(
        serving,
        nobodys,
        with_workspaces.map(({ name }) => `SELECT * FROM ${name}`),
      );
      for (const [at, { name }] of with_workspaces.entries())
        expect([name, results[at]]).toEqual([name, results[at] === NOT_ALLOWED ? NOT_ALLOWED : []]);
    });
  });
}
