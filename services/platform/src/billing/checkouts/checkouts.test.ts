import { beforeAll, describe, expect, test } from '@jest/globals';
import { start, sortedStatuses, runConcurrently } from '@suite/testing';
import { platform as contents } from '../../platform.ts';
import { sellPlans } from '../../../test/plans.ts';
import { startFakeStripe } from '../../../test/stripe.ts';
import { openInstance, type TestInstance } from '../../../test/white-label.ts';

const platform = await start(contents);
const stripe = await startFakeStripe();
beforeAll(() => sellPlans(platform));

let customers = 0;
/** Returns an instance's order for a new customer, at the wholesale price. */
function order({ domain }: TestInstance, input: object = {}) {
  customers += 1;
  return {
    plan: 'business',
    interval: 'month',
    currency: 'EUR',
    client_reference: `customer-${customers}`,
    customer_email: `ada-${customers}@example.com`,
    success_url: `https://${domain}/done`,
    cancel_url: `https://app.${domain}/back`,
    ...input,
  };
}
const CHECKOUT = '/api/wl/checkout';
/** Returns the statuses of the pages that the provider has opened for a customer. */
const pagesOf = ({ client_reference }: { client_reference: string }): string[] =>
  [...stripe.sessions.values()]
    .filter(({ wish: input }) => input.client_reference_id === client_reference)
    .map(({ status }) => status);

