/** Whether a plan has room for what a workspace has. */
import { sql, withinWorkspace } from '@suite/chassis';
import type { Db, Read, Rpc } from '../operations.ts';
import { PlanLimitExceeded } from './subscription.rules.ts';

export interface Means {
  read: Read;
  /** The other services, in a workspace. */
  rpcIn(workspace_id: string): Rpc;
}

interface PlanLimits {
  user_limit: number | null;
  customer_limit: number | null;
}

const countUsers = (db: Db, workspace_id: string): Promise<number> =>
  withinWorkspace(workspace_id, async () => {
    const [counted] = await db.rows<{ used: number }>(sql`
      SELECT count(*) AS used FROM users WHERE kind IN ('owner', 'staff') AND status IN ('invited', 'active')`);
    return counted!.used;
  });

function assertAtMost(limit: string, allowed: number, used: number): void {
  if (used > allowed) throw PlanLimitExceeded({ limit, allowed, used });
}

/**
 * Refuses a plan that allows fewer users or customers than there are; customers are counted by finance. Of files, each service
 * refuses more by itself.
 * @throws PlanLimitExceeded
 */
export async function assertRoom({ read, rpcIn }: Means, workspace_id: string, plan: string): Promise<void> {
  const { user_limit, customer_limit }: PlanLimits = await read((db) =>
    db.plan.findFirstOrThrow({ where: { code: plan } }),
  );
  if (user_limit !== null) {
    assertAtMost('users', user_limit, await read((db) => countUsers(db, workspace_id)));
  }
  if (customer_limit !== null) {
    const { customers } = await rpcIn(workspace_id).finance.getCustomerCount({});
    assertAtMost('customers', customer_limit, customers);
  }
}
