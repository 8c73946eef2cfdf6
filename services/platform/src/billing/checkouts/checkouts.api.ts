/** Checkouts: payment pages on which customers of a white-label instance subscribe to a plan. */
import { Id } from '@suite/chassis/fields';
import { forInstances, ok, upserted } from '@suite/chassis/operations';
import { ChangeInProgress } from '../billing/subscription-commands.ts';
import { AlreadySubscribed } from '../billing/subscription.rules.ts';
import { connectedShare, ConnectRequired } from '../connect/share.ts';
import { assertOwnAddress, UrlNotAllowed } from '../instances/address.ts';
import { PlanRetired, PlanUnknown, PriceUnknown } from '../offers/offer.rules.ts';
import { assertQuantity, priceOfInstance } from '../offers/offer.ts';
import { command, query } from '../../operations.ts';
import { providerFaults } from '../payments/provider.ts';
import { CheckoutInput, CheckoutSession } from './checkout.schema.ts';
import { openCheckout, readCheckout } from './checkout.ts';

export const create = command('POST /api/wl/checkout', {
  summary: 'Create a checkout for a customer',
  description:
    'Creates a payment page: send the customer to `url`. An open checkout with the same plan, price and quantity is returned again. Any other open checkout of the customer is closed. The payment creates the workspace and invites its owner. Test mode creates a separate workspace, which grants nothing in live mode.',
  access: forInstances,
  body: CheckoutInput,
  reply: upserted(CheckoutSession),
  faults: [
    ...providerFaults,
    UrlNotAllowed,
    PlanUnknown,
    PlanRetired,
    PriceUnknown,
    AlreadySubscribed,
    ConnectRequired,
    ChangeInProgress,
  ],
  async prepare({ body, caller, read, write }) {
    const { id, mode } = caller.instance!;
    const { plan, interval, currency, quantity, ...request } = body;
    const { price, share } = await read(async (db) => {
      await assertOwnAddress(db, { success_url: body.success_url, cancel_url: body.cancel_url });
      const found = await priceOfInstance(db, id, { plan, interval, currency });
      assertQuantity(found, quantity);
      return { price: found, share: await connectedShare(db, found) };
    });
    const buyer = { wl_instance_id: id };
    return await openCheckout({ read, write }, { ...request, buyer, mode, price, share, quantity: quantity ?? 1 });
  },
  handle: async ({ db, prepared: { id, created } }) => ({ created, record: await readCheckout(db, id) }),
});

export const show = query('GET /api/wl/checkout/{id}', {
  summary: 'Get a checkout',
  description:
    'Returns a checkout with its status. `url` is set while the checkout is open. `subscription_id` is set once the customer has subscribed.',
  addition: 'An instance that has sent a customer to a checkout page needs the outcome.',
  access: forInstances,
  params: { id: Id },
  reply: ok(CheckoutSession),
  handle: ({ db, params }) => readCheckout(db, params.id),
});
