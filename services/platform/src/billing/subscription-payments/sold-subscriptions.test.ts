import { beforeAll, describe, expect, test } from '@jest/globals';
import { start, sortedStatuses, freezeClock, runConcurrently } from '@suite/testing';
import { platform as contents } from '../../platform.ts';
import { deliver, readSubscription, createSubscription } from '../../../test/customers.ts';
import { sellPlans } from '../../../test/plans.ts';
import { startFakeStripe } from '../../../test/stripe.ts';
import { openInstance, operate, programWith, type TestInstance, tokenIn } from '../../../test/white-label.ts';
import { checkSubscriptions } from '../webhooks/check-subscriptions.ts';

const platform = await start(contents);
const stripe = await startFakeStripe();
let northwind: TestInstance;
beforeAll(async () => {
  await sellPlans(platform);
  northwind = await openInstance(platform);
});

const path = (ref: string, verb: string) => `/api/wl/subscription/${ref}/${verb}`;
const plansOf = async (workspace_id: string) =>
  (await platform.sql`SELECT plan_code, status FROM entitlements WHERE workspace_id = ${workspace_id}`)[0];
const endings = () => stripe.calls.filter((call) => /subscriptions\//.test(call) && !call.startsWith('GET')).length;

describe('cancelling a subscription', () => {
  test('ends it with its period, and the plan continues until then', async () => {
    const { ref, workspace_id } = await createSubscription(platform, stripe, northwind);
    const reply = await northwind.program.post(path(ref, 'cancel'), { reason: 'Too expensive' });
    expect(reply).toMatchObject({
      status: 200,
      body: { data: { status: 'active', cancel_at_period_end: true, allowed_actions: ['cancel', 'resume', 'change'] } },
    });
    expect(await plansOf(workspace_id)).toEqual({ plan_code: 'business', status: 'active' });
    const before = endings();
    expect((await northwind.program.post(path(ref, 'cancel'), {})).status).toBe(200);
    expect(endings()).toBe(before);
  });

  test('ends it and its plan immediately if requested, and has no effect if repeated', async () => {
    const { ref, workspace_id, id } = await createSubscription(platform, stripe, northwind);
    await northwind.program.post(path(ref, 'cancel'), {});
    const reply = await northwind.program.post(path(ref, 'cancel'), { immediate: true });
    expect(reply.body.data).toMatchObject({ status: 'canceled', ended_reason: 'requested', allowed_actions: [] });
    expect(reply.body.data.ended_at).not.toBeNull();
    expect(await plansOf(workspace_id)).toEqual({ plan_code: null, status: 'canceled' });
    const before = endings();
    expect((await northwind.program.post(path(ref, 'cancel'), { immediate: true })).status).toBe(200);
    expect(endings()).toBe(before);
    const events =
      await platform.sql`SELECT type, workspace_id FROM journal_events WHERE aggregate_id = ${id} ORDER BY position`;
    expect(events.map(({ type }) => type)).toEqual([
      'platform.subscription.activated',
      'platform.subscription.updated',
      'platform.subscription.canceled',
    ]);
    expect(new Set(events.map((event) => event['workspace_id']))).toEqual(new Set([workspace_id]));
  });

  test('ends it once for fifty concurrent requests, and its event has no effect', async () => {
    const { ref, subscription, id } = await createSubscription(platform, stripe, northwind);
    const replies = await runConcurrently(50, () => northwind.program.post(path(ref, 'cancel'), { immediate: true }));
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([200]));
    await deliver(platform, stripe.event('customer.subscription.deleted', subscription));
    const canceled = await platform.sql`
      SELECT FROM journal_events WHERE aggregate_id = ${id} AND type = 'platform.subscription.canceled'`;
    expect(canceled).toHaveLength(1);
    expect(await readSubscription(northwind, ref)).toMatchObject({ status: 'canceled' });
  });

  test('is rejected if the subscription expired before it began', async () => {
    const { ref, subscription } = await createSubscription(platform, stripe, northwind);
    await platform.sql`UPDATE subscriptions SET status = 'incomplete_expired' WHERE provider_ref = ${ref}`;
    subscription.status = 'incomplete_expired';
    expect(await northwind.program.post(path(ref, 'cancel'), {})).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', details: { from: 'incomplete_expired', action: 'cancel', allowed: [] } },
    });
  });

  test('accepts a subscription ended at the provider, and rejects later changes', async () => {
    const { ref, subscription, workspace_id } = await createSubscription(platform, stripe, northwind);
    subscription.status = 'canceled';
    const reply = await northwind.program.post(path(ref, 'cancel'), {});
    expect(reply).toMatchObject({ status: 200, body: { data: { status: 'canceled' } } });
    expect(await plansOf(workspace_id)).toEqual({ plan_code: null, status: 'canceled' });
    for (const [verb, input] of [
      ['resume', {}],
      ['change', { plan: 'business', interval: 'year', at: 'now' }],
    ] as const) {
      const other = await createSubscription(platform, stripe, northwind);
      await northwind.program.post(path(other.ref, 'cancel'), {});
      other.subscription.status = 'canceled';
      expect(await northwind.program.post(path(other.ref, verb), input)).toMatchObject({
        status: 409,
        body: { code: 'invalid_transition', details: { from: 'canceled', action: verb, allowed: [] } },
      });
      expect(await readSubscription(northwind, other.ref)).toMatchObject({ status: 'canceled' });
    }
  });

  test('changes nothing if the provider fails', async () => {
    const { ref } = await createSubscription(platform, stripe, northwind);
    stripe.failing = { times: 2, status: 500 };
    expect(await northwind.program.post(path(ref, 'cancel'), {})).toMatchObject({
      status: 502,
      body: { code: 'provider_failed' },
    });
    stripe.failing.times = 0;
    expect(await readSubscription(northwind, ref)).toMatchObject({ cancel_at_period_end: false });
    expect((await northwind.program.post(path(ref, 'cancel'), {})).body.data).toMatchObject({
      cancel_at_period_end: true,
    });
  });
});

