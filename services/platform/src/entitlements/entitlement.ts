/** Entitlements: the modules and limits that a workspace has at present. Others are told when they change. */
import { type Emit, type Sql, sql } from '@suite/chassis';
import { WorkspaceEntitlementsChanged } from '@suite/proto/platform/v1/events';
import type { Db } from '../operations.ts';
import { type Circumstances, entitled, type PaidFor } from './entitlement.rules.ts';

/** How much of something a workspace may have; null is no limit. */
export interface Limits {
  users: number | null;
  customers: number | null;
  storage_mb: number | null;
  api_rpm: number | null;
}

/**
 * Joins `plans` to `workspaces`: the plan that counts at this instant, or null where none does. It goes by time as well, so
 * that nobody has a plan for longer because a schedule is late.
 */
export const planThatCounts = (now: Date): Sql => sql`
  JOIN entitlements ON entitlements.workspace_id = workspaces.id
  LEFT JOIN plans ON plans.code = CASE WHEN entitlements.until <= ${now}
    THEN (SELECT fallback_plan FROM plan_settings) ELSE entitlements.plan_code END`;

/** The modules of the plan that counts; needs `planThatCounts`. */
export const MODULES_THAT_COUNT: Sql = sql`coalesce(plans.modules, '{}')`;

/** The code of the plan that a workspace had last: that of its last subscription that has begun, else the one that it was given. */
const lastPlan = (workspace_id: Sql): Sql => sql`coalesce(
  (SELECT plan_code FROM subscriptions AS last WHERE last.workspace_id = ${workspace_id}
    AND last.status NOT IN ('incomplete', 'incomplete_expired')
    ORDER BY last.status = 'canceled', last.created_at DESC, last.id DESC LIMIT 1),
  (SELECT plan_code FROM workspaces AS given WHERE given.id = ${workspace_id}))`;

/**
 * The limits of the plan that counts; needs `planThatCounts`.
 * Chosen: without a plan, people may be replaced within the limit that the last plan had, since users are among what remains;
 * nobody fills up a workspace while it pays nothing. Nothing else may be added, and requests are limited as everybody's.
 */
const limitsOf = (workspace_id: Sql): Sql => sql`
  CASE WHEN plans.code IS NULL THEN jsonb_build_object(
      'users', (SELECT user_limit FROM plans AS before WHERE before.code = ${lastPlan(workspace_id)}),
      'customers', 0, 'storage_mb', 0, 'api_rpm', NULL)
    ELSE jsonb_build_object('users', plans.user_limit, 'customers', plans.customer_limit, 'storage_mb', plans.storage_limit_mb,
      'api_rpm', plans.api_rpm_limit) END`;

/** The limits that count for `workspaces`, in a statement that joins `planThatCounts`. */
export const LIMITS_THAT_COUNT: Sql = limitsOf(sql`workspaces.id`);

/** An absent field is no limit, in messages. */
export const limitsMessage = (limits: Limits) => ({
  users: limits.users ?? undefined,
  customers: limits.customers ?? undefined,
  storage_mb: limits.storage_mb ?? undefined,
  api_rpm: limits.api_rpm ?? undefined,
});

/** As many subscriptions as any workspace has that are not over, and the last ones that are. */
const SUBSCRIPTIONS = 20;

async function circumstancesOf(db: Db, workspace_id: string): Promise<Circumstances> {
  const [found] = await db.rows<Omit<Circumstances, 'subscriptions'> & { plan_given_at: string | null }>(sql`
    SELECT status = 'active' AS is_open, plan_code AS given_plan, trial_ends_at, plan_given_at, fallback_plan, grace_days
    FROM workspaces CROSS JOIN plan_settings WHERE workspaces.id = ${workspace_id}::uuid`);
  if (!found) throw new Error('Entitlements are those of the workspace of the transaction.');
  const { plan_given_at, ...rest } = found;
  const subscriptions = await db.rows<PaidFor>(sql`
    SELECT plan_code, status, past_due_since, cancel_at_period_end, current_period_end
    FROM subscriptions WHERE workspace_id = ${workspace_id}::uuid AND NOT (
      status IN ('canceled', 'incomplete_expired') AND coalesce(ended_at, canceled_at, updated_at) < ${plan_given_at}::timestamptz IS TRUE)
    ORDER BY status = 'incomplete_expired', status = 'canceled', created_at DESC, id DESC LIMIT ${SUBSCRIPTIONS}`);
  return { ...rest, subscriptions };
}

/**
 * Computes what the workspace may use now, and announces it if modules or limits differ from what was announced last. Asked in
 * the transaction of whatever may change it: a subscription, the plan, the trial, suspension. Serialized by a lock on the row of
 * the workspace's entitlements, so it sees what others have changed before.
 * @returns whether something differs
 */
export async function refreshEntitlements(
  { db, emit }: { db: Db; emit: Emit },
  workspace_id: string,
  now: Date,
): Promise<boolean> {
  await db.rows(sql`INSERT INTO entitlements (workspace_id) VALUES (${workspace_id}::uuid) ON CONFLICT DO NOTHING`);
  await db.rows(sql`SELECT FROM entitlements WHERE workspace_id = ${workspace_id}::uuid FOR UPDATE`);
  const { plan_code, status, until } = entitled(await circumstancesOf(db, workspace_id), now);
  const [written] = await db.rows<{ modules: string[]; limits: Limits; differs: boolean }>(sql`
    WITH before AS (SELECT modules, limits FROM entitlements WHERE workspace_id = ${workspace_id}::uuid)
    UPDATE entitlements SET plan_code = granted.plan_code, status = ${status}, until = ${until}::timestamptz,
      modules = granted.modules, limits = granted.limits
    FROM before CROSS JOIN (
      SELECT plans.code AS plan_code, ${MODULES_THAT_COUNT} AS modules, ${limitsOf(sql`${workspace_id}::uuid`)} AS limits
      FROM (SELECT ${plan_code}::text AS code) AS wanted LEFT JOIN plans ON plans.code = wanted.code) AS granted
    WHERE entitlements.workspace_id = ${workspace_id}::uuid
    RETURNING entitlements.modules, entitlements.limits,
      (before.modules, before.limits) IS DISTINCT FROM (granted.modules, granted.limits) AS differs`);
  const { modules, limits, differs } = written!;
  if (differs) emit(WorkspaceEntitlementsChanged, { workspace_id, modules, limits: limitsMessage(limits) });
  return differs;
}
