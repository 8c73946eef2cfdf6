/** Cancels, resumes and changes subscriptions. Calls the provider first and applies its response like an event. */
import { createHash } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { fault, InvalidTransition, invalid, NotFound } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import type { Mode } from '../instances/instance.rules.ts';
import type { SoldPrice } from '../offers/offer.ts';
import type { Db, Read, Write } from '../../operations.ts';
import { providerIn } from '../payments/payments.ts';
import { ProviderFailed, type SoldPlan, type SubscriptionSnapshot } from '../payments/provider.ts';
import { assertWithinLimits, type LimitContext } from './plan-limits.ts';
import { applySnapshot, type FetchedSnapshot } from './snapshot.ts';
import { allowedActionsOn, NotAtProvider, TERMINAL_STATUSES } from './subscription.rules.ts';
import type { SubscriptionRow } from './subscription.view.ts';

export const ChangeInProgress = fault(
  503,
  'unavailable',
  'This subscription is being changed. Try again in a moment.',
  {
    retryable: true,
  },
);

/** Context of an operation before its transaction, with the subscription row. */
interface SubscriptionContext {
  read: Read;
  write: Write;
  caller: Caller;
  row: SubscriptionRow & { version?: number };
}

/**
 * Calls the provider and applies the result. If the row is newer than the result, fetches the current state from the
 * provider again.
 * @returns what was applied
 * @throws ChangeInProgress when that happens twice
 */
export async function callAndApply(
  write: Write,
  call: () => Promise<SubscriptionSnapshot>,
  refetch: (ref: string) => Promise<SubscriptionSnapshot | undefined>,
): Promise<SubscriptionSnapshot> {
  let fetched: FetchedSnapshot = { fetched_at: clock.now(), snapshot: await call() };
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const current = fetched;
    const { outcome } = await write((db, emit) => applySnapshot({ db, emit }, current));
    if (outcome !== 'older') return current.snapshot;
    const fetched_at = clock.now();
    const snapshot = await refetch(current.snapshot.provider_ref);
    if (!snapshot) throw ProviderFailed();
    fetched = { fetched_at, snapshot };
  }
  throw ChangeInProgress();
}

/** Returns the provider's ID of a subscription. @throws NotAtProvider */
export function providerRefOf({ provider_ref }: SubscriptionRow): string {
  if (provider_ref === null) throw NotAtProvider();
  return provider_ref;
}

/**
 * Returns the idempotency key of a call. A retry of a call without a known result has the same key. The same request
 * after a change has another key, and so has a different concurrent request. The provider accepts only identical
 * requests under one key.
 */
const idempotencyKey = ({ row }: SubscriptionContext, verb: string, request: object): string =>
  `${row.id} ${verb} ${row.version ?? 0} ${createHash('sha256').update(JSON.stringify(request)).digest('base64url')}`;

const transitionFault = ({ caller, row }: SubscriptionContext, action: string) =>
  InvalidTransition({ from: row.status, action, allowed: allowedActionsOn(caller, row) });

/**
 * Rejects an action on a subscription that has ended at the provider before the event arrived. @throws
 * InvalidTransition
 */
function assertRunning({ status: from }: SubscriptionSnapshot, action: string): void {
  if (TERMINAL_STATUSES.includes(from)) throw InvalidTransition({ from, action, allowed: [] });
}

const modeOf = ({ provider_mode }: SubscriptionRow): Mode => (provider_mode === 'live' ? 'live' : 'test');

/**
 * Cancels a subscription, immediately or at the end of the period. Repeating the request has no effect. @throws
 * InvalidTransition
 */
export async function cancel(
  context: SubscriptionContext,
  request: { immediate: boolean; reason?: string | undefined },
): Promise<void> {
  const { row, write } = context;
  if (row.status === 'canceled') return;
  if (row.status === 'incomplete_expired') throw transitionFault(context, 'cancel');
  const isImmediate = request.immediate || row.status === 'incomplete';
  if (!isImmediate && row.cancel_at_period_end) return;
  const [ref, provider] = [providerRefOf(row), providerIn(modeOf(row))];
  const call = () =>
    isImmediate
      ? provider.endNow(ref, request.reason, idempotencyKey(context, 'end now', request))
      : provider.endWithPeriod(ref, true, request.reason, idempotencyKey(context, 'end with period', request));
  await callAndApply(write, call, provider.subscription);
}

/**
 * Undoes a cancellation at the end of the period. Other subscriptions do not change. @throws InvalidTransition once it
 * is over
 */
export async function resume(context: SubscriptionContext): Promise<void> {
  const { row, write } = context;
  if (TERMINAL_STATUSES.includes(row.status)) throw transitionFault(context, 'resume');
  if (!row.cancel_at_period_end) return;
  const [ref, provider] = [providerRefOf(row), providerIn(modeOf(row))];
  const call = () => provider.endWithPeriod(ref, false, undefined, idempotencyKey(context, 'resume', {}));
  assertRunning(await callAndApply(write, call, provider.subscription), 'resume');
}

/** Change of plan, with its price. */
interface PlanChangeRequest {
  plan: string;
  interval: 'month' | 'year';
  quantity: number;
  at: 'now' | 'period_end';
  price: SoldPrice;
  share: SoldPlan['share'];
}

/** Returns the plan for the provider's metadata. A change at the end of the period includes the previous plan. */
function metadataOf(
  { row }: SubscriptionContext,
  { plan, interval, at, price }: PlanChangeRequest,
): Record<string, string> {
  const isLater = at === 'period_end' && row.current_period_end !== null && plan !== row.plan_code;
  return {
    plan,
    interval,
    price_id: price.price_id,
    // The provider removes empty values.
    plan_before: isLater ? row.plan_code : '',
    plan_from: isLater ? String(row.current_period_end) : '',
  };
}

/**
 * Changes the plan of a subscription. @throws InvalidTransition, PlanLimitExceeded, a 422 fault for a change that must
 * be immediate
 */
export async function changePlan(
  context: SubscriptionContext & Pick<LimitContext, 'rpcIn'>,
  request: PlanChangeRequest,
): Promise<void> {
  const { row, read, write, rpcIn } = context;
  if (!allowedActionsOn(context.caller, row).includes('change')) throw transitionFault(context, 'change');
  if (request.at === 'period_end' && request.interval !== row.interval) {
    throw invalid('at', 'The interval cannot change at the end of the period. Change it now.');
  }
  const { workspace_id } = row;
  if (request.at === 'now' && workspace_id) {
    await assertWithinLimits({ read, rpcIn }, workspace_id, { from: row.plan_code, to: request.plan });
  }
  const [ref, provider] = [providerRefOf(row), providerIn(modeOf(row))];
  const { price, share } = request;
  const to = {
    plan: request.plan,
    title: price.title,
    price: { currency: price.currency, interval: price.interval, amount: price.amount },
    quantity: request.quantity,
    share,
    prorated: request.at === 'now',
    metadata: metadataOf(context, request),
  };
  const key = idempotencyKey(context, 'change', to);
  assertRunning(await callAndApply(write, () => provider.change(ref, to, key), provider.subscription), 'change');
}

/** Returns the subscription that an instance refers to. @throws NotFound */
export async function findSoldSubscription(db: Db, provider_ref: string): Promise<SubscriptionRow> {
  const [row] = await db.rows<SubscriptionRow>(sql`
    SELECT * FROM subscriptions WHERE provider_ref = ${provider_ref} AND wl_instance_id = suite_instance_id()`);
  if (!row) throw NotFound();
  return row;
}
