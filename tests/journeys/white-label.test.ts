/**
 * Partners who sell the suite under their own names: what their customers buy, and how partners are isolated from each
 * other.
 */
import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { call, dataOf, type HttpCaller } from '@suite/testing/http';
import { waitFor, runConcurrently } from '@suite/testing/waiting';
import { startStripe } from '@suite/testing/payments/stripe';
import { bearer, withIdempotencyKey } from '@suite/testing/suite/http-caller';
import {
  checkoutOf,
  deliverEvent,
  type Instance,
  openInstance,
  runInstanceCommand,
  sellPlan,
  createSubscriber,
} from '@suite/testing/suite/instance';
import { emailsTo, waitForLink } from '@suite/testing/suite/mailbox';
import { useSharedSuite } from '@suite/testing/suite/started';
import { acceptInvitation, openWorkspace } from '@suite/testing/suite/workspace';

// Two replicas of platform, so that different processes handle events of one subscription.
const suite = await useSharedSuite('doubled');
const stripe = await startStripe(suite.stripe_port);
afterAll(stripe.stop);
const CALLBACK = '/api/wl/webhook-callback';

let northwind: Instance;
let globex: Instance;
beforeAll(async () => {
  await sellPlan(suite, 'business', '35.00');
  await sellPlan(suite, 'enterprise', '90.00');
  [northwind, globex] = [await openInstance(suite), await openInstance(suite)];
}, 240_000);

const readSubscription = ({ program }: Instance, ref: string) => dataOf(program.get(`/api/wl/subscription/${ref}`));
const isOff = { status: 403, body: { code: 'module_disabled' } };

test('a customer buys from a partner, is overdue, pays, changes, cancels and returns', async () => {
  const { ref, client_reference, subscription, checkout } = await createSubscriber(suite, stripe, northwind, {
    trial: false,
  });
  expect(await readSubscription(northwind, ref)).toMatchObject({
    client_reference,
    plan: 'business',
    status: 'active',
  });
  expect(await dataOf(northwind.program.get(`/api/wl/checkout/${checkout.id}`))).toMatchObject({
    status: 'complete',
    subscription_id: ref,
    url: null,
  });
  const email = checkout.customer_email;
  const owner = await acceptInvitation(suite, email, await waitForLink(suite, email));
  expect(await dataOf(owner.get('/api/subscription'))).toMatchObject({ managed_by_partner: true, status: 'active' });
  expect(await owner.post('/api/subscription/cancel', {})).toMatchObject({
    status: 409,
    body: { code: 'managed_by_partner' },
  });

  const tell = (type: string, object: object = subscription) => dataOf(deliverEvent(suite, stripe.event(type, object)));
  subscription.status = 'past_due';
  await tell('invoice.payment_failed', { id: 'in_1', parent: { subscription_details: { subscription: ref } } });
  await waitFor(async () =>
    expect((await owner.get('/api/leads')).headers.get('subscription-status')).toMatch(/^past_due; until=2/),
  );
  await waitFor(() => expect(emailsTo(suite, email).filter(({ subject }) => /payment/i.test(subject))).toHaveLength(1));
  subscription.status = 'unpaid';
  await tell('customer.subscription.updated');
  await waitFor(async () => expect(await owner.get('/api/leads')).toMatchObject(isOff));
  subscription.status = 'active';
  await tell('invoice.paid', { id: 'in_2', subscription: ref });
  await waitFor(async () => expect((await owner.get('/api/leads')).status).toBe(200));

  const path = (verb: string) => `/api/wl/subscription/${ref}/${verb}`;
  const change = { plan: 'enterprise', interval: 'month', at: 'now' };
  expect(await dataOf(northwind.program.post(path('change'), change))).toMatchObject({
    plan: 'enterprise',
    amount: '90.00',
  });
  expect(await dataOf(northwind.program.post(path('cancel'), {}))).toMatchObject({ cancel_at_period_end: true });
  expect(await dataOf(northwind.program.post(path('resume')))).toMatchObject({ cancel_at_period_end: false });
  expect(await dataOf(northwind.program.post(path('cancel'), { immediate: true }))).toMatchObject({
    status: 'canceled',
  });
  await waitFor(async () => expect(await owner.get('/api/leads')).toMatchObject(isOff));

  const again = await dataOf(northwind.program.post('/api/wl/checkout', checkoutOf(northwind, client_reference)));
  const session = stripe.sessionAt(again.url);
  stripe.complete(session.id);
  await tell('checkout.session.completed', session);
  await waitFor(async () => expect((await owner.get('/api/leads')).status).toBe(200));
}, 120_000);

