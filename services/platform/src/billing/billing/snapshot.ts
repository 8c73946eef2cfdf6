/**
 * Applies the payment provider's state of a subscription. Events may arrive in any order or twice, and some may
 * not arrive. The result is the same: the provider's current state is written, and an older state never replaces a newer one.
 */
import { sql, runInWorkspace } from '@suite/chassis/database';
import { Id } from '@suite/chassis/fields';
import type { Emit } from '@suite/chassis/operations';
import {
  SubscriptionActivated,
  SubscriptionCanceled,
  SubscriptionPastDue,
  SubscriptionUpdated,
} from '@suite/proto/platform/v1/events';
import { refreshEntitlements } from '../../entitlements/entitlements/entitlement.ts';
import type { Db } from '../../operations.ts';
import { ownMode } from '../payments/payments.ts';
import type { SubscriptionSnapshot } from '../payments/provider.ts';
import { workspaceOf } from './provisioning.ts';
import { isImpossibleTransition, pastDueSince, planAt, subscriptions } from './subscription.rules.ts';

interface SnapshotContext {
  db: Db;
  emit: Emit;
}

/** A snapshot, and the time of the request to the provider. */
export interface FetchedSnapshot {
  snapshot: SubscriptionSnapshot;
  fetched_at: Date;
  /** The provider's time of the event that led to it. */
  event_at?: Date | undefined;
}

/**
 * Outcome of applying a snapshot.
 * - `older`: the row has a newer state of the provider; request the snapshot again
 * - `impossible`: the row is in a final state
 * - `unknown`: the subscription belongs to no plan or owner of this suite
 */
type SnapshotOutcome =
  | { outcome: 'applied'; id: string; workspace_id: string | null }
  | { outcome: 'older' | 'impossible' | 'unknown' };

interface StoredSubscription {
  id: string;
  workspace_id: string | null;
  status: string;
  synced_at: string | null;
  past_due_since: string | null;
}

const ACTIVE_STATUSES = ['active', 'trialing'];

/** The columns that follow from a snapshot. */
function columnsOf({ snapshot, fetched_at }: FetchedSnapshot, before: StoredSubscription | undefined) {
  const { metadata, price, status, ...rest } = snapshot;
  const { plan_code, next_plan } = planAt(metadata, fetched_at);
  const since = before?.past_due_since ? new Date(before.past_due_since) : null;
  return {
    status,
    plan_code,
    next_plan,
    currency: price?.currency ?? null,
    interval: price?.interval ?? null,
    amount: price?.amount ?? null,
    quantity: rest.quantity,
    current_period_start: rest.current_period_start,
    current_period_end: rest.current_period_end,
    trial_end: rest.trial_end,
    cancel_at_period_end: rest.cancel_at_period_end,
    canceled_at: rest.canceled_at,
    ended_at: rest.ended_at,
    ended_reason: rest.ended_reason,
    past_due_since: pastDueSince(since, status, fetched_at),
  };
}