describe('resuming a subscription', () => {
  test('undoes the cancellation, as often as requested', async () => {
    const { ref } = await createSubscription(platform, stripe, northwind);
    for (const _ of [1, 2]) {
      await northwind.program.post(path(ref, 'cancel'), {});
      expect(await readSubscription(northwind, ref)).toMatchObject({ cancel_at_period_end: true });
      expect((await northwind.program.post(path(ref, 'resume'), {})).body.data).toMatchObject({
        cancel_at_period_end: false,
      });
    }
    await northwind.program.post(path(ref, 'cancel'), { immediate: true });
    expect(await northwind.program.post(path(ref, 'resume'), {})).toMatchObject({ status: 409 });
  });
});

describe('changing the plan', () => {
  test('applies the new plan immediately', async () => {
    const { ref, workspace_id } = await createSubscription(platform, stripe, northwind);
    await northwind.program.post('/api/wl/plans/update/starter', {
      prices: [{ currency: 'EUR', interval: 'month', amount: '9.00' }],
    });
    const input = { plan: 'starter', interval: 'month', at: 'now' };
    const reply = await northwind.program.post(path(ref, 'change'), input);
    expect(reply.body.data).toMatchObject({ plan: 'starter', amount: '9.00', next_plan: null });
    expect(await plansOf(workspace_id)).toMatchObject({ plan_code: 'starter' });
  });

  test('keeps the old plan until the end of the period, if requested for then', async () => {
    const time = freezeClock('2030-03-01T08:00:00.000Z');
    const { ref, workspace_id, subscription } = await createSubscription(platform, stripe, northwind);
    time.goTo('2030-03-01T08:01:00.000Z');
    const input = { plan: 'starter', interval: 'month', at: 'period_end' };
    const reply = await northwind.program.post(path(ref, 'change'), input);
    expect(reply.body.data).toMatchObject({ plan: 'business', next_plan: 'starter' });
    const [item] = subscription.items.data;
    time.goTo(new Date(item.current_period_end * 1_000).toISOString());
    Object.assign(item, {
      current_period_start: item.current_period_end,
      current_period_end: item.current_period_end + 86_400,
    });
    await deliver(platform, stripe.event('invoice.paid', { id: 'in_9', subscription: ref }));
    expect(await readSubscription(northwind, ref)).toMatchObject({ plan: 'starter', next_plan: null });
    expect(await plansOf(workspace_id)).toMatchObject({ plan_code: 'starter' });
  });

  test('counts pending users, and rejects a too small plan now but not for period end', async () => {
    const { ref, workspace_id } = await createSubscription(platform, stripe, northwind);
    await platform.sql`
      INSERT INTO users (id, workspace_id, name, email, kind, role_id, status)
      SELECT gen_random_uuid(), workspace_id, 'x', 'x' || n, kind, role_id, CASE n WHEN 1 THEN 'active' ELSE 'pending' END
      FROM users, generate_series(1, 2) AS n WHERE workspace_id = ${workspace_id}`;
    const input = { plan: 'starter', interval: 'month' };
    expect(await northwind.program.post(path(ref, 'change'), { ...input, at: 'now' })).toMatchObject({
      status: 409,
      body: { code: 'plan_limit', details: { limit: 'users', allowed: 2, used: 3 } },
    });
    expect((await northwind.program.post(path(ref, 'change'), { ...input, at: 'period_end' })).status).toBe(200);
    const yearly = { plan: 'business', interval: 'year', at: 'period_end' };
    expect(await northwind.program.post(path(ref, 'change'), yearly)).toMatchObject({
      status: 422,
      body: { errors: { at: expect.anything() } },
    });
  });
});

describe('the subscriptions of an instance', () => {
  test('are isolated from other instances and from the other mode', async () => {
    const { ref } = await createSubscription(platform, stripe, northwind);
    const globex = await openInstance(platform);
    const live = await programWith(platform, tokenIn(await operate(platform, 'token', northwind.name)));
    for (const by of [globex.program, live]) {
      expect((await by.get(`/api/wl/subscription/${ref}`)).status).toBe(404);
      expect((await by.post(path(ref, 'cancel'), {})).status).toBe(404);
      expect((await by.get('/api/wl/subscriptions')).body).toMatchObject({ data: [], meta: { total: 0 } });
    }
    const { body } = await northwind.program.get('/api/wl/subscriptions?status=active&per_page=100');
    expect(body.data.map((row: { payment_subscription_id: string }) => row.payment_subscription_id)).toContain(ref);
    expect(body.data.every(({ status }: { status: string }) => status === 'active')).toBe(true);
    expect((await northwind.program.get('/api/wl/subscriptions?colour=red')).status).toBe(422);
  });

  test('are fetched from the provider after a day without an event', async () => {
    const { ref, subscription } = await createSubscription(platform, stripe, northwind);
    Object.assign(subscription, { status: 'unpaid' });
    await checkSubscriptions.work(platform.tools as never);
    expect(await readSubscription(northwind, ref)).toMatchObject({ status: 'active' });
    await platform.sql`UPDATE subscriptions SET synced_at = synced_at - interval '1 day' WHERE provider_ref = ${ref}`;
    await checkSubscriptions.work(platform.tools as never);
    expect(await readSubscription(northwind, ref)).toMatchObject({ status: 'unpaid' });
  });
});