test('fifty concurrent checkouts of one customer are one page, one key one response', async () => {
  const wish = checkoutOf(northwind, 'in-a-hurry');
  const replies = await runConcurrently(50, () => northwind.program.post('/api/wl/checkout', wish));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(replies.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
  expect(new Set(replies.map(({ body }) => body.data.url)).size).toBe(1);
  expect([...stripe.sessions.values()].filter(({ url }) => url === replies[0]!.body.data.url)).toHaveLength(1);
  const key = withIdempotencyKey();
  const first = await northwind.program.post('/api/wl/checkout', wish, key);
  const other = await northwind.program.post('/api/wl/checkout', { ...wish, quantity: 1, plan: 'enterprise' }, key);
  expect([first.status, other.status, other.body.code]).toEqual([200, 422, 'idempotency_key_reused']);
  // The same key of another partner is a different key.
  const theirs = await globex.program.post('/api/wl/checkout', checkoutOf(globex, 'in-a-hurry'), key);
  expect([theirs.status, theirs.headers.get('idempotent-replayed')]).toEqual([201, null]);
}, 240_000);

test('fifty concurrent onboardings with different fields create one account', async () => {
  const instance = await openInstance(suite);
  const wish = (at: number) => ({
    country: 'DE',
    email: `person-${at}@${instance.domain}`,
    return_url: `https://${instance.domain}/done`,
    refresh_url: `https://${instance.domain}/again`,
  });
  const replies = await runConcurrently(50, (at) => instance.program.post('/api/wl/connect/onboard', wish(at)));
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(40);
  const made = replies.filter(({ status }) => status < 300);
  expect(made.filter(({ status }) => status === 201)).toHaveLength(1);
  const accounts = [...stripe.accounts.values()].filter(({ metadata }) => metadata.wl_instance_id === instance.id);
  expect(accounts).toHaveLength(1);
  expect(new Set(made.map(({ body }) => body.data.provider_account_id))).toEqual(new Set([accounts[0].id]));
}, 240_000);

describe('an event', () => {
  const post = (body: string, headers: Record<string, string>) =>
    call(suite.gateway, CALLBACK, { method: 'POST', body, headers });
  const signedAt = (body: string, t: number, secret = 'whsec_of_the_endpoint') =>
    `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
  const seconds = (): number => Math.floor(Date.now() / 1_000);

  test('has no effect if it is forged, stale, late, repeated or unknown', async () => {
    const { subscription, ref, event } = await createSubscriber(suite, stripe, northwind, { trial: false });
    expect((await deliverEvent(suite, event)).body.data).toEqual({
      received: true,
      status: 'processed',
      duplicate: true,
    });
    subscription.status = 'canceled';
    const next = stripe.event('customer.subscription.deleted', subscription);
    const forged = await post(next.body, { ...next.headers, 'stripe-signature': signedAt(next.body, seconds(), 'x') });
    expect(forged).toMatchObject({ status: 401, body: { code: 'invalid_signature' } });
    const stale = { ...next.headers, 'stripe-signature': signedAt(next.body, seconds() - 301) };
    expect(await post(next.body, stale)).toMatchObject({ status: 401, body: { code: 'stale_signature' } });
    expect((await readSubscription(northwind, ref)).status).toBe('active');
    subscription.status = 'past_due';
    await dataOf(deliverEvent(suite, stripe.event('customer.subscription.updated', subscription)));
    subscription.status = 'active';
    const late = stripe.event('customer.subscription.updated', subscription, { created: seconds() - 60 });
    expect((await deliverEvent(suite, late)).body.data).toMatchObject({ status: 'ignored_stale', duplicate: false });
    expect((await readSubscription(northwind, ref)).status).toBe('past_due');
    const nobodys = stripe.event('customer.subscription.updated', { id: 'sub_of_nobody' });
    expect((await deliverEvent(suite, nobodys)).body.data).toMatchObject({ status: 'ignored_unknown' });
  });

  test('keeps the current state when many arrive concurrently at two replicas', async () => {
    const client_reference = 'at-once';
    const wish = checkoutOf(northwind, client_reference, { trial: false });
    const session = stripe.sessionAt((await dataOf(northwind.program.post('/api/wl/checkout', wish))).url);
    const subscription = stripe.complete(session.id);
    const types = ['customer.subscription.created', 'customer.subscription.updated', 'checkout.session.completed'];
    const events = Array.from({ length: 15 }, (_, at) => {
      const type = types[at % types.length]!;
      return stripe.event(type, type.startsWith('checkout') ? session : subscription);
    });
    // Each event is delivered twice, while the subscription changes.
    const deliveries = runConcurrently(30, (at) => deliverEvent(suite, events[at % events.length]!));
    subscription.status = 'past_due';
    expect((await deliveries).filter(({ status }) => status !== 200)).toEqual([]);
    await dataOf(deliverEvent(suite, stripe.event('customer.subscription.updated', subscription)));
    expect((await readSubscription(northwind, String(subscription.id))).status).toBe('past_due');
    const rows = await suite.sql('platform', 'SELECT workspace_id FROM subscriptions WHERE client_reference = $1', [
      client_reference,
    ]);
    expect(rows).toHaveLength(1);
    const made = `SELECT FROM journal_events WHERE type = 'platform.workspace.provisioned' AND workspace_id = $1`;
    expect(await suite.sql('platform', made, [rows[0]!['workspace_id']])).toHaveLength(1);
  }, 240_000);

  test('is rejected when its endless body exceeds the limit', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'stripe-signature': 't=1,v1=00' };
      const sent = request(`${suite.gateway}${CALLBACK}`, { method: 'POST', headers }, ({ statusCode }) => {
        sent.destroy();
        resolve(statusCode);
      });
      sent.on('error', reject);
      const more = (): void => {
        if (!sent.destroyed) sent.write('x'.repeat(16 * 1024), () => setImmediate(more));
      };
      more();
    });
    expect(status).toBe(413);
  });

  test('is rejected if it exceeds 256 KiB or has no usable content', async () => {
    const large = `{"id":"evt_1","padding":"${'x'.repeat(256 * 1024)}"}`;
    const json = { 'content-type': 'application/json' };
    const signed = (body: string) => ({ ...json, 'stripe-signature': signedAt(body, seconds()) });
    expect(await post(large, signed(large))).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
    for (const body of ['', '{', '[]', '{"id":"evt_1"}', 'null'])
      expect([body, (await post(body, signed(body))).status]).toEqual([body, 422]);
  });

  test('reaches only customers of the partner that relays it, even while suspended', async () => {
    const { subscription, ref } = await createSubscriber(suite, stripe, northwind, { trial: false });
    const relay = ({ token, webhook_secret }: Instance, { body }: { body: string }) =>
      post(body, {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        'webhook-signature': signedAt(body, seconds(), webhook_secret),
      });
    subscription.status = 'past_due';
    const event = stripe.event('customer.subscription.updated', subscription);
    expect((await relay(globex, event)).body.data).toEqual({
      received: true,
      status: 'ignored_unknown',
      duplicate: false,
    });
    expect((await readSubscription(northwind, ref)).status).toBe('active');
    await runInstanceCommand(suite, 'suspend', northwind.name);
    await waitFor(async () =>
      expect(await northwind.program.get('/api/wl/plans')).toMatchObject({
        status: 403,
        body: { code: 'instance_suspended' },
      }),
    );
    expect((await relay(northwind, event)).body.data).toMatchObject({ status: 'processed' });
    await runInstanceCommand(suite, 'resume', northwind.name);
    await waitFor(async () => expect((await readSubscription(northwind, ref)).status).toBe('past_due'));
  }, 240_000);
});

test('a partner cannot find records of another one', async () => {
  const { ref, checkout, client_reference } = await createSubscriber(suite, stripe, northwind);
  const { data: events } = (await northwind.program.get('/api/wl/events')).body;
  const change = { plan: 'enterprise', interval: 'month', at: 'now' };
  const asked: [string, Promise<{ status: number; body: { code?: string } }>][] = [
    ['show', globex.program.get(`/api/wl/subscription/${ref}`)],
    ['cancel', globex.program.post(`/api/wl/subscription/${ref}/cancel`, { immediate: true })],
    ['resume', globex.program.post(`/api/wl/subscription/${ref}/resume`)],
    ['change', globex.program.post(`/api/wl/subscription/${ref}/change`, change)],
    ['checkout', globex.program.get(`/api/wl/checkout/${checkout.id}`)],
    ['replay', globex.program.post(`/api/wl/events/${events[0].id}/replay`)],
  ];
  for (const [what, reply] of asked) {
    const { status, body } = await reply;
    expect([what, status, body.code]).toEqual([what, 404, 'not_found']);
  }
  const listed = JSON.stringify([
    (await globex.program.get('/api/wl/subscriptions?per_page=100')).body,
    (await globex.program.get(`/api/wl/subscriptions?client_reference=${client_reference}`)).body,
    (await globex.program.get('/api/wl/events?per_page=100')).body,
  ]);
  for (const foreign of [ref, checkout.id, client_reference, events[0].id]) expect(listed).not.toContain(foreign);
  expect((await readSubscription(northwind, ref)).status).toBe('trialing');
  expect(stripe.subscriptions.get(ref).status).toBe('trialing');
});

test('a token of one class has no access to the operations of the other', async () => {
  const { owner } = await openWorkspace(suite);
  const wrong = { status: 401, body: { code: 'wrong_token_class' } };
  const ask = (person: HttpCaller, paths: string[]) => Promise.all(paths.map((path) => person.get(path)));
  for (const reply of await ask(owner, ['/api/wl/plans', '/api/wl/subscriptions', '/api/wl/connect/status']))
    expect(reply).toMatchObject(wrong);
  for (const reply of await ask(northwind.program, ['/api/user', '/api/leads', '/api/subscription']))
    expect(reply).toMatchObject(wrong);
  const { token } = northwind;
  const nobody = bearer(suite.gateway, `${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`);
  const { status, body } = await nobody.get('/api/wl/plans');
  expect([status, body.code]).toEqual([401, 'unauthenticated']);
});