describe('a checkout', () => {
  test('opens a provider page on which the customer subscribes', async () => {
    const instance = await openInstance(platform);
    const input = order(instance, { metadata: { campaign: 'spring' } });
    const { status, body } = await instance.program.post(CHECKOUT, input);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      status: 'open',
      plan: 'business',
      interval: 'month',
      price: { amount: '35.00', currency: 'EUR' },
      client_reference: input.client_reference,
      trial: true,
      trial_days: 14,
      metadata: { campaign: 'spring' },
      subscription_id: null,
    });
    expect(body.data.url).toMatch(/^https:\/\/checkout\.stripe\.test\//);
    expect((await instance.program.get(`/api/wl/checkout/${body.data.id}`)).body.data).toEqual(body.data);
    const other = await openInstance(platform);
    expect((await other.program.get(`/api/wl/checkout/${body.data.id}`)).status).toBe(404);
  });

  test('is reused for the same customer, plan and price, and otherwise replaced', async () => {
    const instance = await openInstance(platform);
    const input = order(instance);
    const first = await instance.program.post(CHECKOUT, input);
    const same = await instance.program.post(CHECKOUT, input);
    expect([first.status, same.status]).toEqual([201, 200]);
    expect(same.body.data).toEqual(first.body.data);
    const yearly = await instance.program.post(CHECKOUT, { ...input, interval: 'year' });
    expect(yearly.body.data).toMatchObject({ interval: 'year', status: 'open' });
    expect((await instance.program.get(`/api/wl/checkout/${first.body.data.id}`)).body.data).toMatchObject({
      status: 'expired',
      url: null,
    });
    expect(pagesOf(input)).toEqual(['expired', 'open']);
  });

  test('is not opened while another payable one could not be ended', async () => {
    const instance = await openInstance(platform);
    const input = order(instance);
    const first = await instance.program.post(CHECKOUT, input);
    stripe.failing = { times: 2, status: 500 };
    const yearly = { ...input, interval: 'year' };
    expect(await instance.program.post(CHECKOUT, yearly)).toMatchObject({ status: 502 });
    stripe.failing.times = 0;
    const shown = await instance.program.get(`/api/wl/checkout/${first.body.data.id}`);
    expect(shown.body.data).toEqual(first.body.data);
    expect((await instance.program.post(CHECKOUT, yearly)).status).toBe(201);
    expect(pagesOf(input)).toEqual(['expired', 'open']);
  });

  test('cannot be followed by another one if it is already paid', async () => {
    const instance = await openInstance(platform);
    const input = order(instance);
    const { data } = (await instance.program.post(CHECKOUT, input)).body;
    const { id: ref } = stripe.complete(stripe.sessionAt(data.url).id);
    const yearly = { ...input, interval: 'year' };
    expect(await instance.program.post(CHECKOUT, yearly)).toMatchObject({
      status: 409,
      body: { code: 'already_subscribed' },
    });
    expect((await instance.program.get(`/api/wl/subscription/${ref}`)).body.data).toMatchObject({ plan: 'business' });
    expect(pagesOf(input)).toEqual(['complete']);
  });

  test('is the only one at the provider after many different concurrent requests', async () => {
    const instance = await openInstance(platform);
    const input = order(instance);
    await runConcurrently(10, (at) =>
      instance.program.post(CHECKOUT, { ...input, interval: at % 2 === 0 ? 'month' : 'year' }),
    );
    const last = await instance.program.post(CHECKOUT, input);
    expect(pagesOf(input).filter((status) => status === 'open')).toHaveLength(1);
    expect(stripe.sessionAt(last.body.data.url)).toMatchObject({ status: 'open' });
  });

  test('is opened once for many concurrent requests', async () => {
    const instance = await openInstance(platform);
    const input = order(instance);
    const replies = await runConcurrently(50, () => instance.program.post(CHECKOUT, input));
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([200, 201]));
    expect(sortedStatuses(replies).filter((status) => status === 201)).toHaveLength(1);
    expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(1);
    expect(pagesOf(input)).toHaveLength(1);
  });

  test('leaves nothing if the provider rejects it, and can be retried with the same key', async () => {
    const instance = await openInstance(platform);
    const input = order(instance);
    const key = { headers: { 'idempotency-key': 'order-1' } };
    stripe.failing = { times: 2, status: 500 };
    expect(await instance.program.post(CHECKOUT, input, key)).toMatchObject({
      status: 502,
      body: { code: 'provider_failed' },
    });
    expect(await platform.sql`SELECT FROM checkout_sessions WHERE wl_instance_id = ${instance.id}`).toEqual([]);
    stripe.failing.times = 0;
    const reply = await instance.program.post(CHECKOUT, input, key);
    expect(reply.status).toBe(201);
    const replayed = await instance.program.post(CHECKOUT, input, key);
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    expect(replayed.body).toEqual(reply.body);
  });

  test('is completed by a later request with the same ID after a provider timeout', async () => {
    const instance = await openInstance(platform);
    const input = order(instance);
    stripe.failing = { times: 2, status: 409 };
    expect(await instance.program.post(CHECKOUT, input)).toMatchObject({
      status: 504,
      body: { code: 'provider_timeout' },
    });
    stripe.failing.times = 0;
    const rows = await platform.sql`SELECT id FROM checkout_sessions WHERE wl_instance_id = ${instance.id}`;
    expect((await instance.program.post(CHECKOUT, input)).body.data.id).toBe(rows[0]!['id']);
  });

  test.each([
    [{ plan: 'nothing' }, 422, 'plan_unknown'],
    [{ plan: 'retired' }, 422, 'plan_retired'],
    [{ currency: 'CHF' }, 422, 'price_unknown'],
    [{ success_url: 'https://evil.example/' }, 422, 'url_not_allowed'],
    [{ quantity: 3 }, 422, 'validation_failed'],
    [{ workspace_id: 'x' }, 422, 'validation_failed'],
    [{ client_reference: 'a b' }, 422, 'validation_failed'],
  ])('is rejected for %j with %i %s', async (input, status, code) => {
    const instance = await openInstance(platform);
    expect(await instance.program.post(CHECKOUT, order(instance, input))).toMatchObject({ status, body: { code } });
  });

  test('allows one trial for each customer and each address', async () => {
    const instance = await openInstance(platform);
    const input = order(instance);
    await instance.program.post(CHECKOUT, input);
    const elsewhere = order(instance, { customer_email: input.customer_email.toUpperCase() });
    expect((await instance.program.post(CHECKOUT, elsewhere)).body.data).toMatchObject({ trial: false, trial_days: 0 });
    expect((await instance.program.post(CHECKOUT, order(instance, { trial: false }))).body.data).toMatchObject({
      trial: false,
    });
  });

  test.each([
    ['de', 'de'],
    ['de-AT', 'de'],
    ['pt-BR', 'pt-BR'],
    ['xx', 'auto'],
  ])('is shown for the locale %s in %s', async (locale, expected) => {
    const instance = await openInstance(platform);
    const reply = await instance.program.post(CHECKOUT, order(instance, { locale }));
    expect(reply.status).toBe(201);
    expect(stripe.sessionAt(reply.body.data.url).wish.locale).toBe(expected);
  });

  test('requires a connected account above the wholesale price', async () => {
    const instance = await openInstance(platform);
    const price = { currency: 'EUR', interval: 'month', amount: '49.00' };
    await instance.program.post('/api/wl/plans/update/business', { prices: [price] });
    const input = order(instance);
    expect(await instance.program.post(CHECKOUT, input)).toMatchObject({
      status: 409,
      body: { code: 'connect_required' },
    });
    const account = { return_url: input.success_url, refresh_url: input.cancel_url, country: 'DE' };
    const { provider_account_id: id } = (await instance.program.post('/api/wl/connect/onboard', account)).body.data;
    Object.assign(stripe.accounts.get(id), { charges_enabled: true, payouts_enabled: true, details_submitted: true });
    await instance.program.get('/api/wl/connect/status?refresh=true');
    const reply = await instance.program.post(CHECKOUT, input);
    expect(reply.body.data).toMatchObject({ price: { amount: '49.00' } });
    const [session] = [...stripe.sessions.values()].filter(
      ({ wish: parameters }) => parameters.client_reference_id === input.client_reference,
    );
    expect(session.wish.line_items[0].price_data).toMatchObject({ unit_amount: '4900', currency: 'eur' });
    expect(session.wish.subscription_data.transfer_data).toEqual({ destination: id, amount_percent: '28.57' });
  });
});

