/**
 * A white-label instance with one record of each kind: a paying customer, a checkout, events, an account, its own
 * prices.
 */
import { randomUUID } from 'node:crypto';
import { dataOf, type Reply } from '@suite/testing/http';
import { retryPostponed } from '@suite/testing/waiting';
import type { FakeStripe } from '@suite/testing/payments/stripe';
import { checkoutOf, type Instance, openInstance, createSubscriber } from '@suite/testing/suite/instance';
import type { SharedSuite } from '@suite/testing/suite/started';
import type { ApiOperation } from './api-document.ts';

export interface FilledInstance extends Instance {
  /** The provider's ID of a subscription sold by the instance. */
  ref: string;
  /** All strings that identify one of its records. */
  names: string[];
  /** Returns the instance's own records for the variables of a path. */
  own(operation: ApiOperation): Record<string, string>;
  /** Returns a body that the operation accepts. */
  body(operation: ApiOperation): object;
}

const addresses = ({ domain }: Instance) => ({
  return_url: `https://${domain}/done`,
  refresh_url: `https://${domain}/again`,
});

/** Opens one. */
export async function createInstance(suite: SharedSuite, stripe: FakeStripe): Promise<FilledInstance> {
  const instance = await openInstance(suite);
  const { program } = instance;
  const bodies: Record<string, () => object> = {
    'checkouts.create': () => checkoutOf(instance, `customer-${randomUUID()}`),
    'offers.update': () => ({ prices: [{ currency: 'EUR', interval: 'month', amount: '35.00' }], offered: true }),
    'connect.onboard': () => ({ country: 'DE', ...addresses(instance) }),
    'instances.rotateToken': () => ({ overlap_hours: 1 }),
    'soldSubscriptions.change': () => ({ plan: 'business', interval: 'month', at: 'now' }),
    'soldSubscriptions.cancel': () => ({ reason: 'A test' }),
  };
  const { ref, checkout, client_reference } = await createSubscriber(suite, stripe, instance, { trial: false });
  const done = (call: () => Promise<Reply>) => dataOf(retryPostponed(call));
  const account = await done(() => program.post('/api/wl/connect/onboard', bodies['connect.onboard']!()));
  await done(() => program.post('/api/wl/plans/update/business', bodies['offers.update']!()));
  const [event] = await done(() => program.get('/api/wl/events'));
  return {
    ...instance,
    ref,
    names: [ref, checkout.id, client_reference, event.id, account.provider_account_id, instance.id, instance.domain],
    own: ({ path, path_variables }) => {
      const id = path.includes('checkout') ? checkout.id : event.id;
      const known: Record<string, string> = { payment_subscription_id: ref, code: 'business', id };
      return Object.fromEntries(path_variables.map((name) => [name, String(known[name])]));
    },
    body: ({ id }) => bodies[id]?.() ?? {},
  };
}
