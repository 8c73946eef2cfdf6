/**
 * Subscriptions that a white-label instance has sold to its customers, at the payment provider. The provider leads; what is
 * asked here is asked of it first.
 */
import { forInstances, ok, page } from '@suite/chassis';
import { connectedShare, ConnectRequired } from '../connect/share.ts';
import { PlanRetired, PlanUnknown, PriceUnknown } from '../offers/offer.rules.ts';
import { assertQuantity, keptPrice, priceOfInstance } from '../offers/offer.ts';
import { command, query } from '../operations.ts';
import { providerFaults } from '../payments/provider.ts';
import {
  cancel as endSubscription,
  changePlan,
  findSold,
  resume as resumeSubscription,
  Unsettled,
} from '../billing/commands.ts';
import { NotProvided, PlanLimitExceeded } from '../billing/subscription.rules.ts';
import {
  Cancellation,
  PaymentSubscriptionId,
  PlanChangeInput,
  Subscription,
  SubscriptionFilter,
} from '../billing/subscription.schema.ts';
import { listSold, readSubscription } from '../billing/subscription.view.ts';

const params = { payment_subscription_id: PaymentSubscriptionId };
const faults = [...providerFaults, NotProvided, Unsettled];

export const list = query('GET /api/wl/subscriptions', {
  summary: 'List sold subscriptions',
  access: forInstances,
  query: SubscriptionFilter,
  reply: page(Subscription),
  handle: ({ db, query, caller }) => listSold(db, caller, query),
});

export const show = query('GET /api/wl/subscription/{payment_subscription_id}', {
  summary: 'Get a sold subscription',
  access: forInstances,
  params,
  reply: ok(Subscription),
  handle: ({ db, params, caller }) => readSubscription(db, caller, params.payment_subscription_id),
});

export const cancel = command('POST /api/wl/subscription/{payment_subscription_id}/cancel', {
  summary: 'Cancel a sold subscription',
  description:
    'With the period that is paid for; `immediate` ends it and what it gives at once, and refunds nothing. Asked for again it changes nothing, and `immediate` ends at once what was only ending.',
  access: forInstances,
  params,
  body: Cancellation,
  reply: ok(Subscription),
  faults,
  async prepare({ params, body, caller, read, write }) {
    const row = await read((db) => findSold(db, params.payment_subscription_id));
    await endSubscription({ read, write, caller, row }, body);
  },
  handle: ({ db, params, caller }) => readSubscription(db, caller, params.payment_subscription_id),
});

export const resume = command('POST /api/wl/subscription/{payment_subscription_id}/resume', {
  summary: 'Undo the cancellation of a sold subscription',
  description: 'As long as it has not ended.',
  access: forInstances,
  params,
  reply: ok(Subscription),
  faults,
  async prepare({ params, caller, read, write }) {
    const row = await read((db) => findSold(db, params.payment_subscription_id));
    await resumeSubscription({ read, write, caller, row });
  },
  handle: ({ db, params, caller }) => readSubscription(db, caller, params.payment_subscription_id),
});

export const change = command('POST /api/wl/subscription/{payment_subscription_id}/change', {
  summary: 'Change the plan of a sold subscription',
  description:
    'Now, with what is left of the period settled by the provider, or when the period ends. A plan with smaller limits is refused now if more is in use. Where only the quantity changes, the price stays the one that the subscription has.',
  access: forInstances,
  params,
  body: PlanChangeInput,
  reply: ok(Subscription),
  faults: [...faults, PlanUnknown, PlanRetired, PriceUnknown, PlanLimitExceeded, ConnectRequired],
  async prepare({ params, body, caller, read, write, rpcIn }) {
    const row = await read((db) => findSold(db, params.payment_subscription_id));
    const instance_id = caller.instance!.id;
    const wish = { plan: body.plan, interval: body.interval, currency: row.currency ?? undefined };
    const price = await read(
      async (db) => (await keptPrice(db, row, wish)) ?? (await priceOfInstance(db, instance_id, wish)),
    );
    assertQuantity(price, body.quantity);
    const share = await read((db) => connectedShare(db, price));
    const quantity = price.per_user ? (body.quantity ?? row.quantity) : 1;
    await changePlan({ read, write, rpcIn, caller, row }, { ...body, quantity, price, share });
  },
  handle: ({ db, params, caller }) => readSubscription(db, caller, params.payment_subscription_id),
});
