/** Tests, generated from the tables, that the database alone confines requests to their workspace. */
import { describe, expect, test } from '@jest/globals';
import { requestsUrl } from '@suite/chassis/testing';
import { checkAccess } from '@suite/migrations';
import pg from 'pg';
import type { Serving } from '../start.ts';

interface Table {
  name: string;
  is_forced: boolean;
  owner: string;
  owner_logs_in: boolean;
}

const tablesOf = ({ sql }: Serving): Promise<Table[]> => sql<Table>`
  SELECT relname AS name, relrowsecurity AND relforcerowsecurity AS is_forced, rolname AS owner, rolcanlogin AS owner_logs_in
  FROM pg_class JOIN pg_roles ON pg_roles.oid = relowner
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY relname`;

/** Returns the rows that the request login gets after a first statement, or the SQLSTATE of the error. */
async function withLogin(serving: Serving, first: string, statement: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: requestsUrl({ DATABASE_URL: serving.database_url }) });
  await client.connect();
  try {
    await client.query(first);
    return (await client.query(statement)).rows;
  } catch (error) {
    return (error as pg.DatabaseError).code;
  } finally {
    await client.end();
  }
}

const NOT_ALLOWED = '42501';

export function confinement(serving: Serving): void {
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
        for (const { name } of tables)
          expect([name, await withLogin(serving, first, `SELECT FROM ${name}`)]).toEqual([name, NOT_ALLOWED]);
      }
      for (const role of [owner, `${owner}_owner`, 'suite_everywhere', 'postgres'])
        expect(await withLogin(serving, `SET ROLE ${role}`, 'SELECT')).toBe(NOT_ALLOWED);
      expect(await withLogin(serving, 'SELECT', `SELECT set_config('role', 'suite_confined', false)`)).toBe(
        NOT_ALLOWED,
      );
      expect(await withLogin(serving, 'SELECT', 'CREATE TABLE public.mine (x int)')).toBe(NOT_ALLOWED);
      expect(await withLogin(serving, 'SELECT', 'CREATE TEMPORARY TABLE mine (x int)')).toBe(NOT_ALLOWED);
    });

    test('shows no row of a workspace table to a transaction without a workspace', async () => {
      const with_workspaces = await serving.sql<{ name: string }>`
        SELECT relname AS name FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'workspace_id'
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`;
      const nobodys = `SET ROLE suite_confined; SET suite.workspace_id = '00000000-0000-4000-8000-000000000000'`;
      for (const { name } of with_workspaces) {
        const found = await withLogin(serving, nobodys, `SELECT * FROM ${name}`);
        expect([name, found]).toEqual([name, found === NOT_ALLOWED ? NOT_ALLOWED : []]);
      }
    });
  });
}
