import { type Sql, sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import type { z } from 'zod';
import {
  type Limits,
  EFFECTIVE_LIMITS,
  EFFECTIVE_MODULES,
  joinEffectivePlan,
} from '../../entitlements/entitlements/entitlement.ts';
import { graceEnd } from '../../entitlements/entitlements/entitlement.rules.ts';
import type { Db } from '../../operations.ts';
import type { Subscription, WorkspaceSubscription } from './subscription.schema.ts';

type SubscriptionResponse = z.input<typeof Subscription>;

/** Columns of a subscription as displayed, except values that depend on the operator's settings. */
export const SUBSCRIPTION_COLUMNS: Sql = sql`
  id, plan_code AS plan, price_id, amount, currency, "interval", quantity, status, current_period_start, current_period_end,
  trial_end, cancel_at_period_end, canceled_at, ended_at, ended_reason, past_due_since, next_plan, provider_mode, synced_at,
  created_by, updated_by, created_at, updated_at, version`;

interface WorkspacePlan {
  status: string;
  until: string | null;
  trial_ends_at: string | null;
  plan: { code: string; name: string } | null;
  modules: string[];
  limits: Limits;
  users: number;
  storage_mb: number;
  grace_days: number;
}

async function readWorkspacePlan(db: Db, workspace_id: string, now: Date): Promise<WorkspacePlan> {
  const [state] = await db.rows<WorkspacePlan>(sql`
    SELECT entitlements.status, CASE WHEN until > ${now} THEN until END AS until, workspaces.trial_ends_at,
      CASE WHEN plans.code IS NOT NULL THEN jsonb_build_object('code', plans.code, 'name', plans.name) END AS plan,
      ${EFFECTIVE_MODULES} AS modules, ${EFFECTIVE_LIMITS} AS limits, grace_days,
      (SELECT count(*) FROM users WHERE kind IN ('owner', 'staff') AND status IN ('invited', 'active')) AS users,
      (SELECT ceil(coalesce(sum(bytes), 0) / 1048576)::int FROM storage_uses WHERE storage_uses.workspace_id = workspaces.id) AS storage_mb
    FROM workspaces CROSS JOIN plan_settings ${joinEffectivePlan(now)} WHERE workspaces.id = ${workspace_id}::uuid`);
  return state!;
}

type SubscriptionRow = Omit<SubscriptionResponse, 'grace_until'> & { by_partner: boolean };

/** Returns the running subscription, or else the newest one. */
async function readSubscription(db: Db, workspace_id: string): Promise<SubscriptionRow | undefined> {
  const [found] = await db.rows<SubscriptionRow>(sql`
    SELECT ${SUBSCRIPTION_COLUMNS}, wl_instance_id IS NOT NULL AS by_partner FROM subscriptions
    WHERE workspace_id = ${workspace_id}::uuid
    ORDER BY status IN ('canceled', 'incomplete_expired'), created_at DESC, id DESC LIMIT 1`);
  return found;
}

/** Returns the modules and limits of the workspace, with their reason and the current usage. */
export async function showSubscription(db: Db, workspace_id: string): Promise<z.input<typeof WorkspaceSubscription>> {
  const [state, row] = [
    await readWorkspacePlan(db, workspace_id, clock.now()),
    await readSubscription(db, workspace_id),
  ];
  const { users, storage_mb, grace_days, status, ...rest } = state;
  const { by_partner = false, ...subscription } = row ?? {};
  return {
    ...(rest as z.input<typeof WorkspaceSubscription>),
    status: (status || 'none') as z.input<typeof WorkspaceSubscription>['status'],
    usage: { users, storage_mb },
    managed_by_partner: by_partner,
    subscription: row
      ? ({ ...subscription, grace_until: graceEnd(row as never, grace_days) } as SubscriptionResponse)
      : null,
  };
}
