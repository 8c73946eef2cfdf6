import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { start, sortedStatuses, freezeClock, runConcurrently, eventTypesOf } from '@suite/testing';
import { sendRequest } from '@suite/testing/http';
import { platform as contents } from '../../platform.ts';
import { CALLBACK, deliver, readSubscription, createSubscription, subscribeCustomer } from '../../../test/customers.ts';
import { sellPlans } from '../../../test/plans.ts';
import { startFakeStripe } from '../../../test/stripe.ts';
import { openInstance, operate, type TestInstance } from '../../../test/white-label.ts';
import { mailsFor } from '../../../test/workspace.ts';
import { sign } from '../payments/signature.rules.ts';

const platform = await start(contents);
const stripe = await startFakeStripe();
let northwind: TestInstance;
beforeAll(async () => {
  await sellPlans(platform);
  northwind = await openInstance(platform);
});

const rowOf = async (ref: string) => (await platform.sql`SELECT * FROM subscriptions WHERE provider_ref = ${ref}`)[0]!;

describe('a new subscription', () => {
  test('creates a workspace and invites its owner', async () => {
    const { session, checkout, ref, client_reference } = await subscribeCustomer(stripe, northwind);
    const reply = await deliver(platform, stripe.event('checkout.session.completed', session));
    expect(reply).toMatchObject({
      status: 200,
      body: { data: { received: true, status: 'processed', duplicate: false } },
    });
    expect(await readSubscription(northwind, ref)).toMatchObject({
      payment_subscription_id: ref,
      client_reference,
      plan: 'business',
      status: 'active',
      allowed_actions: ['cancel', 'change'],
    });
    const { workspace_id, id } = await rowOf(ref);
    const [workspace] = await platform.sql`SELECT name, timezone, currency FROM workspaces WHERE id = ${workspace_id}`;
    expect(workspace).toEqual({ name: 'Ada Lovelace Ltd', timezone: 'Europe/London', currency: 'EUR' });
    const [owner] = await platform.sql`SELECT id, status, kind FROM users WHERE workspace_id = ${workspace_id}`;
    expect(owner).toMatchObject({ status: 'invited', kind: 'owner' });
    expect(await mailsFor(platform, owner!['id'])).toEqual(['invitation']);
    expect(await eventTypesOf(platform, id)).toEqual(['platform.subscription.activated']);
    expect((await eventTypesOf(platform, workspace_id))[0]).toBe('platform.workspace.provisioned');
    expect((await northwind.program.get(`/api/wl/checkout/${checkout.id}`)).body.data).toMatchObject({
      status: 'complete',
      subscription_id: ref,
    });
  });

  test('provides one workspace for any number of concurrent events', async () => {
    const { session, subscription, client_reference, ref } = await subscribeCustomer(stripe, northwind);
    const types = ['customer.subscription.created', 'invoice.paid', 'customer.subscription.updated'];
    const events = [
      stripe.event('checkout.session.completed', session),
      ...types.map((type) =>
        stripe.event(type, type === 'invoice.paid' ? { id: 'in_1', subscription: ref } : subscription),
      ),
    ];
    const replies = await runConcurrently(48, (at) => deliver(platform, events[at % events.length]!));
    // An event that collided with another one is sent again, as the provider does.
    for (const event of events) await deliver(platform, event);
    expect(sortedStatuses(replies).every((status) => status === 200 || status === 503)).toBe(true);
    const rows =
      await platform.sql`SELECT workspace_id FROM subscriptions WHERE client_reference = ${client_reference}`;
    expect(rows).toHaveLength(1);
    expect(await platform.sql`SELECT FROM users WHERE workspace_id = ${rows[0]!['workspace_id']}`).toHaveLength(1);
    const inbox =
      await platform.sql`SELECT FROM inbound_events WHERE provider_event_id = ANY (${events.map(({ id }) => id)})`;
    expect(inbox).toHaveLength(events.length);
  });

  test('reuses the workspace of a former customer', async () => {
    const first = await createSubscription(platform, stripe, northwind);
    Object.assign(stripe.subscriptions.get(first.ref), { status: 'canceled', ended_at: 1 });
    await deliver(platform, stripe.event('customer.subscription.deleted', { id: first.ref }));
    const { domain, program } = northwind;
    const input = { client_reference: first.client_reference, customer_email: `other@${domain}` };
    const urls = { success_url: `https://${domain}/`, cancel_url: `https://${domain}/` };
    const reply = await program.post('/api/wl/checkout', { plan: 'business', interval: 'month', ...input, ...urls });
    const session = [...stripe.sessions.values()].find(({ url }) => url === reply.body.data.url);
    const { id } = stripe.complete(session.id);
    await deliver(platform, stripe.event('checkout.session.completed', session));
    expect((await rowOf(id)).workspace_id).toBe(first.workspace_id);
  });
});

