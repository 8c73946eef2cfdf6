/** Entitlements: the modules and limits that a workspace currently has. Changes are published as events. */
import { type Sql, sql } from '@suite/chassis/database';
import type { Emit } from '@suite/chassis/operations';
import { WorkspaceEntitlementsChanged } from '@suite/proto/platform/v1/events';
import type { Db } from '../../operations.ts';
import { type EntitlementBasis, effectivePlan, type SubscriptionTerms } from './entitlement.rules.ts';

/** Limits of a workspace. Null means no limit. */
export interface Limits {
  users: number | null;
  customers: number | null;
  storage_mb: number | null;
  api_rpm: number | null;
}

/**
 * Joins `plans` to `workspaces`: the effective plan at this time, or null without one. Checks the time as well, so that
 * a late schedule extends no plan.
 */
export const joinEffectivePlan = (now: Date): Sql => sql`
  JOIN entitlements ON entitlements.workspace_id = workspaces.id
  LEFT JOIN plans ON plans.code = CASE WHEN entitlements.until <= ${now}
    THEN (SELECT fallback_plan FROM plan_settings) ELSE entitlements.plan_code END`;

/** SQL for the modules of the plan in effect; needs `joinEffectivePlan`. */
export const EFFECTIVE_MODULES: Sql = sql`coalesce(plans.modules, '{}')`;

/** Code of a workspace's last plan: the plan of its last subscription that has begun, or else the assigned plan. */
const lastPlan = (workspace_id: Sql): Sql => sql`coalesce(
  (SELECT plan_code FROM subscriptions AS last WHERE last.workspace_id = ${workspace_id}
    AND last.status NOT IN ('incomplete', 'incomplete_expired')
    ORDER BY last.status = 'canceled', last.created_at DESC, last.id DESC LIMIT 1),
  (SELECT plan_code FROM workspaces AS given WHERE given.id = ${workspace_id}))`;

/**
 * Limits of the effective plan. Requires `joinEffectivePlan`. Chosen: without a plan, users may be replaced within the
 * limit of the last plan, because users remain available. An unpaid workspace cannot grow, though. Nothing else may be
 * added, and the default request limit applies.
 */
const limitsOf = (workspace_id: Sql): Sql => sql`
  CASE WHEN plans.code IS NULL THEN jsonb_build_object(
      'users', (SELECT user_limit FROM plans AS before WHERE before.code = ${lastPlan(workspace_id)}),
      'customers', 0, 'storage_mb', 0, 'api_rpm', NULL)
    ELSE jsonb_build_object('users', plans.user_limit, 'customers', plans.customer_limit, 'storage_mb', plans.storage_limit_mb,
      'api_rpm', plans.api_rpm_limit) END`;

/** SQL for the limits in effect for `workspaces`, in a statement that joins `joinEffectivePlan`. */
export const EFFECTIVE_LIMITS: Sql = limitsOf(sql`workspaces.id`);

/** Converts limits to a message. An absent field means no limit. */
export const limitsMessage = (limits: Limits) => ({
  users: limits.users ?? undefined,
  customers: limits.customers ?? undefined,
  storage_mb: limits.storage_mb ?? undefined,
  api_rpm: limits.api_rpm ?? undefined,
});

/** Maximum number of subscriptions read for a workspace: all running ones, and the latest of the others. */
const SUBSCRIPTIONS_MAX = 20;

async function readEntitlementBasis(db: Db, workspace_id: string): Promise<EntitlementBasis> {
  const [found] = await db.rows<Omit<EntitlementBasis, 'subscriptions'> & { plan_given_at: string | null }>(sql`
    SELECT status = 'active' AS is_open, plan_code AS given_plan, trial_ends_at, plan_given_at, fallback_plan, grace_days
    FROM workspaces CROSS JOIN plan_settings WHERE workspaces.id = ${workspace_id}::uuid`);
  if (!found) throw new Error('Entitlements require a transaction in the same workspace.');
  const { plan_given_at, ...rest } = found;
  const subscriptions = await db.rows<SubscriptionTerms>(sql`
    SELECT plan_code, status, past_due_since, cancel_at_period_end, current_period_end
    FROM subscriptions WHERE workspace_id = ${workspace_id}::uuid AND NOT (
      status IN ('canceled', 'incomplete_expired') AND coalesce(ended_at, canceled_at, updated_at) < ${plan_given_at}::timestamptz IS TRUE)
    ORDER BY status = 'incomplete_expired', status = 'canceled', created_at DESC, id DESC LIMIT ${SUBSCRIPTIONS_MAX}`);
  return { ...rest, subscriptions };
}

/**
 * Computes the workspace's current entitlements, and announces them if modules or limits have changed. Called in every
 * transaction that may change them: a subscription, the plan, the trial, suspension. A lock on the row of the
 * workspace's entitlements serialises the calls, so each one sees earlier changes.
 * @returns whether something differs
 */
export async function refreshEntitlements(
  { db, emit }: { db: Db; emit: Emit },
  workspace_id: string,
  now: Date,
): Promise<boolean> {
  await db.rows(sql`INSERT INTO entitlements (workspace_id) VALUES (${workspace_id}::uuid) ON CONFLICT DO NOTHING`);
  await db.rows(sql`SELECT FROM entitlements WHERE workspace_id = ${workspace_id}::uuid FOR UPDATE`);
  const { plan_code, status, until } = effectivePlan(await readEntitlementBasis(db, workspace_id), now);
  const [written] = await db.rows<{ modules: string[]; limits: Limits; differs: boolean }>(sql`
    WITH before AS (SELECT modules, limits FROM entitlements WHERE workspace_id = ${workspace_id}::uuid)
    UPDATE entitlements SET plan_code = granted.plan_code, status = ${status}, until = ${until}::timestamptz,
      modules = granted.modules, limits = granted.limits
    FROM before CROSS JOIN (
      SELECT plans.code AS plan_code, ${EFFECTIVE_MODULES} AS modules, ${limitsOf(sql`${workspace_id}::uuid`)} AS limits
      FROM (SELECT ${plan_code}::text AS code) AS wanted LEFT JOIN plans ON plans.code = wanted.code) AS granted
    WHERE entitlements.workspace_id = ${workspace_id}::uuid
    RETURNING entitlements.modules, entitlements.limits,
      (before.modules, before.limits) IS DISTINCT FROM (granted.modules, granted.limits) AS differs`);
  const { modules, limits, differs } = written!;
  if (differs) emit(WorkspaceEntitlementsChanged, { workspace_id, modules, limits: limitsMessage(limits) });
  return differs;
}
