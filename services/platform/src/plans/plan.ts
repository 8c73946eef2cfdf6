/** Plans: what is in a workspace, and how many may work in it. */
import { change, type Emit, fault, sql } from '@suite/chassis';
import { WorkspaceEntitlementsChanged } from '@suite/proto/platform/v1/events';
import type { Db } from '../operations.ts';

export const UnknownPlan = fault(422, 'unknown_plan', 'There is no such plan.');

/** The plan of this name, if workspaces may have it. @throws UnknownPlan */
export async function findPlan(db: Db, code: string) {
  const plan = await db.plan.findFirst({ where: { code, status: 'active' } });
  if (plan) return plan;
  const plans = await db.plan.findMany({ where: { status: 'active' }, orderBy: { position: 'asc' } });
  throw UnknownPlan({ plans: plans.map(({ code: known }) => known) });
}

/** Moves the workspace to another plan, which switches modules on and off at once. */
export async function changePlan(db: Db, emit: Emit, workspace_id: string, code: string): Promise<void> {
  const plan = await findPlan(db, code);
  await change(db.workspace, workspace_id, { plan_code: plan.code });
  emit(WorkspaceEntitlementsChanged, { workspace_id, modules: plan.modules });
}

/** The limits of the workspace's plan. Locks the workspace, so that counts against the limits are serialized. */
export async function lockPlan(db: Db): Promise<{ user_limit: number | null }> {
  const [plan] = await db.rows<{ user_limit: number | null }>(
    sql`SELECT user_limit FROM workspaces JOIN plans ON plans.code = plan_code WHERE workspace_id = current_setting('suite.workspace_id')::uuid FOR NO KEY UPDATE OF workspaces`,
  );
  return plan ?? { user_limit: 0 };
}
