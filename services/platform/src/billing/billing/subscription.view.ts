/** Views of subscriptions, for the instance that sold them and the workspace that uses them. */
import { sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { type ListRequest, paginate } from '@suite/chassis/lists';
import type { z } from 'zod';
import type { Db } from '../../operations.ts';
import { allowedActionsOn, subscriptions } from './subscription.rules.ts';
import type { SoldSubscription } from './subscription.schema.ts';

const GRACE_UNTIL = sql`
  CASE WHEN subscriptions.status = 'past_due' THEN subscriptions.past_due_since
    + (SELECT grace_days FROM plan_settings) * interval '24 hours' END`;

/** Only a subscription that is ending can be resumed. */
const actionsFor = (caller: Caller) => sql`
  CASE WHEN subscriptions.cancel_at_period_end THEN (${subscriptions.shownTo(caller, 'subscriptions')})
    ELSE array_remove((${subscriptions.shownTo(caller, 'subscriptions')}), 'resume') END`;

const computedColumns = (caller: Caller) => ({
  payment_subscription_id: sql`subscriptions.provider_ref`,
  plan: sql`subscriptions.plan_code`,
  grace_until: GRACE_UNTIL,
  allowed_actions: actionsFor(caller),
});

/** Returns a page of the subscriptions that an instance has sold, in the mode of its token. */
export const listSoldSubscriptions = (db: Db, caller: Caller, request: ListRequest) =>
  paginate(db, request, {
    table: 'subscriptions',
    // Selects the rows of an instance, whose ID replaces the workspace ID of other lists.
    from: sql`(
      SELECT id, wl_instance_id AS workspace_id, client_reference, plan_code, "interval", currency, amount, quantity, status,
        current_period_start, current_period_end, trial_end, cancel_at_period_end, canceled_at, ended_at, ended_reason,
        past_due_since, next_plan, provider_ref, provider_mode, synced_at, created_by, updated_by, created_at, updated_at, version
      FROM subscriptions WHERE wl_instance_id = ${caller.instance!.id}::uuid)`,
    compute: computedColumns(caller),
  });

/** Columns of a subscription that rules need. */
export interface SubscriptionRow {
  id: string;
  provider_ref: string | null;
  workspace_id: string | null;
  wl_instance_id: string | null;
  client_reference: string | null;
  plan_code: string;
  interval: string | null;
  next_plan: string | null;
  price_id: string | null;
  amount: string | null;
  currency: string | null;
  quantity: number;
  status: string;
  cancel_at_period_end: boolean;
  current_period_end: string | null;
  provider_mode: string;
}

/** Returns a subscription with all details that this caller may see. @throws NotFound */
export async function readSubscription(
  db: Db,
  caller: Caller,
  provider_ref: string,
): Promise<z.input<typeof SoldSubscription>> {
  const [row] = await db.rows<SubscriptionRow & z.input<typeof SoldSubscription>>(sql`
    SELECT *, provider_ref AS payment_subscription_id, plan_code AS plan, ${GRACE_UNTIL} AS grace_until
    FROM subscriptions WHERE provider_ref = ${provider_ref}`);
  if (!row) throw NotFound();
  return { ...row, allowed_actions: allowedActionsOn(caller, row) };
}

/** Returns the newest active subscription of the caller's workspace, or else the newest one. @throws NotFound */
export async function readOwnSubscription(db: Db): Promise<SubscriptionRow> {
  const [row] = await db.rows<SubscriptionRow>(sql`
    SELECT * FROM subscriptions WHERE workspace_id = current_setting('suite.workspace_id')::uuid
    ORDER BY status IN ('canceled', 'incomplete_expired'), created_at DESC, id DESC LIMIT 1`);
  if (!row) throw NotFound();
  return row;
}