describe('an event', () => {
  test('takes effect once', async () => {
    const { subscription } = await createSubscription(platform, stripe, northwind);
    const event = stripe.event('customer.subscription.updated', subscription);
    const replies = [await deliver(platform, event), await deliver(platform, event)];
    expect(replies.map(({ body }) => body.data)).toEqual([
      { received: true, status: 'processed', duplicate: false },
      { received: true, status: 'processed', duplicate: true },
    ]);
  });

  test('is ignored if it is older than a processed one', async () => {
    const { subscription } = await createSubscription(platform, stripe, northwind);
    const created = Math.floor(Date.now() / 1_000);
    await deliver(platform, stripe.event('customer.subscription.updated', subscription, { created }));
    const older = await deliver(
      platform,
      stripe.event('customer.subscription.updated', subscription, { created: created - 1 }),
    );
    expect(older.body.data).toMatchObject({ status: 'ignored_stale', duplicate: false });
    const same = await deliver(platform, stripe.event('customer.subscription.updated', subscription, { created }));
    expect(same.body.data).toMatchObject({ status: 'processed' });
  });

  test('triggers a request to the provider, without trusting its own contents', async () => {
    const { subscription, ref } = await createSubscription(platform, stripe, northwind);
    await deliver(platform, stripe.event('customer.subscription.updated', { ...subscription, status: 'canceled' }));
    expect((await rowOf(ref)).status).toBe('active');
  });

  test('fails and changes nothing if it would leave a terminal status', async () => {
    const { subscription, ref } = await createSubscription(platform, stripe, northwind);
    subscription.status = 'canceled';
    await deliver(platform, stripe.event('customer.subscription.deleted', subscription));
    subscription.status = 'active';
    const reply = await deliver(platform, stripe.event('customer.subscription.updated', subscription));
    expect(reply).toMatchObject({ status: 200, body: { data: { status: 'failed' } } });
    expect((await rowOf(ref)).status).toBe('canceled');
  });

  test('is processed when it is sent again after a failure', async () => {
    const { subscription, ref } = await createSubscription(platform, stripe, northwind);
    subscription.status = 'past_due';
    const event = stripe.event('customer.subscription.updated', subscription);
    stripe.failing = { times: 2, status: 500 };
    // A client of the test would retry automatically.
    const authorization = `Bearer ${platform.gateway.sign('platform', null)}`;
    const sent = { method: 'POST', body: event.body, headers: { ...event.headers, authorization } };
    expect(await sendRequest(platform.url, CALLBACK, sent)).toMatchObject({
      status: 503,
      body: { code: 'unavailable' },
    });
    stripe.failing.times = 0;
    expect((await deliver(platform, event)).body.data).toMatchObject({ status: 'processed', duplicate: false });
    expect((await rowOf(ref)).status).toBe('past_due');
  });

  test('is ignored if its object or type is unknown', async () => {
    const invalidBodies = [
      stripe.event('charge.dispute.created', { id: 'dp_1' }),
      stripe.event('customer.subscription.updated', { id: 'sub_none' }),
    ];
    for (const event of invalidBodies)
      expect((await deliver(platform, event)).body.data).toMatchObject({ status: 'ignored_unknown' });
  });

  test.each(['wl_instance_id', 'workspace_id'])(
    'is ignored for a subscription of another suite (%s)',
    async (owner) => {
      const { subscription } = await createSubscription(platform, stripe, northwind);
      const elsewhere = { ...subscription, id: `sub_${owner}`, metadata: { [owner]: randomUUID(), plan: 'business' } };
      stripe.subscriptions.set(elsewhere.id, {
        ...elsewhere,
        metadata: { ...elsewhere.metadata, client_reference: 'a' },
      });
      const reply = await deliver(platform, stripe.event('customer.subscription.updated', elsewhere));
      expect(reply).toMatchObject({ status: 200, body: { data: { status: 'ignored_unknown' } } });
      expect(await rowOf(elsewhere.id)).toBeUndefined();
    },
  );

  test('notifies the owner of a failed payment once', async () => {
    const { ref, workspace_id } = await createSubscription(platform, stripe, northwind);
    const event = stripe.event('invoice.payment_failed', {
      id: 'in_2',
      parent: { subscription_details: { subscription: ref } },
    });
    const replies = await runConcurrently(5, () => deliver(platform, event));
    expect(replies.map(({ body }) => body.data.status)).toEqual(Array.from({ length: 5 }, () => 'processed'));
    const [owner] = await platform.sql`SELECT id FROM users WHERE workspace_id = ${workspace_id}`;
    expect(await mailsFor(platform, owner!['id'])).toEqual(['invitation', 'payment_failed']);
    const [{ id }] = (await northwind.program.get(`/api/wl/events?provider_event_id=${event.id}`)).body.data;
    expect((await northwind.program.post(`/api/wl/events/${id}/replay`, {})).status).toBe(200);
    expect(await mailsFor(platform, owner!['id'])).toEqual(['invitation', 'payment_failed']);
  });
});

