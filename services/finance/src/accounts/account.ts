/** Accounts of the ledger, as rules look them up. */
import { type Sql, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';
import type { SystemRole } from '../books/seeded-chart.ts';

/** The account that the suite uses for something, in SQL; the first by code, where there are several banks. */
export const accountOfRole = (role: SystemRole): Sql => sql`
  SELECT id FROM gl_accounts WHERE system_role = ${role} AND active ORDER BY code LIMIT 1`;

/**
 * The ids of the accounts that the suite uses for something; the first by code, where there are several banks.
 * @throws an Error when one is missing: every workspace has them from the start, and they cannot be deleted
 */
export async function accountsByRole(db: Db, roles: readonly SystemRole[]): Promise<Map<SystemRole, string>> {
  const wanted = [...new Set(roles)];
  if (wanted.length === 0) return new Map();
  const rows = await db.rows<{ system_role: SystemRole; id: string }>(sql`
    SELECT DISTINCT ON (system_role) system_role, id FROM gl_accounts
    WHERE system_role = ANY(${wanted}::text[]) AND active ORDER BY system_role, code`);
  const found = new Map(rows.map(({ system_role, id }) => [system_role, id]));
  const missing = wanted.find((role) => !found.has(role));
  if (missing) throw new Error(`The workspace has no account for ${missing}.`);
  return found;
}
