/** Workspaces: how one begins, and how it is locked. */
import { change, type Emit } from '@suite/chassis';
import { UserCreated, WorkspaceEntitlementsChanged, WorkspaceProvisioned } from '@suite/proto/platform/v1/events';
import type { Db } from '../operations.ts';
import { findPlan } from '../plans/plan.ts';
import { SEEDED_ROLE_KEYS, SEEDED_ROLES } from '../roles/seeded-roles.ts';

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

/** Locks everybody out of a workspace, or lets them in again; nothing of it is lost. */
export async function suspend(db: Db, emit: Emit, workspace_id: string, suspended: boolean): Promise<void> {
  const status = suspended ? 'suspended' : 'active';
  await change(db.workspace, workspace_id, { status });
  const { modules } = (await db.plan.findFirst({ where: { workspaces: { some: { id: workspace_id } } } }))!;
  emit(WorkspaceEntitlementsChanged, { workspace_id, modules: suspended ? [] : modules });
}
