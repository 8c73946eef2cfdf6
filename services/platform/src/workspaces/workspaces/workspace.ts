/** Creates and suspends workspaces. */
import { change, sql } from '@suite/chassis/database';
import type { Emit } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import { UserCreated, WorkspaceProvisioned } from '@suite/proto/platform/v1/events';
import {
  EFFECTIVE_MODULES,
  joinEffectivePlan,
  refreshEntitlements,
} from '../../entitlements/entitlements/entitlement.ts';
import type { Db } from '../../operations.ts';
import { findPlan, trialEnd } from '../../entitlements/plans/plan.ts';
import { SEEDED_ROLE_KEYS, SEEDED_ROLES } from '../../identity/roles/seeded-roles.ts';

/** New workspace with its owner. */
export interface NewWorkspace {
  id: string;
  name: string;
  slug: string;
  plan: string;
  /** True if the plan ends with its trial. Defaults to false: the plan stays. */
  on_trial?: boolean | undefined;
  timezone: string;
  currency: string;
  country?: string | undefined;
  fiscal_year_start: string;
  /** 1 is Monday, the default. */
  week_start?: number | undefined;
  owner: { id?: string; name: string; email: string };
  /** White-label instance whose customer has bought the workspace. */
  wl_instance_id?: string | undefined;
}

/**
 * Creates a workspace with its seeded roles and an owner, who is not invited yet. The transaction must already be in
 * the new workspace. Every service seeds its own defaults when it receives the event.
 * @returns the owner's id
 */
export async function provisionWorkspace(db: Db, emit: Emit, workspace: NewWorkspace): Promise<string> {
  const {
    id,
    name,
    slug,
    on_trial = false,
    timezone,
    currency,
    country = null,
    fiscal_year_start,
    week_start = 1,
    owner,
  } = workspace;
  const plan = await findPlan(db, workspace.plan);
  const now = clock.now();
  const trial_ends_at = on_trial ? trialEnd(plan.trial_days, now) : null;
  await db.workspace.create({
    data: {
      id,
      name,
      slug,
      plan_code: plan.code,
      trial_ends_at,
      timezone,
      currency,
      country,
      fiscal_year_start,
      week_start,
    },
  });
  const roles = SEEDED_ROLE_KEYS.map((key) => {
    const { name: role_name, description, kind } = SEEDED_ROLES[key];
    return { key, name: role_name, description, kind, system: true };
  });
  await db.role.createMany({ data: roles });
  const { id: role_id } = await db.role.findFirstOrThrow({ where: { key: 'owner' } });
  const user = await db.user.create({ data: { ...owner, kind: 'owner', role_id } });
  const { id: user_id, kind, status } = user;
  const { wl_instance_id } = workspace;
  const settings = { timezone, currency, fiscal_year_start };
  emit(WorkspaceProvisioned, { workspace_id: id, name, ...settings, owner_id: user_id, wl_instance_id });
  emit(UserCreated, { user_id, name: owner.name, email: owner.email, kind, status, phone: '' });
  await refreshEntitlements({ db, emit }, id, now);
  return user_id;
}

/** Returns the status of a workspace and its enabled modules. */
export async function findWorkspace(
  db: Db,
  workspace_id: string,
): Promise<{ active: boolean; modules: string[]; country: string | null } | undefined> {
  const [found] = await db.rows<{ active: boolean; modules: string[]; country: string | null }>(sql`
    SELECT workspaces.status = 'active' AS active, ${EFFECTIVE_MODULES} AS modules, workspaces.country
    FROM workspaces ${joinEffectivePlan(clock.now())} WHERE workspaces.id = ${workspace_id}::uuid`);
  return found;
}

/** Locks all users out of a workspace, or readmits them. No data is lost. */
export async function suspendOrResume(db: Db, emit: Emit, workspace_id: string, suspended: boolean): Promise<void> {
  const status = suspended ? 'suspended' : 'active';
  await change(db.workspace, workspace_id, { status });
  await refreshEntitlements({ db, emit }, workspace_id, clock.now());
}
