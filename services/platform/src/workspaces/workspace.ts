/** Workspaces: how one begins, and the plan that says what is in it. */
import { change, type Emit, fault, sql } from '@suite/chassis';
import { UserCreated, WorkspaceEntitlementsChanged, WorkspaceProvisioned } from '@suite/proto/platform/v1/events';
import type { Db } from '../operations.ts';
import { SEEDED_ROLE_KEYS, SEEDED_ROLES } from '../roles/seeded-roles.ts';

export const UnknownPlan = fault(422, 'unknown_plan', 'There is no such plan.');

/** A workspace that is to be, with the user who will own it. */
export interface NewWorkspace {
  id: string;
  name: string;
  slug: string;
  plan: string;
  timezone: string;
  currency: string;
  country?: string | undefined;
  fiscal_year_start: string;
  owner: { id?: string; name: string; email: string };
}

/**
 * Makes a workspace with its seeded roles and an owner, who is still to be invited. The transaction must be in the new
 * workspace already. Every service seeds its own defaults when it hears of it.
 * @returns the owner's id
 */
export async function provisionWorkspace(db: Db, emit: Emit, workspace: NewWorkspace): Promise<string> {
  const { id, name, slug, timezone, currency, country = null, fiscal_year_start, owner } = workspace;
  const plan = await findPlan(db, workspace.plan);
  await db.workspace.create({
    data: { id, name, slug, plan_code: plan.code, timezone, currency, country, fiscal_year_start },
  });
  const roles = SEEDED_ROLE_KEYS.map((key) => {
    const { name: role_name, description, kind } = SEEDED_ROLES[key];
    return { key, name: role_name, description, kind, system: true };
  });
  await db.role.createMany({ data: roles });
  const { id: role_id } = await db.role.findFirstOrThrow({ where: { key: 'owner' } });
  const user = await db.user.create({ data: { ...owner, kind: 'owner', role_id } });
  const { id: user_id, kind, status } = user;
  emit(WorkspaceProvisioned, { workspace_id: id, name, timezone, currency, fiscal_year_start, owner_id: user_id });
  emit(UserCreated, { user_id, name: owner.name, email: owner.email, kind, status, phone: '' });
  return user_id;
}

async function findPlan(db: Db, code: string) {
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

/** Locks everybody out of a workspace, or lets them in again; nothing of it is lost. */
export async function suspend(db: Db, emit: Emit, workspace_id: string, suspended: boolean): Promise<void> {
  const status = suspended ? 'suspended' : 'active';
  await change(db.workspace, workspace_id, { status });
  const { modules } = (await db.plan.findFirst({ where: { workspaces: { some: { id: workspace_id } } } }))!;
  emit(WorkspaceEntitlementsChanged, { workspace_id, modules: suspended ? [] : modules });
}

/** The limits of the workspace's plan. The workspace stays locked, so that whoever counts against them counts alone. */
export async function lockPlan(db: Db): Promise<{ user_limit: number | null }> {
  const [plan] = await db.rows<{ user_limit: number | null }>(
    sql`SELECT user_limit FROM workspaces JOIN plans ON plans.code = plan_code WHERE workspace_id = current_setting('suite.workspace_id')::uuid FOR NO KEY UPDATE OF workspaces`,
  );
  return plan ?? { user_limit: 0 };
}