/** Locks the row of a subscription, or its absence, so that concurrent snapshots are applied one after the other. */
async function lockRow(db: Db, { provider_ref }: SubscriptionSnapshot): Promise<StoredSubscription | undefined> {
  await db.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`subscription ${provider_ref}`}, 0))`);
  const [row] = await db.rows<StoredSubscription>(sql`
    SELECT id, workspace_id, status, synced_at, past_due_since
    FROM subscriptions WHERE provider_ref = ${provider_ref} FOR UPDATE`);
  return row;
}

async function insertRow(db: Db, fetched: FetchedSnapshot, workspace_id: string | null): Promise<string> {
  const { snapshot, fetched_at, event_at } = fetched;
  const { wl_instance_id = null, client_reference = null, price_id = null } = snapshot.metadata;
  const { status, plan_code, ...columns } = columnsOf(fetched, undefined);
  const price = price_id && (await db.price.findFirst({ where: { id: price_id, plan_code } }));
  const { id } = await db.subscription.create({
    data: {
      ...columns,
      status,
      plan_code,
      price_id: price ? price.id : null,
      workspace_id,
      wl_instance_id,
      client_reference: wl_instance_id && client_reference,
      provider_ref: snapshot.provider_ref,
      provider_mode: snapshot.mode,
      synced_at: fetched_at,
      latest_event_at: event_at ?? null,
    },
  });
  return id;
}

async function updateRow(
  db: Db,
  fetched: FetchedSnapshot,
  before: StoredSubscription,
  workspace_id: string | null,
): Promise<void> {
  const { fetched_at, event_at = null } = fetched;
  const { status, price_id, ...columns } = {
    ...columnsOf(fetched, before),
    price_id: fetched.snapshot.metadata['price_id'],
  };
  const price = price_id ? await db.price.findFirst({ where: { id: price_id, plan_code: columns.plan_code } }) : null;
  if (status !== before.status) {
    const { set, guard } = subscriptions.deriving(sql`${status}::text`, 'subscriptions');
    const since = columns.past_due_since;
    await db.rows(sql`
      UPDATE subscriptions SET ${set}, past_due_since = ${since} WHERE id = ${before.id}::uuid AND ${guard}`);
  }
  const [seen] = await db.rows<{ latest_event_at: string | null }>(sql`
    SELECT greatest(latest_event_at, ${event_at}::timestamptz) AS latest_event_at FROM subscriptions WHERE id = ${before.id}::uuid`);
  await db.subscription.updateMany({
    where: { id: before.id },
    data: {
      ...columns,
      price_id: price ? price.id : null,
      workspace_id,
      synced_at: fetched_at,
      latest_event_at: seen?.latest_event_at ?? null,
    },
  });
}

/** Announces the changes in the workspace. */
async function emitChange(
  { db, emit }: SnapshotContext,
  fetched: FetchedSnapshot,
  change: { id: string; before: string | undefined; workspace_id: string },
) {
  const { id: subscription_id, before = '', workspace_id } = change;
  const { snapshot, fetched_at } = fetched;
  const { status } = snapshot;
  const { plan_code } = planAt(snapshot.metadata, fetched_at);
  const payload = { subscription_id, plan_code, status };
  const isNewStatus = status !== before;
  await refreshEntitlements({ db, emit }, workspace_id, fetched_at);
  if (ACTIVE_STATUSES.includes(status) && !ACTIVE_STATUSES.includes(before)) emit(SubscriptionActivated, payload);
  else if (status === 'past_due' && isNewStatus) emit(SubscriptionPastDue, payload);
  else if (status === 'canceled' && isNewStatus) emit(SubscriptionCanceled, payload);
  else emit(SubscriptionUpdated, payload);
}

/**
 * Returns true if the owner that a snapshot names exists here. Several suites may sell through one account of the
 * provider.
 */
const hasLocalOwner = async (
  db: Db,
  { wl_instance_id, workspace_id }: SubscriptionSnapshot['metadata'],
): Promise<boolean> =>
  wl_instance_id
    ? (await db.wlInstance.findFirst({ where: { id: wl_instance_id } })) !== null
    : (await runInWorkspace(workspace_id!, () => db.workspace.findFirst({ where: { id: workspace_id! } }))) !== null;

/**
 * Applies a snapshot, in a transaction that is confined to its instance or workspace.
 * @returns the outcome. Only `applied` has written anything
 */
export async function applySnapshot(context: SnapshotContext, fetched: FetchedSnapshot): Promise<SnapshotOutcome> {
  const { db } = context;
  const { snapshot, fetched_at } = fetched;
  const { wl_instance_id, workspace_id: owner_workspace_id } = snapshot.metadata;
  // In live mode, test subscriptions do not entitle a workspace.
  if (!wl_instance_id && snapshot.mode !== ownMode()) return { outcome: 'unknown' };
  const { plan_code } = planAt(snapshot.metadata, fetched_at);
  const owner = wl_instance_id ?? owner_workspace_id;
  if (!owner || !Id.safeParse(owner).success || !(await hasLocalOwner(db, snapshot.metadata)))
    return { outcome: 'unknown' };
  if (!(await db.plan.findFirst({ where: { code: plan_code } }))) return { outcome: 'unknown' };
  const withinOwner = <T>(id: string | null, work: () => Promise<T>) => (id ? runInWorkspace(id, work) : work());
  return await withinOwner(wl_instance_id ? null : owner_workspace_id!, async () => {
    const before = await lockRow(db, snapshot);
    if (before && isImpossibleTransition(before.status, snapshot.status)) return { outcome: 'impossible' };
    if (before?.synced_at && fetched_at.getTime() <= Date.parse(before.synced_at)) return { outcome: 'older' };
    const workspace_id = before?.workspace_id ?? owner_workspace_id ?? (await workspaceOf(context, snapshot));
    return await withinOwner(workspace_id, async () => {
      const id = before ? before.id : await insertRow(db, fetched, workspace_id);
      if (before) await updateRow(db, fetched, before, workspace_id);
      if (workspace_id) await emitChange(context, fetched, { id, before: before?.status, workspace_id });
      return { outcome: 'applied', id, workspace_id };
    });
  });
}
