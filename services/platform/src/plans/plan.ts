/** Plans: what is in a workspace, and how many may work in it. */
import { change, clock, type Emit, fault, sql } from '@suite/chassis';
import { type Limits, LIMITS_THAT_COUNT, planThatCounts, refreshEntitlements } from '../entitlements/entitlement.ts';
import type { Db } from '../operations.ts';

export const NoTrial = fault(422, 'no_trial', 'This plan has no trial period.');
export const UnknownPlan = fault(422, 'unknown_plan', 'Plan not found.');

/** The plan of this name, if workspaces may have it. @throws UnknownPlan */
export async function findPlan(db: Db, code: string) {
  const plan = await db.plan.findFirst({ where: { code, status: 'active' } });
  if (plan) return plan;
  const plans = await db.plan.findMany({ where: { status: 'active' }, orderBy: { position: 'asc' } });
  throw UnknownPlan({ plans: plans.map(({ code: known }) => known) });
}

const DAY_MS = 86_400_000;

/** When a trial of so many days ends that begins now. @throws NoTrial */
export function trialEnd(days: number, now: Date): Date {
  if (days < 1) throw NoTrial();
  return new Date(now.getTime() + days * DAY_MS);
}

/**
 * Gives the workspace another plan, which switches modules on and off at once. A running subscription still counts before it.
 * @param trial_days after which the fallback plan follows it; it stays, without any
 */
export async function changePlan(
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

/** The limits of the plan that counts. Locks the workspace, so that counts against the limits are serialized. */
export async function lockLimits(db: Db): Promise<Limits> {
  const [found] = await db.rows<{ limits: Limits }>(sql`
    SELECT ${LIMITS_THAT_COUNT} AS limits FROM workspaces ${planThatCounts(clock.now())}
    WHERE workspaces.id = current_setting('suite.workspace_id')::uuid FOR NO KEY UPDATE OF workspaces`);
  return found!.limits;
}
