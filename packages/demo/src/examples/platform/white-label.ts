/**
 * Factories for sales of partners and subscriptions of workspaces, and their example calls. `$reseller` is the ID of a
 * shared record, and `$reseller!` the ID of a record created for the call.
 */
import type { ExampleRecorder, ExampleCall, ExampleFactory, Row } from '../recorder/recorder.ts';

const order = (partner: Row, client_reference: string) => ({
  plan: 'business',
  interval: 'month',
  client_reference,
  customer_email: `${client_reference}@bikes.example`,
  customer_name: 'Bell Street Bikes',
  success_url: partner['done'],
  cancel_url: partner['back'],
});

/** Creates a checkout for a customer of the partner that calls share. */
async function checkout(recorder: ExampleRecorder, client_reference: string): Promise<Row> {
  const partner = await recorder.shared('reseller');
  return await recorder.call('checkouts.create', {
    as: String(partner['token']),
    body: order(partner, client_reference),
  });
}

const OWN = {
  plan: 'business',
  interval: 'month',
  success_url: 'https://app.bikes.example/paid',
  cancel_url: 'https://app.bikes.example/plans',
};

/** Factories for the examples of white label and subscriptions. */
export const whiteLabel: Record<string, ExampleFactory> = {
  reseller: async ({ seller }) => {
    const { id, token, domain } = await seller.openInstance();
    return { id, token, done: `https://${domain}/paid`, back: `https://${domain}/plans` };
  },
  checkout: (recorder, serial) => checkout(recorder, `bikes-${serial}`),
  payment_subscription: async (recorder, serial) => {
    const { url } = await checkout(recorder, `customer-${serial}`);
    return { id: await recorder.seller.pay(String(url)) };
  },
  callback: async (recorder) => {
    await recorder.shared('payment_subscription');
    const partner = await recorder.shared('reseller');
    const events = await recorder.call('callback.list', { as: String(partner['token']) });
    return (events as unknown as Row[])[0]!;
  },
  undecided: ({ seller }) => seller.openWorkspace(),
  subscriber: async (recorder) => {
    const buyer = await recorder.seller.openWorkspace();
    const { url } = await recorder.call('ownSubscription.checkout', { as: buyer.access_token, body: OWN });
    await recorder.seller.pay(String(url));
    return buyer;
  },
};

const as = '$reseller.token';
const addresses = { return_url: '$reseller.done', refresh_url: '$reseller.back' };
const CHANGE = { plan: 'enterprise', interval: 'month', at: 'period_end' };

/** Example calls for white label and subscriptions. */
export const whiteLabelCalls: Record<string, ExampleCall> = {
  'instances.rotateToken': { as: '$reseller!.token', body: { overlap_hours: 24 } },
  'instances.rotateWebhookSecret': { as: '$reseller!.token' },
  'offers.list': { as },
  'offers.update': {
    as,
    path: { code: 'business' },
    body: { prices: [{ currency: 'EUR', interval: 'month', amount: '35.00' }], offered: true },
  },
  'checkouts.create': {
    as,
    body: {
      ...order({ id: '', done: '$reseller.done', back: '$reseller.back' }, 'bikes-of-bell-street'),
      timezone: 'Europe/London',
      country: 'GB',
    },
  },
  'checkouts.show': { as },
  'connect.onboard': { as, body: { country: 'DE', business_type: 'company', ...addresses } },
  'connect.status': { as },
  'soldSubscriptions.list': { as },
  'soldSubscriptions.show': { as },
  'soldSubscriptions.cancel': { as, body: { reason: 'The customer closes the shop.' } },
  'soldSubscriptions.resume': { as },
  'soldSubscriptions.change': { as, body: CHANGE },
  'callback.list': { as },
  'callback.replay': { as },
  'ownSubscription.checkout': { as: '$undecided!.access_token', body: OWN },
  'ownSubscription.cancel': { as: '$subscriber!.access_token', body: { reason: 'We close the shop.' } },
  'ownSubscription.resume': { as: '$subscriber!.access_token' },
  'ownSubscription.change': { as: '$subscriber!.access_token', body: CHANGE },
  'ownSubscription.portal': {
    as: '$subscriber!.access_token',
    body: { return_url: 'https://app.bikes.example/plans' },
  },
};
