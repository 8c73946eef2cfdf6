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
import { ProviderFailed, type Sold, type SubscriptionSnapshot } from '../payments/provider.ts';
import { assertRoom, type Means } from './room.ts';
import { applySnapshot, type Fetched } from './snapshot.ts';
import { allowedOn, NotProvided, TERMINAL } from './subscription.rules.ts';
import type { SubscriptionRow } from './subscription.view.ts';

export const Unsettled = fault(503, 'unavailable', 'This subscription is being changed. Try again in a moment.', {
  retryable: true,
});

/** Context of an operation before its transaction, with the subscription row. */
interface Given {
  read: Read;
  write: Write;
  caller: Caller;
  row: SubscriptionRow & { version?: number };
}

/**
 * Calls the provider and applies the result. If the row is newer than the result, fetches the current state from the
 * provider again.
 * @returns what was applied
 * @throws Unsettled when that happens twice
 */
export async function settleSubscription(
  write: Write,
  first: () => Promise<SubscriptionSnapshot>,
  again: (ref: string) => Promise<SubscriptionSnapshot | undefined>,
): Promise<SubscriptionSnapshot> {
  let fetched: Fetched = { fetched_at: clock.now(), snapshot: await first() };
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const current = fetched;
    const { outcome } = await write((db, emit) => applySnapshot({ db, emit }, current));
    if (outcome !== 'older') return current.snapshot;
    const fetched_at = clock.now();
    const snapshot = await again(current.snapshot.provider_ref);
    if (!snapshot) throw ProviderFailed();
    fetched = { fetched_at, snapshot };
  }
  throw Unsettled();
}

/** Returns the provider's ID of a subscription. @throws NotProvided */
export function providerRefOf({ provider_ref }: SubscriptionRow): string {
  if (provider_ref === null) throw NotProvided();
  return provider_ref;
}

/**
 * Returns the idempotency key of a call. A retry of a call without a known result has the same key. The same request
 * after a change has another key, and so has a different concurrent request. The provider accepts only identical
 * requests under one key.
 */
const keyOf = ({ row }: Given, verb: string, wish: object): string =>
  `${row.id} ${verb} ${row.version ?? 0} ${createHash('sha256').update(JSON.stringify(wish)).digest('base64url')}`;

const refused = ({ caller, row }: Given, action: string) =>
  InvalidTransition({ from: row.status, action, allowed: allowedOn(caller, row) });

/**
 * Rejects an action on a subscription that has ended at the provider before the event arrived. @throws
 * InvalidTransition
 */
function assertRunning({ status: from }: SubscriptionSnapshot, action: string): void {
  if (TERMINAL.includes(from)) throw InvalidTransition({ from, action, allowed: [] });
}

const modeOf = ({ provider_mode }: SubscriptionRow): Mode => (provider_mode === 'live' ? 'live' : 'test');

/**
 * Cancels a subscription, immediately or at the end of the period. Repeating the request has no effect. @throws
 * InvalidTransition
 */
export async function cancel(given: Given, wish: { immediate: boolean; reason?: string | undefined }): Promise<void> {
  const { row, write } = given;
  if (row.status === 'canceled') return;
  if (row.status === 'incomplete_expired') throw refused(given, 'cancel');
  const isImmediate = wish.immediate || row.status === 'incomplete';
  if (!isImmediate && row.cancel_at_period_end) return;
  const [ref, provider] = [providerRefOf(row), providerIn(modeOf(row))];
  const asked = () =>
    isImmediate
      ? provider.endNow(ref, wish.reason, keyOf(given, 'end now', wish))
      : provider.endWithPeriod(ref, true, wish.reason, keyOf(given, 'end with period', wish));
  await settleSubscription(write, asked, provider.subscription);
}

/**
 * Undoes a cancellation at the end of the period. Other subscriptions do not change. @throws InvalidTransition once it
 * is over
 */
export async function resume(given: Given): Promise<void> {
  const { row, write } = given;
  if (TERMINAL.includes(row.status)) throw refused(given, 'resume');
  if (!row.cancel_at_period_end) return;
  const [ref, provider] = [providerRefOf(row), providerIn(modeOf(row))];
  const asked = () => provider.endWithPeriod(ref, false, undefined, keyOf(given, 'resume', {}));
  assertRunning(await settleSubscription(write, asked, provider.subscription), 'resume');
}

/** Change of plan, with its price. */
interface PlanWish {
  plan: string;
  interval: 'month' | 'year';
  quantity: number;
  at: 'now' | 'period_end';
  price: SoldPrice;
  share: Sold['share'];
}

/** Returns the plan for the provider's metadata. A change at the end of the period includes the previous plan. */
function metadataOf({ row }: Given, { plan, interval, at, price }: PlanWish): Record<string, string> {
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
export async function changePlan(given: Given & Pick<Means, 'rpcIn'>, wish: PlanWish): Promise<void> {
  const { row, read, write, rpcIn } = given;
  if (!allowedOn(given.caller, row).includes('change')) throw refused(given, 'change');
  if (wish.at === 'period_end' && wish.interval !== row.interval) {
    throw invalid('at', 'The interval cannot change at the end of the period. Change it now.');
  }
  const { workspace_id } = row;
  if (wish.at === 'now' && workspace_id) {
    await assertRoom({ read, rpcIn }, workspace_id, { from: row.plan_code, to: wish.plan });
  }
  const [ref, provider] = [providerRefOf(row), providerIn(modeOf(row))];
  const { price, share } = wish;
  const to = {
    plan: wish.plan,
    title: price.title,
    price: { currency: price.currency, interval: price.interval, amount: price.amount },
    quantity: wish.quantity,
    share,
    prorated: wish.at === 'now',
    metadata: metadataOf(given, wish),
  };
  const key = keyOf(given, 'change', to);
  assertRunning(await settleSubscription(write, () => provider.change(ref, to, key), provider.subscription), 'change');
}

/** Returns the subscription that an instance refers to. @throws NotFound */
export async function findSold(db: Db, provider_ref: string): Promise<SubscriptionRow> {
  const [row] = await db.rows<SubscriptionRow>(sql`
    SELECT * FROM subscriptions WHERE provider_ref = ${provider_ref} AND wl_instance_id = suite_instance_id()`);
  if (!row) throw NotFound();
  return row;
}