describe('the signature', () => {
  const post = (body: string | undefined, headers: Record<string, string>) =>
    platform.anonymous.send('POST', CALLBACK, body, { 'content-type': 'application/json', ...headers });

  test('is checked before anything else', async () => {
    const { body, headers } = stripe.event('customer.subscription.updated', { id: 'sub_1' });
    const forged = stripe.event('customer.subscription.updated', { id: 'sub_1' }, { secret: 'whsec_wrong' });
    const refused = [await post(body, {}), await post(forged.body, forged.headers), await post(`${body} `, headers)];
    for (const reply of refused) expect(reply).toMatchObject({ status: 401, body: { code: 'invalid_signature' } });
    freezeClock('2030-01-01T08:00:00.000Z');
    expect(await post(body, headers)).toMatchObject({ status: 401, body: { code: 'stale_signature' } });
  });

  const NUL = String.raw`{"id":"evt_\u0000","type":"x","created":1}`;
  test.each(['{', '[]', '{"id":"evt_1"}', '{"id":"evt_1","type":"x","created":"now"}', NUL])(
    'does not make an event of %s',
    async (body) => {
      const headers = {
        'stripe-signature': sign('whsec_of_the_endpoint', Math.floor(Date.now() / 1_000), Buffer.from(body)),
      };
      expect((await post(body, headers)).status).toBe(422);
    },
  );

  test('must match the mode of the event', async () => {
    const { body } = stripe.event('invoice.paid', { id: 'in_1' });
    const headers = { 'stripe-signature': sign('whsec_of_live', Math.floor(Date.now() / 1_000), Buffer.from(body)) };
    expect(await post(body, headers)).toMatchObject({ status: 422, body: { code: 'wrong_mode' } });
  });

  test('is not checked for a body of more than 256 KiB', async () => {
    expect((await post('x'.repeat(256 * 1024 + 1), {})).status).toBe(413);
  });
});

describe('an event relayed by an instance', () => {
  const relay = ({ token, webhook_secret }: TestInstance, body: string) => {
    const signature = sign(webhook_secret, Math.floor(Date.now() / 1_000), Buffer.from(body));
    const headers = { 'content-type': 'application/json', 'x-bearer': token, 'webhook-signature': signature };
    return platform.anonymous.send('POST', CALLBACK, body, headers);
  };

  test('affects only what the instance has sold', async () => {
    const globex = await openInstance(platform);
    const { subscription, ref } = await createSubscription(platform, stripe, northwind);
    subscription.status = 'past_due';
    const { body } = stripe.event('customer.subscription.updated', subscription);
    expect((await relay(globex, body)).body.data).toEqual({
      received: true,
      status: 'ignored_unknown',
      duplicate: false,
    });
    expect((await rowOf(ref)).status).toBe('active');
    expect((await relay(northwind, body)).body.data).toMatchObject({ status: 'processed', duplicate: false });
    expect((await rowOf(ref)).status).toBe('past_due');
  });

  test('is accepted during a suspension, and needs the secret of its instance', async () => {
    const instance = await openInstance(platform);
    const { subscription, ref } = await createSubscription(platform, stripe, instance);
    await operate(platform, 'suspend', instance.name);
    subscription.cancel_at_period_end = true;
    const { body } = stripe.event('customer.subscription.updated', subscription);
    expect((await relay({ ...instance, webhook_secret: northwind.webhook_secret }, body)).status).toBe(401);
    expect((await relay(instance, body)).body.data).toMatchObject({ status: 'processed' });
    expect((await rowOf(ref)).cancel_at_period_end).toBe(true);
  });

  test('can be signed with the previous secret for one day', async () => {
    const instance = await openInstance(platform);
    const { body: rotated } = await instance.program.post('/api/wl/webhook-secret/rotate', {});
    const { body } = stripe.event('plan.created', { id: randomUUID() });
    expect((await relay(instance, body)).status).toBe(200);
    expect((await relay({ ...instance, webhook_secret: rotated.data.webhook_secret }, body)).status).toBe(200);
    await platform.sql`UPDATE wl_instances SET secret_before_until = now() WHERE id = ${instance.id}`;
    expect((await relay(instance, body)).status).toBe(401);
  });
});

describe('the events of an instance', () => {
  test('are listed with their results, and can be replayed', async () => {
    const instance = await openInstance(platform);
    const { ref, subscription } = await createSubscription(platform, stripe, instance);
    const { body } = await instance.program.get('/api/wl/events?status=processed');
    expect(body.data).toEqual([
      expect.objectContaining({ type: 'checkout.session.completed', attempts: 1, error: null }),
    ]);
    subscription.status = 'unpaid';
    const reply = await instance.program.post(`/api/wl/events/${body.data[0].id}/replay`, {});
    expect(reply).toMatchObject({ status: 200, body: { data: { status: 'processed', attempts: 2 } } });
    expect((await rowOf(ref)).status).toBe('unpaid');
    expect((await northwind.program.post(`/api/wl/events/${body.data[0].id}/replay`, {})).status).toBe(404);
    expect((await northwind.program.get(`/api/wl/events?id=${body.data[0].id}`)).body.data).toEqual([]);
  });
});
