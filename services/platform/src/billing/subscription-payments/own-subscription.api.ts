/** The subscription that a workspace pays itself. Partners manage the subscriptions that they have sold. */
import type { Caller } from '@suite/chassis/identity';
import { can, ok, upserted } from '@suite/chassis/operations';
import { CheckoutSession } from '../checkouts/checkout.schema.ts';
import { openCheckout, readCheckout } from '../checkouts/checkout.ts';
import { PlanRetired, PlanUnknown, PriceUnknown } from '../offers/offer.rules.ts';
import { assertQuantity, unchangedPrice, priceOfOperator } from '../offers/offer.ts';
import { command, type Db, type Read, type Write } from '../../operations.ts';
import { ownMode, providerIn } from '../payments/payments.ts';
import { ProviderFailed, providerFaults } from '../payments/provider.ts';
import {
  cancel as endSubscription,
  changePlan,
  providerRefOf,
  resume as resumeSubscription,
  ChangeInProgress,
} from '../billing/subscription-commands.ts';
import {
  AlreadySubscribed,
  ManagedByPartner,
  NotAtProvider,
  PlanLimitExceeded,
  subscriptions,
} from '../billing/subscription.rules.ts';
import {
  Cancellation,
  OwnCheckoutInput,
  PlanChangeInput,
  Portal,
  PortalInput,
  SoldSubscription,
} from '../billing/subscription.schema.ts';
import { readOwnSubscription, readSubscription, type SubscriptionRow } from '../billing/subscription.view.ts';
import { endTestSubscription, isTestSubscriptionInLiveMode } from '../billing/subscription-mode.ts';

const ADDITION =
  'A workspace without a partner pays its own subscription, which no operation of the specification allows.';

const faults = [...providerFaults, ManagedByPartner, NotAtProvider, ChangeInProgress];

/** Returns the workspace's subscription, if the workspace manages it itself. @throws NotFound, ManagedByPartner */
async function readManagedSubscription(db: Db): Promise<SubscriptionRow> {
  const row = await readOwnSubscription(db);
  if (row.wl_instance_id !== null) throw ManagedByPartner();
  return row;
}

/** Returns the current subscription. A test-mode subscription has ended if the operator sells in live mode. */
async function readCurrentSubscription({ read, write }: { read: Read; write: Write }): Promise<SubscriptionRow> {
  const row = await read(readManagedSubscription);
  if (!isTestSubscriptionInLiveMode(row)) return row;
  await write((db, emit) => endTestSubscription({ db, emit }, { id: row.id, workspace_id: row.workspace_id! }));
  return await read(readManagedSubscription);
}

const subscriptionResponse = async (db: Db, caller: Caller) =>
  readSubscription(db, caller, providerRefOf(await readManagedSubscription(db)));

export const checkout = command('POST /api/subscription/checkout', {
  summary: 'Create a checkout for the workspace',
  description:
    'Returns a payment page. Redirect the browser to `url`. Repeating the request returns the page that is still open. Returns `already_subscribed` if a subscription exists. If the operator sells in live mode, a test subscription does not count as existing.',
  addition: ADDITION,
  access: can('subscription.manage'),
  body: OwnCheckoutInput,
  reply: upserted(CheckoutSession),
  faults: [...faults, PlanUnknown, PlanRetired, PriceUnknown, AlreadySubscribed],
  async prepare({ body, caller, read, write }) {
    const { plan, interval, currency, quantity, ...addresses } = body;
    const { workspace_id } = caller;
    const { price, email } = await read(async (db) => {
      if (await db.subscription.findFirst({ where: { wl_instance_id: { not: null } } })) throw ManagedByPartner();
      const found = await priceOfOperator(db, { plan, interval, currency });
      assertQuantity(found, quantity);
      return { price: found, ...(await db.user.findFirstOrThrow({ where: { id: caller.user_id } })) };
    });
    const request = { ...addresses, price, share: undefined, quantity: quantity ?? 1, trial: true, metadata: {} };
    const buyer = { client_reference: workspace_id, customer_email: email!, buyer: { workspace_id } };
    return await openCheckout({ read, write }, { ...request, ...buyer, mode: ownMode() });
  },
  handle: async ({ db, prepared: { id, created } }) => ({ created, record: await readCheckout(db, id) }),
});

export const change = command('POST /api/subscription/change', {
  summary: 'Change the plan of the workspace',
  description:
    'Changes plan, interval or quantity, now or at the end of the period. The payment provider prorates an immediate change. Returns `plan_limit` if more is in use than the new plan allows.',
  addition: ADDITION,
  access: subscriptions.can('change'),
  body: PlanChangeInput,
  reply: ok(SoldSubscription),
  faults: [...faults, PlanUnknown, PlanRetired, PriceUnknown, PlanLimitExceeded],
  async prepare({ body, caller, read, write, rpcIn }) {
    const row = await readCurrentSubscription({ read, write });
    const request = { plan: body.plan, interval: body.interval, currency: row.currency ?? undefined };
    const price = await read(
      async (db) => (await unchangedPrice(db, row, request)) ?? (await priceOfOperator(db, request)),
    );
    assertQuantity(price, body.quantity);
    const quantity = price.per_user ? (body.quantity ?? row.quantity) : 1;
    await changePlan({ read, write, rpcIn, caller, row }, { ...body, quantity, price, share: undefined });
  },
  handle: ({ db, caller }) => subscriptionResponse(db, caller),
});

export const cancel = command('POST /api/subscription/cancel', {
  summary: 'Cancel the subscription of the workspace',
  description:
    'Cancels the subscription at the end of the paid period. `immediate` ends the subscription and access to its modules immediately, without a refund. Returns `managed_by_partner` if a partner sold the subscription.',
  addition: ADDITION,
  access: subscriptions.can('cancel'),
  body: Cancellation,
  reply: ok(SoldSubscription),
  faults,
  async prepare({ body, caller, read, write }) {
    const row = await read(readManagedSubscription);
    await (isTestSubscriptionInLiveMode(row)
      ? readCurrentSubscription({ read, write })
      : endSubscription({ read, write, caller, row }, body));
  },
  handle: ({ db, caller }) => subscriptionResponse(db, caller),
});

export const resume = command('POST /api/subscription/resume', {
  summary: 'Undo the cancellation of the subscription',
  description:
    'Undoes a cancellation that has not taken effect yet. The subscription renews again at the end of its period.',
  addition: ADDITION,
  access: subscriptions.can('resume'),
  reply: ok(SoldSubscription),
  faults,
  prepare: async ({ caller, read, write }) =>
    resumeSubscription({ read, write, caller, row: await readCurrentSubscription({ read, write }) }),
  handle: ({ db, caller }) => subscriptionResponse(db, caller),
});

export const portal = command('POST /api/subscription/portal', {
  summary: 'Open the billing portal',
  description:
    'Returns a link to the billing pages of the payment provider, for invoices and payment methods. The link expires after a few minutes.',
  addition: ADDITION,
  access: can('subscription.manage'),
  body: PortalInput,
  reply: ok(Portal),
  faults,
  async prepare({ body, read, write }) {
    const row = await readCurrentSubscription({ read, write });
    const provider = providerIn(row.provider_mode === 'live' ? 'live' : 'test');
    const subscription = await provider.subscription(providerRefOf(row));
    if (!subscription) throw ProviderFailed();
    return { url: await provider.portal(subscription.customer_ref, body.return_url) };
  },
  handle: ({ prepared }) => prepared,
});
