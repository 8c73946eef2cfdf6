/** Test customers of an instance, who subscribe on the provider's page, and the provider's events. */
import { dataOf, type Reply, type ServiceUnderTest } from '@suite/testing';
import type { SignedEvent, FakeStripe } from './stripe.ts';
import type { TestInstance } from './white-label.ts';

export const CALLBACK = '/api/wl/webhook-callback';

/** Delivers an event as the provider does. */
export const deliver = (platform: ServiceUnderTest, { body, headers }: SignedEvent): Promise<Reply> =>
  platform.anonymous.send('POST', CALLBACK, body, headers);

let customers = 0;

/**
 * Creates a customer who has subscribed on the provider's page, before any event is delivered. By default they pay
 * monthly for the plan `business`, without a trial.
 */
export async function subscribeCustomer(
  stripe: FakeStripe,
  { program, domain }: TestInstance,
  patch: object = {},
  input: { client_reference?: string } & Record<string, unknown> = {},
) {
  customers += 1;
  const { client_reference = `customer-of-${domain}-${customers}` } = input;
  const checkout = await dataOf(
    program.post('/api/wl/checkout', {
      plan: 'business',
      interval: 'month',
      client_reference,
      customer_email: `ada-${customers}@${domain}`,
      customer_name: 'Ada Lovelace Ltd',
      success_url: `https://${domain}/done`,
      cancel_url: `https://${domain}/back`,
      trial: false,
      timezone: 'Europe/London',
      ...input,
    }),
  );
  const session = stripe.sessionAt(checkout.url);
  const subscription = stripe.complete(session.id, patch);
  return { client_reference, checkout, session, subscription, ref: String(subscription.id) };
}

/** Creates a customer whose subscription the provider has reported. */
export async function createSubscription(
  platform: ServiceUnderTest,
  stripe: FakeStripe,
  instance: TestInstance,
  ...options: [patch?: object, wish?: { client_reference?: string } & Record<string, unknown>]
) {
  const customer = await subscribeCustomer(stripe, instance, ...options);
  await dataOf(deliver(platform, stripe.event('checkout.session.completed', customer.session)));
  const [row] = await platform.sql`SELECT * FROM subscriptions WHERE provider_ref = ${customer.ref}`;
  return { ...customer, id: String(row!['id']), workspace_id: String(row!['workspace_id']) };
}

/** Returns the subscription as its instance sees it. */
export const readSubscription = ({ program }: TestInstance, ref: string) =>
  dataOf(program.get(`/api/wl/subscription/${ref}`));
