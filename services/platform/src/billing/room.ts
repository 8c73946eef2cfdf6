/** Whether a plan has room for what a workspace has. */
import { sql, withinWorkspace } from '@suite/chassis';
import { showPending } from '../accounts/user.ts';
import type { Db, Read, Rpc } from '../operations.ts';
import { PlanLimitExceeded } from './subscription.rules.ts';

export interface Means {
  read: Read;
  /** The other services, in a workspace. */
  rpcIn(workspace_id: string): Rpc;
}

/** The plan that a workspace has, and the one that it is to have. */
interface Step {
  from: string;
  to: string;
}

const BYTES_OF_MB = 1_048_576;

/** Everybody who has a seat, and those whom another service is making. */
const countUsers = (db: Db, workspace_id: string): Promise<number> =>
  withinWorkspace(workspace_id, async () => {
    await showPending();
    const [counted] = await db.rows<{ used: number }>(sql`
      SELECT count(*) AS used FROM users WHERE kind IN ('owner', 'staff') AND status IN ('invited', 'active', 'pending')`);
    return counted!.used;
  });

/** The files of all services, as each has reported them last, in megabytes that were begun. */
const countStorage = (db: Db, workspace_id: string): Promise<number> =>
  withinWorkspace(workspace_id, async () => {
    const [counted] = await db.rows<{ used: number }>(sql`
      SELECT ceil(coalesce(sum(bytes), 0) / ${BYTES_OF_MB})::int AS used FROM storage_uses
      WHERE workspace_id = ${workspace_id}::uuid`);
    return counted!.used;
  });

/** The limits of plans, and how much of each a workspace has; customers are counted by finance. */
const usesOf = ({ read, rpcIn }: Means, workspace_id: string) => [
  {
    limit: 'users',
    column: 'user_limit' as const,
    count: () => read((db) => countUsers(db, workspace_id)),
  },
  {
    limit: 'customers',
    column: 'customer_limit' as const,
    count: async () => (await rpcIn(workspace_id).finance.getCustomerCount({})).customers,
  },
  {
    limit: 'storage_mb',
    column: 'storage_limit_mb' as const,
    count: () => read((db) => countStorage(db, workspace_id)),
  },
];

/** Whether a plan allows less than the one before; null is no limit. */
const isLess = (allowed: number | null, before: number | null): allowed is number =>
  allowed !== null && (before === null || allowed < before);

/**
 * Refuses a plan that allows less of something than the plan before, and less than there is. Of what was too much before, a plan
 * that allows as much or more of it is refused to nobody.
 * @throws PlanLimitExceeded
 */
export async function assertRoom(means: Means, workspace_id: string, { from, to }: Step): Promise<void> {
  const planOf = (code: string) => means.read((db) => db.plan.findFirstOrThrow({ where: { code } }));
  const [before, after] = [await planOf(from), await planOf(to)];
  for (const { limit, column, count } of usesOf(means, workspace_id)) {
    const allowed = after[column];
    if (!isLess(allowed, before[column])) continue;
    const used = await count();
    if (used > allowed) throw PlanLimitExceeded({ limit, allowed, used });
  }
}
