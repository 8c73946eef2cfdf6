/** Test objects of one Stripe account, with the actions of its customers and of the suite. */
import { randomUUID } from 'node:crypto';
import { clock } from '@suite/chassis/runtime';

type Json = ReturnType<typeof JSON.parse>;

const MONTH_S = 30 * 86_400;

export const now_s = (): number => Math.floor(clock.now().getTime() / 1_000);
let serial = 0;
export const newId = (prefix: string): string => `${prefix}_${(serial += 1)}${randomUUID().replaceAll('-', '')}`;

/** An error in Stripe's format. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message = code) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export interface Objects {
  sessions: Map<string, Json>;
  subscriptions: Map<string, Json>;
  accounts: Map<string, Json>;
  products: Map<string, Json>;
  /** Events of the operator's own account. */
  events: Map<string, Json>;
}

export const noObjects = (): Objects => ({
  sessions: new Map(),
  subscriptions: new Map(),
  accounts: new Map(),
  products: new Map(),
  events: new Map(),
});

/** Returns the object with this ID. @throws Refusal */
export function find(kind: Map<string, Json>, id: string): Json {
  const found = kind.get(id);
  if (!found) throw new Refusal(404, 'resource_missing');
  return found;
}

const priceOf = ({ product, currency, unit_amount, recurring }: Json) => ({
  id: newId('price'),
  product,
  currency,
  unit_amount: Number(unit_amount),
  recurring: { interval: recurring.interval },
});

/** Some of the languages of the Stripe checkout page. */
const LOCALE = /^(?:auto|de|en|en-GB|es|fr|fr-CA|it|pt|pt-BR|zh|zh-TW)$/;

export function openSession({ sessions }: Objects, { livemode, ...wish }: Json): Json {
  // The provider rejects what it cannot display, and never charges a part of a cent.
  const [{ price_data = {} } = {}] = wish.line_items ?? [];
  if (!/^\d+$/.test(price_data.unit_amount)) throw new Refusal(400, 'parameter_invalid_integer');
  if (wish.locale && !LOCALE.test(wish.locale)) throw new Refusal(400, 'invalid_locale');
  const id = newId(livemode ? 'cs_live' : 'cs_test');
  const session = {
    id,
    object: 'checkout.session',
    livemode,
    status: 'open',
    url: `https://checkout.stripe.test/${id}`,
    expires_at: now_s() + 86_400,
    subscription: null,
    metadata: wish.metadata ?? {},
    wish,
  };
  sessions.set(id, session);
  return session;
}

export function expireSession(session: Json): Json {
  if (session.status !== 'open') throw new Refusal(400, 'session_not_open', 'Only open sessions can be expired.');
  return Object.assign(session, { status: 'expired', url: null });
}

const itemOf = ({ quantity, price_data }: Json) => ({
  id: newId('si'),
  quantity: Number(quantity),
  price: priceOf(price_data),
  current_period_start: now_s(),
  current_period_end: now_s() + MONTH_S,
});

/** Completes a checkout session: the customer subscribes. */
export function completeSession({ sessions, subscriptions }: Objects, session_id: string, patch: Json = {}): Json {
  const session = find(sessions, session_id);
  if (session.status !== 'open') throw new Refusal(400, 'session_not_open', 'The checkout session is not open.');
  const { subscription_data: wanted = {}, line_items } = session.wish;
  const trial_days = Number(wanted.trial_period_days ?? 0);
  const id = newId('sub');
  const subscription = {
    id,
    object: 'subscription',
    livemode: session.livemode,
    status: trial_days > 0 ? 'trialing' : 'active',
    customer: newId('cus'),
    cancel_at_period_end: false,
    canceled_at: null,
    ended_at: null,
    trial_end: trial_days > 0 ? now_s() + trial_days * 86_400 : null,
    cancellation_details: { reason: null, comment: null },
    metadata: wanted.metadata ?? {},
    transfer_data: wanted.transfer_data ?? null,
    items: { object: 'list', data: [itemOf(line_items[0])] },
    settled: [],
    ...patch,
  };
  subscriptions.set(id, subscription);
  Object.assign(session, { status: 'complete', subscription: id });
  return subscription;
}

const mergeMetadata = (before: Json, wish: Json = {}) =>
  Object.fromEntries(Object.entries({ ...before, ...wish }).filter(([, value]) => value !== ''));

export function changeSubscription(subscription: Json, wish: Json): Json {
  if (subscription.status === 'canceled') throw new Refusal(400, 'resource_missing', 'It is canceled.');
  if (wish.cancel_at_period_end !== undefined) {
    subscription.cancel_at_period_end = wish.cancel_at_period_end === 'true';
    subscription.canceled_at = subscription.cancel_at_period_end ? now_s() : null;
  }
  const [item] = wish.items ?? [];
  const [present] = subscription.items.data;
  const costs = () => present.price.unit_amount * present.quantity;
  const before = costs();
  if (item) Object.assign(present, { price: priceOf(item.price_data), quantity: Number(item.quantity) });
  // Credits the rest of the period at the old price, and charges it at the new price.
  if (wish.proration_behavior === 'create_prorations') subscription.settled.push({ before, after: costs() });
  subscription.metadata = mergeMetadata(subscription.metadata, wish.metadata);
  if (wish.transfer_data !== undefined) subscription.transfer_data = wish.transfer_data || null;
  return subscription;
}

export function endSubscription(subscription: Json): Json {
  if (subscription.status === 'canceled') throw new Refusal(404, 'resource_missing', 'No such subscription.');
  const cancellation_details = { reason: 'cancellation_requested', comment: null };
  const ended = { status: 'canceled', canceled_at: now_s(), ended_at: now_s(), cancellation_details };
  return Object.assign(subscription, ended);
}

export function openAccount({ accounts }: Objects, { country, metadata = {} }: Json): Json {
  const id = newId('acct');
  const account = {
    id,
    object: 'account',
    country,
    charges_enabled: false,
    payouts_enabled: false,
    details_submitted: false,
    requirements: { currently_due: ['business_profile.url'], past_due: [], eventually_due: [], disabled_reason: null },
    metadata,
  };
  accounts.set(id, account);
  return account;
}

export function createProduct({ products }: Objects, { id, name }: Json): Json {
  if (products.has(id)) throw new Refusal(400, 'resource_already_exists');
  products.set(id, { id, object: 'product', name });
  return products.get(id);
}
