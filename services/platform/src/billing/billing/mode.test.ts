/** Tests of the provider's test and live modes: a test purchase never grants anything in live mode. */
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { start } from '@suite/testing';
import { platform as contents } from '../../platform.ts';
import { deliver, createSubscription } from '../../../test/customers.ts';
import { sellPlans } from '../../../test/plans.ts';
import { startFakeStripe } from '../../../test/stripe.ts';
import { openInstance, operate, programWith, type TestInstance } from '../../../test/white-label.ts';
import { openWorkspace, type SignedIn } from '../../../test/workspace.ts';
import { endTestSubscriptions } from './subscription-mode.ts';

const platform = await start(contents);
const stripe = await startFakeStripe({ live: true });
afterEach(() => stripe.openPayments({ live: true }));
beforeAll(() => sellPlans(platform));

/** Returns the same instance with a live-mode token. */
async function live(instance: TestInstance): Promise<TestInstance> {
  const [token] = /wl_live_[\w-]{43}/.exec(await operate(platform, 'token', instance.name, '--mode', 'live'))!;
  return { ...instance, token, program: await programWith(platform, token) };
}

const entitled = async (workspace_id: string) =>
  (await platform.sql`SELECT plan_code, status FROM entitlements WHERE workspace_id = ${workspace_id}`)[0];

describe('a customer of an instance', () => {
  test('has separate workspaces in test and live mode, without shared purchases', async () => {
    const trying = await openInstance(platform);
    const selling = await live(trying);
    const real = await createSubscription(platform, stripe, selling);
    const { client_reference } = real;
    const tried = await createSubscription(platform, stripe, trying, {}, { client_reference });
    expect(tried.workspace_id).not.toBe(real.workspace_id);
    real.subscription.status = 'unpaid';
    await deliver(platform, stripe.event('customer.subscription.updated', real.subscription));
    expect(await entitled(real.workspace_id)).toEqual({ plan_code: null, status: 'unpaid' });
    expect(await entitled(tried.workspace_id)).toEqual({ plan_code: 'business', status: 'active' });
  });

  test('is visible only to tokens of its mode', async () => {
    const trying = await openInstance(platform);
    const selling = await live(trying);
    const [real, tried] = [
      await createSubscription(platform, stripe, selling),
      await createSubscription(platform, stripe, trying),
    ];
    for (const [{ program }, ref] of [
      [trying, real.ref],
      [selling, tried.ref],
    ] as const) {
      expect((await program.get(`/api/wl/subscription/${ref}`)).status).toBe(404);
      expect((await program.post(`/api/wl/subscription/${ref}/cancel`, { immediate: true })).status).toBe(404);
    }
    expect(stripe.subscriptions.get(real.ref).status).toBe('active');
    const listed = (await trying.program.get('/api/wl/subscriptions')).body.data;
    expect(listed.map((row: { payment_subscription_id: string }) => row.payment_subscription_id)).toEqual([tried.ref]);
  });
});

test('a key used in test mode opens a separate checkout in live mode', async () => {
  const trying = await openInstance(platform);
  const selling = await live(trying);
  const { domain } = trying;
  const customer = { client_reference: 'order-1', customer_email: `ada@${domain}` };
  const addresses = { success_url: `https://${domain}/done`, cancel_url: `https://${domain}/back` };
  const input = { plan: 'business', interval: 'month', ...customer, ...addresses };
  const open = async ({ program }: TestInstance) =>
    (await program.post('/api/wl/checkout', input, { headers: { 'idempotency-key': 'order-1' } })).body.data;
  const [tried, real] = [await open(trying), await open(selling)];
  expect(stripe.sessionAt(tried.url)).toMatchObject({ livemode: false });
  expect(stripe.sessionAt(real.url)).toMatchObject({ livemode: true });
  // A repeated request with the same key returns the same response.
  expect([(await open(trying)).id, (await open(selling)).id]).toEqual([tried.id, real.id]);
});

describe('an own workspace that subscribed while the operator sold in test mode only', () => {
  const order = {
    plan: 'business',
    interval: 'month',
    success_url: 'https://app.example/done',
    cancel_url: 'https://app.example/back',
  };
  const own = async (owner: SignedIn) => (await owner.get('/api/subscription')).body.data.subscription;
  const buy = async (owner: SignedIn, payload: boolean) => {
    const { body } = await owner.post('/api/subscription/checkout', order);
    const session = stripe.sessionAt(body.data.url);
    stripe.complete(session.id);
    if (payload) await deliver(platform, stripe.event('checkout.session.completed', session));
    return { session, days: body.data.trial_days };
  };
  /** Subscribes in test mode, then sets the live-mode key. */
  const tried = async () => {
    stripe.openPayments({ live: false });
    const acme = await openWorkspace(platform, 'starter');
    const owner = await acme.as('owner');
    await buy(owner, true);
    expect(await entitled(acme.id)).toEqual({ plan_code: 'business', status: 'trialing' });
    stripe.openPayments({ live: true });
    return { acme, owner };
  };

  test("returns to the operator's plan, and can buy in live mode with a trial", async () => {
    const { acme, owner } = await tried();
    await endTestSubscriptions.work(platform.tools as never);
    expect(await entitled(acme.id)).toEqual({ plan_code: 'starter', status: '' });
    expect(await own(owner)).toMatchObject({ status: 'incomplete_expired', ended_at: expect.any(String) });
    const { session, days } = await buy(owner, true);
    expect([session.livemode, days]).toEqual([true, 14]);
    expect(await entitled(acme.id)).toEqual({ plan_code: 'business', status: 'trialing' });
    expect(await own(owner)).toMatchObject({ status: 'trialing', provider_mode: 'live' });
    await endTestSubscriptions.work(platform.tools as never);
    expect(await entitled(acme.id)).toEqual({ plan_code: 'business', status: 'trialing' });
  });

  test('cancels it before the automatic end, without further changes', async () => {
    const { acme, owner } = await tried();
    expect(await owner.post('/api/subscription/cancel', {})).toMatchObject({
      status: 200,
      body: { data: { status: 'incomplete_expired', allowed_actions: [] } },
    });
    expect(await entitled(acme.id)).toEqual({ plan_code: 'starter', status: '' });
    const another = await tried();
    const yearly = { plan: 'business', interval: 'year', at: 'now' };
    expect(await another.owner.post('/api/subscription/change', yearly)).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition' },
    });
    expect(await entitled(another.acme.id)).toEqual({ plan_code: 'starter', status: '' });
  });
});

test('an own workspace gets nothing from test mode if the operator sells in live mode', async () => {
  const acme = await openWorkspace(platform, 'starter');
  const trying = await openInstance(platform);
  const { session, subscription } = await createSubscription(platform, stripe, trying);
  // The provider has a subscription in test mode.
  const { metadata: _, ...rest } = subscription;
  const metadata = { workspace_id: acme.id, plan: 'business', interval: 'month' };
  stripe.subscriptions.set('sub_free', { ...rest, id: 'sub_free', metadata });
  const event = stripe.event('customer.subscription.created', { id: 'sub_free', livemode: false });
  expect((await deliver(platform, event)).body.data).toMatchObject({ status: 'ignored_unknown' });
  expect(await entitled(acme.id)).toEqual({ plan_code: 'starter', status: '' });
  expect(session.livemode).toBe(false);
});
