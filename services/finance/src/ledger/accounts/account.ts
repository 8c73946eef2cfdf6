/** Look-up of ledger accounts. */
import { type Sql, sql } from '@suite/chassis/database';
import type { Db } from '../../operations.ts';
import type { SystemRole } from '../books/seeded-chart.ts';

/** Returns SQL for the account of a role. Of several banks, the first by code. */
export const accountOfRole = (role: SystemRole): Sql => sql`
  SELECT id FROM gl_accounts WHERE system_role = ${role} AND active ORDER BY code LIMIT 1`;

/** Account IDs by role. */
export type RoleAccounts = ReadonlyMap<SystemRole, string>;

/** Returns the existing accounts for uses of the suite. If there are several banks, returns the first by code. */
export async function findAccountsByRole(db: Db, searchedRoles: readonly SystemRole[]): Promise<RoleAccounts> {
  const rows = await db.rows<{ system_role: SystemRole; id: string }>(sql`
    SELECT DISTINCT ON (system_role) system_role, id FROM gl_accounts
    WHERE system_role = ANY(${searchedRoles}::text[]) AND active ORDER BY system_role, code`);
  return new Map(rows.map(({ system_role, id }) => [system_role, id]));
}

/**
 * Returns the account for a role. @throws an Error if it is missing: every workspace has these accounts from the start,
 * and they cannot be deleted
 */
export function accountFor(role: SystemRole, accounts: RoleAccounts): string {
  const id = accounts.get(role);
  if (!id) throw new Error(`The workspace has no account for ${role}.`);
  return id;
}

/** Returns the accounts of the given roles. @throws an Error if one is missing */
export async function accountsByRole(db: Db, roles: readonly SystemRole[]): Promise<RoleAccounts> {
  const searchedRoles = [...new Set(roles)];
  const found = searchedRoles.length > 0 ? await findAccountsByRole(db, searchedRoles) : new Map();
  for (const role of searchedRoles) accountFor(role, found);
  return found;
}
