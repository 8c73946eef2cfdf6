/** The limit of a plan on customers: how many may be active at a time. */
import { type Caller, PlanLimit, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';

/**
 * Makes sure that the plan has room for one more active customer. Whoever else adds one meanwhile waits, and then counts it.
 * Workspaces without this limit neither count nor wait.
 * @param returning the customer who is to be active again, and may be so already
 * @throws PlanLimit
 */
export async function assertRoomForCustomer(
  db: Db,
  caller: Caller | null,
  returning: string | null = null,
): Promise<void> {
  const allowed = caller?.limits?.customers;
  if (allowed === undefined) return;
  await db.rows(sql`
    SELECT pg_advisory_xact_lock(hashtextextended(current_setting('suite.workspace_id') || ' customers', 0))::text`);
  // No more are counted than it takes: beyond a limit that became smaller, all that matters is that there is no room.
  const [found] = await db.rows<{ used: number }>(sql`
    SELECT count(*)::int AS used FROM (
      SELECT FROM customers WHERE active AND id IS DISTINCT FROM ${returning}::uuid LIMIT ${allowed}) AS counted`);
  if (found!.used >= allowed) throw PlanLimit({ limit: 'customers', allowed, used: await countActiveCustomers(db) });
}

/** How many customers are active. */
export async function countActiveCustomers(db: Db): Promise<number> {
  const [found] = await db.rows<{ used: number }>(sql`SELECT count(*)::int AS used FROM customers WHERE active`);
  return found!.used;
}
