/** Test mode and live mode of the provider, side by side: what costs nothing gives nothing that costs something. */
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { start } from '@suite/testing';
import { platform as contents } from '../platform.ts';
import { deliver, soldTo } from '../../test/customers.ts';
import { sellPlans } from '../../test/plans.ts';
import { standInForStripe } from '../../test/stripe.ts';
import { openInstance, operate, programWith, type TestInstance } from '../../test/white-label.ts';
import { openWorkspace, type SignedIn } from '../../test/workspace.ts';
import { endTriedSubscriptions } from './tried-subscription.ts';

const platform = await start(contents);
const stripe = await standInForStripe({ live: true });
afterEach(() => stripe.openPayments({ live: true }));
beforeAll(() => sellPlans(platform));

/** The same instance with a token of live mode. */
async function live(instance: TestInstance): Promise<TestInstance> {
  const [token] = /wl_live_[\w-]{43}/.exec(await operate(platform, 'token', instance.name, '--mode', 'live'))!;
  return { ...instance, token, program: await programWith(platform, token) };
}

const entitled = async (workspace_id: string) =>
  (await platform.sql`SELECT plan_code, status FROM entitlements WHERE workspace_id = ${workspace_id}`)[0];

describe('a customer of an instance', () => {
  test('has one workspace in each mode, and what is bought in one gives nothing in the other', async () => {
    const trying = await openInstance(platform);
    const selling = await live(trying);
    const real = await soldTo(platform, stripe, selling);
    const { client_reference } = real;
    const tried = await soldTo(platform, stripe, trying, {}, { client_reference });
    expect(tried.workspace_id).not.toBe(real.workspace_id);
    real.subscription.status = 'unpaid';
    await deliver(platform, stripe.event('customer.subscription.updated', real.subscription));
    expect(await entitled(real.workspace_id)).toEqual({ plan_code: null, status: 'unpaid' });
    expect(await entitled(tried.workspace_id)).toEqual({ plan_code: 'business', status: 'active' });
  });

  test('is seen by the tokens of its mode', async () => {
    const trying = await openInstance(platform);
    const selling = await live(trying);
    const [real, tried] = [await soldTo(platform, stripe, selling), await soldTo(platform, stripe, trying)];
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

test('a key that was used to try something out opens no page of test mode in earnest', async () => {
  const trying = await openInstance(platform);
  const selling = await live(trying);
  const { domain } = trying;
  const customer = { client_reference: 'order-1', customer_email: `ada@${domain}` };
  const addresses = { success_url: `https://${domain}/done`, cancel_url: `https://${domain}/back` };
  const wish = { plan: 'business', interval: 'month', ...customer, ...addresses };
  const open = async ({ program }: TestInstance) =>
    (await program.post('/api/wl/checkout', wish, { headers: { 'idempotency-key': 'order-1' } })).body.data;
  const [tried, real] = [await open(trying), await open(selling)];
  expect(stripe.sessionAt(tried.url)).toMatchObject({ livemode: false });
  expect(stripe.sessionAt(real.url)).toMatchObject({ livemode: true });
  // Each of them is answered again under its key.
  expect([(await open(trying)).id, (await open(selling)).id]).toEqual([tried.id, real.id]);
});

describe('a workspace of ours that subscribed while the operator sold in test mode alone', () => {
  const order = {
    plan: 'business',
    interval: 'month',
    success_url: 'https://app.example/done',
    cancel_url: 'https://app.example/back',
  };
  const own = async (owner: SignedIn) => (await owner.get('/api/subscription')).body.data.subscription;
  const buy = async (owner: SignedIn, told: boolean) => {
    const { body } = await owner.post('/api/subscription/checkout', order);
    const session = stripe.sessionAt(body.data.url);
    stripe.complete(session.id);
    if (told) await deliver(platform, stripe.event('checkout.session.completed', session));
    return { session, days: body.data.trial_days };
  };
  /** The key of live mode is set when it has subscribed. */
  const tried = async () => {
    stripe.openPayments({ live: false });
    const acme = await openWorkspace(platform, 'starter');
    const owner = await acme.as('owner');
    await buy(owner, true);
    expect(await entitled(acme.id)).toEqual({ plan_code: 'business', status: 'trialing' });
    stripe.openPayments({ live: true });
    return { acme, owner };
  };

  test('has what the operator gives it again, and buys in live mode like any other, with its trial', async () => {
    const { acme, owner } = await tried();
    await endTriedSubscriptions.work(platform.tools as never);
    expect(await entitled(acme.id)).toEqual({ plan_code: 'starter', status: '' });
    expect(await own(owner)).toMatchObject({ status: 'incomplete_expired', ended_at: expect.any(String) });
    const { session, days } = await buy(owner, true);
    expect([session.livemode, days]).toEqual([true, 14]);
    expect(await entitled(acme.id)).toEqual({ plan_code: 'business', status: 'trialing' });
    expect(await own(owner)).toMatchObject({ status: 'trialing', provider_mode: 'live' });
    await endTriedSubscriptions.work(platform.tools as never);
    expect(await entitled(acme.id)).toEqual({ plan_code: 'business', status: 'trialing' });
  });

  test('ends it like any other, before that has happened by itself, and changes nothing of it', async () => {
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

test('a workspace of ours is given nothing by test mode, where the operator sells in live mode', async () => {
  const acme = await openWorkspace(platform, 'starter');
  const trying = await openInstance(platform);
  const { session, subscription } = await soldTo(platform, stripe, trying);
  // The provider has a subscription in test mode.
  const { metadata: _, ...rest } = subscription;
  const metadata = { workspace_id: acme.id, plan: 'business', interval: 'month' };
  stripe.subscriptions.set('sub_free', { ...rest, id: 'sub_free', metadata });
  const event = stripe.event('customer.subscription.created', { id: 'sub_free', livemode: false });
  expect((await deliver(platform, event)).body.data).toMatchObject({ status: 'ignored_unknown' });
  expect(await entitled(acme.id)).toEqual({ plan_code: 'starter', status: '' });
  expect(session.livemode).toBe(false);
});
