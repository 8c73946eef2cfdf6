/** Tests of the price of a running subscription: the customer's price, and the partner's share. */
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { start } from '@suite/testing';
import { dataOf, sendRequest } from '@suite/testing/http';
import { platform as contents } from '../../platform.ts';
import { readSubscription, createSubscription } from '../../../test/customers.ts';
import { sellPlans } from '../../../test/plans.ts';
import { startFakeStripe } from '../../../test/stripe.ts';
import { openInstance, type TestInstance } from '../../../test/white-label.ts';

const platform = await start(contents);
const stripe = await startFakeStripe({ timeout_ms: 1_000 });
const PER_USER = { plan: 'seats', interval: 'month' };
beforeAll(async () => {
  await sellPlans(platform);
  await platform.sql`
    INSERT INTO plans (code, name, description, modules, position, status) VALUES ('seats', 'Seats', '', '{crm}', 50, 'active')`;
  await price('10.00', '6.00');
});

/** Replaces the price for each user of the plan. */
async function price(amount: string, wholesale: string): Promise<void> {
  await platform.sql`UPDATE prices SET replaced_at = now() WHERE plan_code = 'seats' AND replaced_at IS NULL`;
  await platform.sql`
    INSERT INTO prices (id, plan_code, currency, "interval", amount, wholesale_amount, per_user)
    VALUES (gen_random_uuid(), 'seats', 'EUR', 'month', ${amount}, ${wholesale}, true)`;
}

let northwind: TestInstance;
let destination: string;
beforeEach(async () => {
  northwind = await openInstance(platform);
  const { domain, program } = northwind;
  const addresses = { return_url: `https://${domain}/done`, refresh_url: `https://${domain}/again` };
  const { provider_account_id: id } = await dataOf(
    program.post('/api/wl/connect/onboard', { country: 'DE', ...addresses }),
  );
  destination = id;
  Object.assign(stripe.accounts.get(id), { charges_enabled: true, payouts_enabled: true, details_submitted: true });
  await dataOf(program.get('/api/wl/connect/status?refresh=true'));
});

const createPrice = (amount: string) =>
  dataOf(
    northwind.program.post('/api/wl/plans/update/business', {
      prices: [{ currency: 'EUR', interval: 'month', amount }],
    }),
  );
const change = (ref: string, input: object) =>
  northwind.program.post(`/api/wl/subscription/${ref}/change`, { at: 'now', interval: 'month', ...input });

test('a higher partner price does not affect existing subscriptions', async () => {
  await createPrice('49.00');
  const { ref, subscription } = await createSubscription(platform, stripe, northwind);
  expect(subscription.transfer_data).toEqual({ destination, amount_percent: '28.57' });
  const calls = stripe.calls.length;
  await createPrice('70.00');
  expect(stripe.calls).toHaveLength(calls);
  expect(await readSubscription(northwind, ref)).toMatchObject({ amount: '49.00' });
});

test("a plan without a margin removes the partner's share", async () => {
  await createPrice('49.00');
  const { ref, subscription } = await createSubscription(platform, stripe, northwind);
  await createPrice('35.00');
  await platform.sql`UPDATE prices SET wholesale_amount = 15.00 WHERE plan_code = 'starter'`;
  expect(await dataOf(change(ref, { plan: 'starter' }))).toMatchObject({ plan: 'starter', amount: '15.00' });
  expect(subscription.transfer_data).toBeNull();
  await platform.sql`UPDATE prices SET wholesale_amount = 9.00 WHERE plan_code = 'starter'`;
});

describe('a different number of seats', () => {
  const bought = () => createSubscription(platform, stripe, northwind, {}, { ...PER_USER, quantity: 3 });

  test('costs the agreed price, even after a price change or retirement of the plan', async () => {
    const { ref, subscription } = await bought();
    expect(subscription.transfer_data).toEqual({ destination, amount_percent: '40' });
    await price('20.00', '18.00');
    await platform.sql`UPDATE plans SET status = 'retired' WHERE code = 'seats'`;
    expect(await dataOf(change(ref, { plan: 'seats', quantity: 5 }))).toMatchObject({ amount: '10.00', quantity: 5 });
    expect(subscription.transfer_data).toEqual({ destination, amount_percent: '40' });
    await platform.sql`UPDATE plans SET status = 'active' WHERE code = 'seats'`;
  });

  test('gives no credit for a scheduled change that is replaced before it was paid', async () => {
    await price('10.00', '6.00');
    const { ref, subscription } = await bought();
    await dataOf(change(ref, { plan: 'seats', quantity: 50, at: 'period_end' }));
    await dataOf(change(ref, { plan: 'seats', quantity: 90, at: 'period_end' }));
    expect(await dataOf(change(ref, { plan: 'seats', quantity: 2 }))).toMatchObject({ quantity: 2 });
    await dataOf(change(ref, { plan: 'seats', quantity: 4 }));
    expect(subscription.settled).toEqual([
      { before: 3_000, after: 2_000 },
      { before: 2_000, after: 4_000 },
    ]);
  });

  test('is rejected for a plan with a price for the whole workspace', async () => {
    const { ref } = await bought();
    expect(await change(ref, { plan: 'business', quantity: 5 })).toMatchObject({
      status: 422,
      body: { errors: { quantity: expect.anything() } },
    });
  });
});

describe('an unresponsive provider', () => {
  const post = (path: string, body: object) =>
    sendRequest(platform.url, path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        'content-type': 'application/json',
        'idempotency-key': 'once',
        authorization: `Bearer ${platform.gateway.sign('platform', northwind.program.caller)}`,
      },
    });

  test('leaves nothing visible, and returns the same page for the same key', async () => {
    const { domain } = northwind;
    const input = {
      plan: 'business',
      interval: 'month',
      client_reference: 'slow',
      customer_email: `slow@${domain}`,
      success_url: `https://${domain}/`,
      cancel_url: `https://${domain}/`,
    };
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    stripe.meanwhile = (call) => (call.startsWith('POST /v1/checkout') ? held : undefined);
    const late = await post('/api/wl/checkout', input);
    expect(late).toMatchObject({ status: 504, body: { code: 'provider_timeout' } });
    stripe.meanwhile = undefined;
    goOn();
    const again = await post('/api/wl/checkout', input);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, null]);
    const ownSessions = [...stripe.sessions.values()].filter(({ wish: { client_reference_id: of } }) => of === 'slow');
    expect(ownSessions.map(({ url }) => url)).toEqual([again.body.data.url]);
  });

  test('ends a subscription once, regardless of the number of requests', async () => {
    const { ref } = await createSubscription(platform, stripe, northwind);
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    stripe.meanwhile = (call) => (call.startsWith('DELETE') ? held : undefined);
    const path = `/api/wl/subscription/${ref}/cancel`;
    expect(await post(path, { immediate: true })).toMatchObject({ status: 504, body: { code: 'provider_timeout' } });
    expect((await readSubscription(northwind, ref)).status).toBe('active');
    stripe.meanwhile = undefined;
    goOn();
    expect((await post(path, { immediate: true })).body.data).toMatchObject({ status: 'canceled' });
  });
});