describe('the plans of an instance', () => {
  test('show the customer price, the wholesale price and the margin', async () => {
    const { program } = await openInstance(platform);
    const price = { currency: 'EUR', interval: 'month', amount: '49.00' };
    const changed = await program.post('/api/wl/plans/update/business', { prices: [price] });
    expect(changed.status).toBe(200);
    const reply = await program.get('/api/wl/plans?currency=EUR&interval=month');
    expect(reply.headers.get('cache-control')).toBe('private, max-age=60');
    const etag = String(reply.headers.get('etag'));
    const again = { headers: { 'if-none-match': etag } };
    expect((await program.get('/api/wl/plans?currency=EUR&interval=month', again)).status).toBe(304);
    const { data } = reply.body;
    expect(data.map(({ code }: { code: string }) => code)).toEqual(['starter', 'business']);
    expect(data[1].prices).toEqual([
      expect.objectContaining({ amount: '49.00', wholesale_amount: '35.00', margin: '14.00', margin_percent: '28.57' }),
    ]);
    const other = await openInstance(platform);
    expect((await other.program.get('/api/wl/plans?interval=month')).body.data[1].prices[0].amount).toBe('35.00');
  });

  test('cannot have prices below wholesale, with invalid decimals or unknown', async () => {
    const { program } = await openInstance(platform);
    const ask = (amount: string, currency = 'EUR') =>
      program.post('/api/wl/plans/update/business', { prices: [{ currency, interval: 'month', amount }] });
    expect(await ask('34.99')).toMatchObject({
      status: 422,
      body: { code: 'below_wholesale', errors: { 'prices.0.amount': ['Enter at least 35.00.'] } },
    });
    expect(await ask('36.001')).toMatchObject({
      status: 422,
      body: { errors: { 'prices.0.amount': expect.anything() } },
    });
    expect(await ask('49.00', 'CHF')).toMatchObject({ status: 422, body: { code: 'price_unknown' } });
    expect((await program.post('/api/wl/plans/update/nothing', { offered: false })).status).toBe(404);
  });

  test('can be hidden, and are then neither listed nor sold', async () => {
    const instance = await openInstance(platform);
    await instance.program.post('/api/wl/plans/update/business', { offered: false });
    const { data } = (await instance.program.get('/api/wl/plans')).body;
    expect(data.map(({ code }: { code: string }) => code)).toEqual(['starter']);
    expect(await instance.program.post(CHECKOUT, order(instance))).toMatchObject({ body: { code: 'plan_unknown' } });
  });
});
