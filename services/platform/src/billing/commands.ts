/** Cancelling, resuming and changing a subscription: the provider is asked first, and its answer is applied like an event. */
import { createHash } from 'node:crypto';
import { type Caller, clock, fault, InvalidTransition, invalid, NotFound, sql } from '@suite/chassis';
import type { Mode } from '../instances/instance.rules.ts';
import type { SoldPrice } from '../offers/offer.ts';
import type { Db, Read, Write } from '../operations.ts';
import { providerIn } from '../payments/payments.ts';
import { ProviderFailed, type Sold, type SubscriptionSnapshot } from '../payments/provider.ts';
import { assertRoom, type Means } from './room.ts';
import { applySnapshot, type Fetched } from './snapshot.ts';
import { allowedOn, NotProvided, TERMINAL } from './subscription.rules.ts';
import type { SubscriptionRow } from './subscription.view.ts';

export const Unsettled = fault(503, 'unavailable', 'This subscription is being changed. Try again in a moment.', {
  retryable: true,
});

/** The means of an operation before its transaction, and the row that it is about. */
interface Given {
  read: Read;
  write: Write;
  caller: Caller;
  row: SubscriptionRow & { version?: number };
}

/**
 * Asks and applies the answer; where the row says something later by then, the provider is asked once more for its state of now.
 * @returns what was applied
 * @throws Unsettled when that happens twice
 */
export async function settle(
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

/** How the provider calls a subscription. @throws NotProvided */
export function refOf({ provider_ref }: SubscriptionRow): string {
  if (provider_ref === null) throw NotProvided();
  return provider_ref;
}

/**
 * The key of a call: a retry of what was not told yet is the same call, the same wish after a change is another one, and so is
 * another wish at the same time, for under one key the provider takes the same words only.
 */
const keyOf = ({ row }: Given, verb: string, wish: object): string =>
  `${row.id} ${verb} ${row.version ?? 0} ${createHash('sha256').update(JSON.stringify(wish)).digest('base64url')}`;

const refused = ({ caller, row }: Given, action: string) =>
  InvalidTransition({ from: row.status, action, allowed: allowedOn(caller, row) });

/** Refuses to go on with what has ended at the provider before an event told so. @throws InvalidTransition */
function assertRunning({ status: from }: SubscriptionSnapshot, action: string): void {
  if (TERMINAL.includes(from)) throw InvalidTransition({ from, action, allowed: [] });
}

const modeOf = ({ provider_mode }: SubscriptionRow): Mode => (provider_mode === 'live' ? 'live' : 'test');

/** Ends a subscription, at once or with its period; asked for again it changes nothing. @throws InvalidTransition */
export async function cancel(given: Given, wish: { immediate: boolean; reason?: string | undefined }): Promise<void> {
  const { row, write } = given;
  if (row.status === 'canceled') return;
  if (row.status === 'incomplete_expired') throw refused(given, 'cancel');
  const isImmediate = wish.immediate || row.status === 'incomplete';
  if (!isImmediate && row.cancel_at_period_end) return;
  const [ref, provider] = [refOf(row), providerIn(modeOf(row))];
  const asked = () =>
    isImmediate
      ? provider.endNow(ref, wish.reason, keyOf(given, 'end now', wish))
      : provider.endWithPeriod(ref, true, wish.reason, keyOf(given, 'end with period', wish));
  await settle(write, asked, provider.subscription);
}

/** Takes an end with the period back; what does not end stays as it is. @throws InvalidTransition once it is over */
export async function resume(given: Given): Promise<void> {
  const { row, write } = given;
  if (TERMINAL.includes(row.status)) throw refused(given, 'resume');
  if (!row.cancel_at_period_end) return;
  const [ref, provider] = [refOf(row), providerIn(modeOf(row))];
  const asked = () => provider.endWithPeriod(ref, false, undefined, keyOf(given, 'resume', {}));
  assertRunning(await settle(write, asked, provider.subscription), 'resume');
}

/** A change of plan, at a price that was looked up. */
interface PlanWish {
  plan: string;
  interval: 'month' | 'year';
  quantity: number;
  at: 'now' | 'period_end';
  price: SoldPrice;
  share: Sold['share'];
}

/** The plan of the provider's metadata: a change at the end of the period keeps the plan before until then. */
function metadataOf({ row }: Given, { plan, interval, at, price }: PlanWish): Record<string, string> {
  const isLater = at === 'period_end' && row.current_period_end !== null && plan !== row.plan_code;
  return {
    plan,
    interval,
    price_id: price.price_id,
    // Empty values are removed.
    plan_before: isLater ? row.plan_code : '',
    plan_from: isLater ? String(row.current_period_end) : '',
  };
}

/** Changes the plan of a subscription. @throws InvalidTransition, PlanLimitExceeded, a 422 for what only works now */
export async function changePlan(given: Given & Pick<Means, 'rpcIn'>, wish: PlanWish): Promise<void> {
  const { row, read, write, rpcIn } = given;
  if (!allowedOn(given.caller, row).includes('change')) throw refused(given, 'change');
  if (wish.at === 'period_end' && wish.interval !== row.interval) {
    throw invalid('at', 'A change of the interval takes effect now and cannot wait for the end of the period.');
  }
  const { workspace_id } = row;
  if (wish.at === 'now' && workspace_id) {
    await assertRoom({ read, rpcIn }, workspace_id, { from: row.plan_code, to: wish.plan });
  }
  const [ref, provider] = [refOf(row), providerIn(modeOf(row))];
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
  assertRunning(await settle(write, () => provider.change(ref, to, key), provider.subscription), 'change');
}

/** The row that an instance names. @throws NotFound */
export async function findSold(db: Db, provider_ref: string): Promise<SubscriptionRow> {
  const [row] = await db.rows<SubscriptionRow>(sql`
    SELECT * FROM subscriptions WHERE provider_ref = ${provider_ref} AND wl_instance_id = suite_instance_id()`);
  if (!row) throw NotFound();
  return row;
}
