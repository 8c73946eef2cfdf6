/** Checks that a plan has room for a workspace's usage. */
import { sql, runInWorkspace } from '@suite/chassis/database';
import { showPending } from '../../identity/accounts/user.ts';
import type { Db, Read, Rpc } from '../../operations.ts';
import { PlanLimitExceeded } from './subscription.rules.ts';

export interface LimitContext {
  read: Read;
  /** Returns the clients of the other services for a workspace. */
  rpcIn(workspace_id: string): Rpc;
}

/** Current plan and new plan of a workspace. */
interface PlanChange {
  from: string;
  to: string;
}

const BYTES_PER_MB = 1_048_576;

/** Counts all users with a seat, and users that another service is creating. */
const countUsers = (db: Db, workspace_id: string): Promise<number> =>
  runInWorkspace(workspace_id, async () => {
    await showPending();
    const [counted] = await db.rows<{ used: number }>(sql`
      SELECT count(*) AS used FROM users WHERE kind IN ('owner', 'staff') AND status IN ('invited', 'active', 'pending')`);
    return counted!.used;
  });

/** Returns the storage used by all services, by their latest reports, rounded up to whole megabytes. */
const countStorage = (db: Db, workspace_id: string): Promise<number> =>
  runInWorkspace(workspace_id, async () => {
    const [counted] = await db.rows<{ used: number }>(sql`
      SELECT ceil(coalesce(sum(bytes), 0) / ${BYTES_PER_MB})::int AS used FROM storage_uses
      WHERE workspace_id = ${workspace_id}::uuid`);
    return counted!.used;
  });

/** Returns the limits of plans and the current usage of a workspace. Finance counts the customers. */
const usageOf = ({ read, rpcIn }: LimitContext, workspace_id: string) => [
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

/** Returns true if a plan allows less than the one before. Null means no limit. */
const isLess = (allowed: number | null, before: number | null): allowed is number =>
  allowed !== null && (before === null || allowed < before);

/**
 * Rejects a plan whose limit is lower than the previous plan's and lower than the current usage. Usage that already
 * exceeds the limit never prevents a plan that allows as much or more.
 * @throws PlanLimitExceeded
 */
export async function assertWithinLimits(
  context: LimitContext,
  workspace_id: string,
  { from, to }: PlanChange,
): Promise<void> {
  const planOf = (code: string) => context.read((db) => db.plan.findFirstOrThrow({ where: { code } }));
  const [before, after] = [await planOf(from), await planOf(to)];
  for (const { limit, column, count } of usageOf(context, workspace_id)) {
    const allowed = after[column];
    if (!isLess(allowed, before[column])) continue;
    const used = await count();
    if (used > allowed) throw PlanLimitExceeded({ limit, allowed, used });
  }
}
