/** Subscriptions that a white-label instance has sold. Changes are made at the payment provider first. */
import { forInstances, ok, page } from '@suite/chassis/operations';
import { connectedShare, ConnectRequired } from '../connect/share.ts';
import { PlanRetired, PlanUnknown, PriceUnknown } from '../offers/offer.rules.ts';
import { assertQuantity, unchangedPrice, priceOfInstance } from '../offers/offer.ts';
import { command, query } from '../../operations.ts';
import { providerFaults } from '../payments/provider.ts';
import {
  cancel as endSubscription,
  changePlan,
  findSoldSubscription,
  resume as resumeSubscription,
  ChangeInProgress,
} from '../billing/subscription-commands.ts';
import { NotAtProvider, PlanLimitExceeded } from '../billing/subscription.rules.ts';
import {
  Cancellation,
  PaymentSubscriptionId,
  PlanChangeInput,
  SoldSubscription,
  SubscriptionFilter,
} from '../billing/subscription.schema.ts';
import { listSoldSubscriptions, readSubscription } from '../billing/subscription.view.ts';

const ADDITION = 'An instance that can end a subscription must also view it, change it and resume it.';

const params = { payment_subscription_id: PaymentSubscriptionId };
const faults = [...providerFaults, NotAtProvider, ChangeInProgress];

export const list = query('GET /api/wl/subscriptions', {
  summary: 'List sold subscriptions',
  description:
    'Returns the subscriptions that you have sold, in the mode of the token. Filter by `status`, or by `client_reference` for one customer.',
  addition: ADDITION,
  access: forInstances,
  query: SubscriptionFilter,
  reply: page(SoldSubscription),
  handle: ({ db, query, caller }) => listSoldSubscriptions(db, caller, query),
});

export const show = query('GET /api/wl/subscription/{payment_subscription_id}', {
  summary: 'Get a sold subscription',
  description:
    'Returns a subscription that you have sold, in the mode of the token. Subscriptions of other instances return 404.',
  addition: ADDITION,
  access: forInstances,
  params,
  reply: ok(SoldSubscription),
  handle: ({ db, params, caller }) => readSubscription(db, caller, params.payment_subscription_id),
});

export const cancel = command('POST /api/wl/subscription/{payment_subscription_id}/cancel', {
  summary: 'Cancel a sold subscription',
  description:
    'Cancels the subscription at the end of the paid period. `immediate` ends the subscription immediately, without a refund. Repeating the request changes nothing, except that `immediate` ends a subscription that was about to end.',
  access: forInstances,
  params,
  body: Cancellation,
  reply: ok(SoldSubscription),
  faults,
  async prepare({ params, body, caller, read, write }) {
    const row = await read((db) => findSoldSubscription(db, params.payment_subscription_id));
    await endSubscription({ read, write, caller, row }, body);
  },
  handle: ({ db, params, caller }) => readSubscription(db, caller, params.payment_subscription_id),
});

export const resume = command('POST /api/wl/subscription/{payment_subscription_id}/resume', {
  summary: 'Undo the cancellation of a sold subscription',
  description:
    'Undoes a cancellation that has not taken effect yet. The subscription renews again at the end of its period.',
  addition: ADDITION,
  access: forInstances,
  params,
  reply: ok(SoldSubscription),
  faults,
  async prepare({ params, caller, read, write }) {
    const row = await read((db) => findSoldSubscription(db, params.payment_subscription_id));
    await resumeSubscription({ read, write, caller, row });
  },
  handle: ({ db, params, caller }) => readSubscription(db, caller, params.payment_subscription_id),
});

export const change = command('POST /api/wl/subscription/{payment_subscription_id}/change', {
  summary: 'Change the plan of a sold subscription',
  description:
    'Changes the plan, interval or quantity, now or at the end of the period. The payment provider prorates an immediate change. Returns `plan_limit` if more is in use than the new plan allows. Changing only the quantity keeps the price.',
  addition: ADDITION,
  access: forInstances,
  params,
  body: PlanChangeInput,
  reply: ok(SoldSubscription),
  faults: [...faults, PlanUnknown, PlanRetired, PriceUnknown, PlanLimitExceeded, ConnectRequired],
  async prepare({ params, body, caller, read, write, rpcIn }) {
    const row = await read((db) => findSoldSubscription(db, params.payment_subscription_id));
    const instance_id = caller.instance!.id;
    const request = { plan: body.plan, interval: body.interval, currency: row.currency ?? undefined };
    const price = await read(
      async (db) => (await unchangedPrice(db, row, request)) ?? (await priceOfInstance(db, instance_id, request)),
    );
    assertQuantity(price, body.quantity);
    const share = await read((db) => connectedShare(db, price));
    const quantity = price.per_user ? (body.quantity ?? row.quantity) : 1;
    await changePlan({ read, write, rpcIn, caller, row }, { ...body, quantity, price, share });
  },
  handle: ({ db, params, caller }) => readSubscription(db, caller, params.payment_subscription_id),
});
