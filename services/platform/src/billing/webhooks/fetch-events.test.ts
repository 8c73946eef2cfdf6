import { beforeAll, describe, expect, test } from '@jest/globals';
import { clock } from '@suite/chassis/runtime';
import { start } from '@suite/testing';
import { readSubscription, deliver, subscribeCustomer } from '../../../test/customers.ts';
import { sellPlans } from '../../../test/plans.ts';
import { startFakeStripe } from '../../../test/stripe.ts';
import { openInstance, type TestInstance } from '../../../test/white-label.ts';
import { platform as contents } from '../../platform.ts';
import { fetchPaymentEvents } from './fetch-events.ts';

// Runs without schedules, so that the test decides when events are fetched.
const platform = await start({ ...contents, schedules: [] });
const stripe = await startFakeStripe();
let northwind: TestInstance;
beforeAll(async () => {
  await sellPlans(platform);
  northwind = await openInstance(platform);
});

const fetchEvents = () => fetchPaymentEvents.work(platform.tools as never);
const fetchedUntil = async () => (await platform.sql`SELECT fetched_until FROM event_fetches`)[0]?.['fetched_until'];
const countInboundEvents = async () =>
  (await platform.sql`SELECT count(*)::int AS events FROM inbound_events`)[0]!['events'];

describe('events that no webhook has delivered', () => {
  test('are fetched from the provider, each once', async () => {
    const { session, subscription, ref } = await subscribeCustomer(stripe, northwind);
    stripe.event('checkout.session.completed', session);
    for (const type of ['created', 'updated']) stripe.event(`customer.subscription.${type}`, subscription);
    await fetchEvents();
    expect(await readSubscription(northwind, ref)).toMatchObject({ payment_subscription_id: ref, status: 'active' });
    expect(await countInboundEvents()).toBe(3);
    await fetchEvents();
    expect(await countInboundEvents()).toBe(3);
  });

  test('are fetched from the time of the last fetch that a restored database contains', async () => {
    const { session, ref } = await subscribeCustomer(stripe, northwind);
    stripe.event('checkout.session.completed', session, {
      created: Math.floor(clock.now().getTime() / 1_000) - 86_400,
    });
    await fetchEvents();
    expect(await platform.sql`SELECT FROM subscriptions WHERE provider_ref = ${ref}`).toEqual([]);
    await platform.sql`UPDATE event_fetches SET fetched_until = now() - interval '2 days'`;
    await fetchEvents();
    expect(await readSubscription(northwind, ref)).toMatchObject({ status: 'active' });
  });

  test('have no second effect if a webhook delivers them later', async () => {
    const { session } = await subscribeCustomer(stripe, northwind);
    const event = stripe.event('checkout.session.completed', session);
    await fetchEvents();
    expect(await deliver(platform, event)).toMatchObject({ body: { data: { status: 'processed', duplicate: true } } });
  });

  test('are fetched again after a failure of the provider', async () => {
    const { session, ref } = await subscribeCustomer(stripe, northwind);
    stripe.event('checkout.session.completed', session);
    const before = await fetchedUntil();
    stripe.failing = { times: 9, status: 500 };
    await expect(fetchEvents()).rejects.toMatchObject({ code: 'provider_failed' });
    expect(await fetchedUntil()).toEqual(before);
    stripe.failing = { times: 0, status: 500 };
    await fetchEvents();
    expect(await readSubscription(northwind, ref)).toMatchObject({ status: 'active' });
  });
});
