import { beforeAll, describe, expect, test } from '@jest/globals';
import { start, sortedStatuses, runConcurrently } from '@suite/testing';
import { platform as contents } from '../../platform.ts';
import { deliver, createSubscription } from '../../../test/customers.ts';
import { sellPlans } from '../../../test/plans.ts';
import { startFakeStripe } from '../../../test/stripe.ts';
import { openInstance } from '../../../test/white-label.ts';
import { openWorkspace, type TestWorkspace } from '../../../test/workspace.ts';

const platform = await start(contents);
const stripe = await startFakeStripe();
beforeAll(() => sellPlans(platform));

const ORDER = {
  plan: 'business',
  interval: 'month',
  success_url: 'https://app.example/done',
  cancel_url: 'https://app.example/back',
};
const planOf = async ({ id }: TestWorkspace) =>
  (await platform.sql`SELECT plan_code, status FROM entitlements WHERE workspace_id = ${id}`)[0];

/** Creates a workspace with its own subscription. */
async function subscribed() {
  const acme = await openWorkspace(platform);
  const owner = await acme.as('owner');
  const { body } = await owner.post('/api/subscription/checkout', ORDER);
  const session = [...stripe.sessions.values()].find(({ url }) => url === body.data.url);
  const subscription = stripe.complete(session.id);
  await deliver(platform, stripe.event('checkout.session.completed', session));
  return { acme, owner, subscription, session };
}

describe('the checkout page of a workspace', () => {
  test('is complete after a subscription on it', async () => {
    const { session } = await subscribed();
    const [row] =
      await platform.sql`SELECT status, subscription_id FROM checkout_sessions WHERE provider_ref = ${session.id}`;
    expect(row).toEqual({ status: 'complete', subscription_id: expect.any(String) });
  });

  test('is followed by a new one after expiry or an ended subscription, without a trial', async () => {
    const acme = await openWorkspace(platform);
    const owner = await acme.as('owner');
    const open = async () => (await owner.post('/api/subscription/checkout', ORDER)).body.data;
    const first = await open();
    const session = stripe.sessionAt(first.url);
    session.status = 'expired';
    await deliver(platform, stripe.event('checkout.session.expired', session));
    const second = await open();
    expect(second).toMatchObject({ trial: true });
    expect(second.id).not.toBe(first.id);
    const bought = stripe.sessionAt(second.url);
    const subscription = stripe.complete(bought.id);
    await deliver(platform, stripe.event('checkout.session.completed', bought));
    subscription.status = 'canceled';
    await deliver(platform, stripe.event('customer.subscription.deleted', subscription));
    expect(await open()).toMatchObject({ status: 'open', trial: false });
  });
});

describe('a workspace', () => {
  test('subscribes without an operator, and the trial gives the plan', async () => {
    const { acme, session } = await subscribed();
    expect(session.wish).toMatchObject({
      customer_email: acme.email('owner'),
      subscription_data: { trial_period_days: '14' },
    });
    expect(await planOf(acme)).toEqual({ plan_code: 'business', status: 'trialing' });
  });

  test('keeps the remaining days of its trial, and has no second trial', async () => {
    const tries = async (days: number) => {
      const acme = await openWorkspace(platform);
      await platform.sql`UPDATE workspaces SET trial_ends_at = now() + make_interval(days => ${days}) + interval '1 hour' WHERE id = ${acme.id}`;
      return (await (await acme.as('owner')).post('/api/subscription/checkout', ORDER)).body.data;
    };
    expect(await tries(5)).toMatchObject({ trial: true, trial_days: 5 });
    expect(await tries(-3)).toMatchObject({ trial: false, trial_days: 0 });
  });

  test('opens one page and one subscription for concurrent requests', async () => {
    const acme = await openWorkspace(platform);
    const owner = await acme.as('owner');
    const replies = await runConcurrently(10, () => owner.post('/api/subscription/checkout', ORDER));
    expect(sortedStatuses(replies).filter((status) => status === 201)).toHaveLength(1);
    expect(new Set(replies.map(({ body }) => body.data.url)).size).toBe(1);
    const { owner: other } = await subscribed();
    expect(await other.post('/api/subscription/checkout', ORDER)).toMatchObject({
      status: 409,
      body: { code: 'already_subscribed' },
    });
  });

  test('cancels, resumes and changes its subscription', async () => {
    const { acme, owner } = await subscribed();
    expect((await owner.post('/api/subscription/cancel', { reason: 'A test' })).body.data).toMatchObject({
      cancel_at_period_end: true,
      allowed_actions: ['cancel', 'resume', 'change'],
    });
    expect((await owner.post('/api/subscription/resume', {})).body.data).toMatchObject({ cancel_at_period_end: false });
    const yearly = { plan: 'business', interval: 'year', at: 'now' };
    expect((await owner.post('/api/subscription/change', yearly)).body.data).toMatchObject({
      interval: 'year',
      amount: '350.00',
    });
    expect(
      await owner.post('/api/subscription/change', { ...yearly, plan: 'starter', interval: 'month' }),
    ).toMatchObject({
      status: 409,
      body: { code: 'plan_limit', details: { limit: 'users', allowed: 2 } },
    });
    expect((await owner.post('/api/subscription/cancel', { immediate: true })).body.data).toMatchObject({
      status: 'canceled',
    });
    expect(await planOf(acme)).toEqual({ plan_code: null, status: 'canceled' });
  });

  test('opens its invoice page', async () => {
    const { owner, subscription } = await subscribed();
    const { body } = await owner.post('/api/subscription/portal', { return_url: 'https://app.example/' });
    expect(body.data).toEqual({ url: `https://billing.stripe.test/${subscription.customer}` });
  });

  test('cannot cancel without a subscription, and only owners can cancel', async () => {
    const acme = await openWorkspace(platform);
    for (const verb of ['cancel', 'resume'])
      expect((await (await acme.as('owner')).post(`/api/subscription/${verb}`, {})).status).toBe(404);
    const manager = await acme.as('manager');
    for (const [verb, body] of [
      ['cancel', {}],
      ['checkout', ORDER],
      ['portal', { return_url: 'https://a.example/' }],
    ] as const)
      expect(await manager.post(`/api/subscription/${verb}`, body)).toMatchObject({
        status: 403,
        body: { code: 'forbidden' },
      });
  });

  test('cannot manage a subscription that a partner sold', async () => {
    const northwind = await openInstance(platform);
    const { workspace_id, ref } = await createSubscription(platform, stripe, northwind);
    const acme = await openWorkspace(platform);
    await platform.sql`UPDATE subscriptions SET workspace_id = ${acme.id} WHERE provider_ref = ${ref}`;
    expect(workspace_id).not.toBe(acme.id);
    const owner = await acme.as('owner');
    for (const [verb, body] of [
      ['cancel', {}],
      ['resume', {}],
      ['checkout', ORDER],
    ] as const)
      expect(await owner.post(`/api/subscription/${verb}`, body)).toMatchObject({
        status: 409,
        body: { code: 'managed_by_partner' },
      });
  });
});
