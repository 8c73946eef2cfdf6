/** Accounts of the ledger, as rules look them up. */
import { type Sql, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';
import type { SystemRole } from '../books/seeded-chart.ts';

/** The account that the suite uses for something, in SQL; the first by code, where there are several banks. */
export const accountOfRole = (role: SystemRole): Sql => sql`
  SELECT id FROM gl_accounts WHERE system_role = ${role} AND active ORDER BY code LIMIT 1`;

/** The ids of accounts by what the suite uses them for. */
export type RoleAccounts = ReadonlyMap<SystemRole, string>;

/** The accounts that the suite uses for something, as far as they are there; the first by code, where there are several banks. */
export async function findAccountsByRole(db: Db, wanted: readonly SystemRole[]): Promise<RoleAccounts> {
  const rows = await db.rows<{ system_role: SystemRole; id: string }>(sql`
    SELECT DISTINCT ON (system_role) system_role, id FROM gl_accounts
    WHERE system_role = ANY(${wanted}::text[]) AND active ORDER BY system_role, code`);
  return new Map(rows.map(({ system_role, id }) => [system_role, id]));
}

/** One of these accounts. @throws an Error when it is missing: every workspace has them from the start, and they cannot be deleted */
export function accountFor(role: SystemRole, accounts: RoleAccounts): string {
  const id = accounts.get(role);
  if (!id) throw new Error(`The workspace has no account for ${role}.`);
  return id;
}

/** The accounts that the suite uses for something. @throws an Error when one is missing */
export async function accountsByRole(db: Db, roles: readonly SystemRole[]): Promise<RoleAccounts> {
  const wanted = [...new Set(roles)];
  const found = wanted.length > 0 ? await findAccountsByRole(db, wanted) : new Map();
  for (const role of wanted) accountFor(role, found);
  return found;
}
