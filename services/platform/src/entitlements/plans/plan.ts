/** Plans: the modules and limits of a workspace. */
import { change, sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import type { Emit } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import { type Limits, EFFECTIVE_LIMITS, joinEffectivePlan, refreshEntitlements } from '../entitlements/entitlement.ts';
import type { Db } from '../../operations.ts';

export const NoTrial = fault(
  422,
  'no_trial',
  'This plan has no trial period. Choose another plan, or subscribe to it.',
);
export const UnknownPlan = fault(422, 'unknown_plan', 'Plan not found. Choose a plan from the list.');

/** Returns the plan with a code, if workspaces can have it. @throws UnknownPlan */
export async function findPlan(db: Db, code: string) {
  const plan = await db.plan.findFirst({ where: { code, status: 'active' } });
  if (plan) return plan;
  const plans = await db.plan.findMany({ where: { status: 'active' }, orderBy: { position: 'asc' } });
  throw UnknownPlan({ plans: plans.map(({ code: known }) => known) });
}

const DAY_MS = 86_400_000;

/** Returns the end of a trial that begins now and lasts `days` days. @throws NoTrial */
export function trialEnd(days: number, now: Date): Date {
  if (days < 1) throw NoTrial();
  return new Date(now.getTime() + days * DAY_MS);
}

/**
 * Assigns another plan to the workspace, which enables and disables modules immediately. A running subscription takes
 * precedence.
 * @param trial_days after which the fallback plan follows. Without it the plan stays
 */
export async function assignPlan(
  db: Db,
  emit: Emit,
  workspace_id: string,
  { code, trial_days }: { code: string; trial_days?: number | undefined },
): Promise<void> {
  const plan = await findPlan(db, code);
  const now = clock.now();
  const trial_ends_at = trial_days === undefined ? null : trialEnd(trial_days, now);
  await change(db.workspace, workspace_id, { plan_code: plan.code, trial_ends_at, plan_given_at: now });
  await refreshEntitlements({ db, emit }, workspace_id, now);
}

/** Returns the limits of the plan in effect. Locks the workspace, so that checks of the limits are serialized. */
export async function lockLimits(db: Db): Promise<Limits> {
  const [found] = await db.rows<{ limits: Limits }>(sql`
    SELECT ${EFFECTIVE_LIMITS} AS limits FROM workspaces ${joinEffectivePlan(clock.now())}
    WHERE workspaces.id = current_setting('suite.workspace_id')::uuid FOR NO KEY UPDATE OF workspaces`);
  return found!.limits;
}
