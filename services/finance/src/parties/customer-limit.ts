/** Plan limit on the number of active customers. */
import { sql } from '@suite/chassis/database';
import { PlanLimit } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { Db } from '../operations.ts';

/**
 * Checks that the plan allows one more active customer. Concurrent requests wait and then count the new customer.
 * Workspaces without this limit neither count nor wait.
 * @param returning the customer to be reactivated, who may already be active
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
  // Counts up to the limit only. Above a reduced limit, the exact number does not matter.
  const [found] = await db.rows<{ used: number }>(sql`
    SELECT count(*)::int AS used FROM (
      SELECT FROM customers WHERE active AND id IS DISTINCT FROM ${returning}::uuid LIMIT ${allowed}) AS counted`);
  if (found!.used >= allowed) throw PlanLimit({ limit: 'customers', allowed, used: await countActiveCustomers(db) });
}

/** Counts the active customers. */
export async function countActiveCustomers(db: Db): Promise<number> {
  const [found] = await db.rows<{ used: number }>(sql`SELECT count(*)::int AS used FROM customers WHERE active`);
  return found!.used;
}
