/**
 * A workspace with a subscription from its trial to its end, and the requests that the gateway allows in each state.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dataOf } from '@suite/testing/http';
import { waitFor, runConcurrently } from '@suite/testing/waiting';
import { startStripe } from '@suite/testing/payments/stripe';
import { bearer, formWith } from '@suite/testing/suite/http-caller';
import { deliverEvent, runPlansCommand, sellPlan } from '@suite/testing/suite/instance';
import { emailsTo } from '@suite/testing/suite/mailbox';
import { startSuiteForFile } from '@suite/testing/suite/started';
import { openWorkspace, runWorkspaceCommand, type Workspace } from '@suite/testing/suite/workspace';

const stripe = await startStripe();
afterAll(stripe.stop);
const suite = await startSuiteForFile({ environment: stripe.settings });

const ADDRESSES = { success_url: 'https://app.example/done', cancel_url: 'https://app.example/back' };
const ORDER = { plan: 'pro', interval: 'month', ...ADDRESSES };
/** Maximum time that the gateway relies on a previous response of platform. */
const REMEMBERED_MS = 5_000;

beforeAll(async () => {
  const pro = ['--name', 'Pro', '--description', 'For one office', '--modules', 'crm', '--trial-days', '14'];
  await runPlansCommand(suite, 'add', '--code', 'pro', ...pro, '--users', '5');
  const thin = ['--name', 'Thin', '--description', 'For few requests', '--modules', 'crm', '--api-rpm', '12'];
  await runPlansCommand(suite, 'add', '--code', 'thin', ...thin);
  const full = ['--name', 'Full', '--description', 'For few files', '--modules', 'crm,projects,support,hrm'];
  await runPlansCommand(suite, 'add', '--code', 'full', ...full, '--storage-mb', '1');
  await sellPlan(suite, 'pro', '49.00');
}, 240_000);

/** Creates a workspace whose owner has subscribed on the provider's page, and delivers the provider's event. */
async function openSubscribedWorkspace() {
  const acme = await openWorkspace(suite);
  const checkout = await dataOf(acme.owner.post('/api/subscription/checkout', ORDER));
  const session = stripe.sessionAt(checkout.url);
  const subscription = stripe.complete(session.id);
  await dataOf(deliverEvent(suite, stripe.event('checkout.session.completed', session)));
  const become = async (status: string, type = 'customer.subscription.updated') => {
    subscription.status = status;
    const object = type.startsWith('invoice') ? { id: 'in_1', subscription: subscription.id } : subscription;
    await dataOf(deliverEvent(suite, stripe.event(type, object)));
  };
  return { acme, checkout, subscription, become };
}

const leads = ({ owner }: Workspace) => owner.get('/api/leads');
const subscriptionOf = ({ owner }: Workspace) => dataOf(owner.get('/api/subscription'));
const isOff = { status: 403, body: { code: 'module_disabled' } };

test('a workspace tries a plan, pays, is overdue and regains access', async () => {
  const { acme, checkout, become } = await openSubscribedWorkspace();
  const { owner } = acme;
  const manager = await acme.hire('manager');
  expect(checkout).toMatchObject({ status: 'open', price: { amount: '49.00', currency: 'EUR' }, trial: true });
  expect(await subscriptionOf(acme)).toMatchObject({ status: 'trialing', plan: { code: 'pro' }, modules: ['crm'] });
  await waitFor(async () => expect(await owner.get('/api/employees')).toMatchObject(isOff));
  await dataOf(owner.post('/api/lead/create', { name: 'Kept' }));
  const second = await owner.post('/api/subscription/checkout', ORDER);
  expect(second).toMatchObject({ status: 409, body: { code: 'already_subscribed' } });

  await become('active', 'invoice.paid');
  expect(await subscriptionOf(acme)).toMatchObject({ status: 'active', subscription: { amount: '49.00' } });

  await become('past_due', 'invoice.payment_failed');
  const { subscription: due } = await subscriptionOf(acme);
  await waitFor(async () => {
    const told = (await leads(acme)).headers.get('subscription-status');
    expect(told).toBe(`past_due; until=${new Date(due.grace_until).toISOString()}`);
  });
  expect((await leads(acme)).status).toBe(200);
  const others = await manager.get('/api/leads');
  expect([others.status, others.headers.get('subscription-status')]).toEqual([200, null]);
  await waitFor(() =>
    expect(emailsTo(suite, owner.email).filter(({ subject }) => /payment/i.test(subject))).toHaveLength(1),
  );

  // The grace period ends immediately if the operator sets it to zero.
  await runPlansCommand(suite, 'settings', '--grace-days', '0');
  await waitFor(async () => expect(await leads(acme)).toMatchObject(isOff));
  expect(await subscriptionOf(acme)).toMatchObject({ status: 'past_due', plan: null, modules: [] });
  for (const path of ['/api/user', '/api/users', '/api/v1/settings/api-keys'])
    expect([path, (await owner.get(path)).status]).toEqual([path, 200]);
  const kept = await suite.sql('crm', 'SELECT name FROM leads WHERE workspace_id = $1', [acme.id]);
  expect(kept).toEqual([{ name: 'Kept' }]);
  await runPlansCommand(suite, 'settings', '--grace-days', '7');

  await become('active', 'invoice.paid');
  await waitFor(async () => expect((await leads(acme)).body.data).toMatchObject([{ name: 'Kept' }]));
  expect((await leads(acme)).headers.get('subscription-status')).toBeNull();
}, 120_000);

test('a workspace resumes its subscription, and then ends it immediately', async () => {
  const { acme, subscription, become } = await openSubscribedWorkspace();
  const { owner } = acme;
  await become('active', 'invoice.paid');
  const ending = await dataOf(owner.post('/api/subscription/cancel', { reason: 'Too much' }));
  expect(ending).toMatchObject({ status: 'active', cancel_at_period_end: true });
  expect(ending.allowed_actions).toContain('resume');
  expect(await dataOf(owner.post('/api/subscription/resume'))).toMatchObject({ cancel_at_period_end: false });
  expect((await leads(acme)).status).toBe(200);
  expect(await dataOf(owner.post('/api/subscription/cancel', { immediate: true }))).toMatchObject({
    status: 'canceled',
    ended_reason: 'requested',
    allowed_actions: [],
  });
  expect(stripe.subscriptions.get(subscription.id).status).toBe('canceled');
  await waitFor(async () => expect(await leads(acme)).toMatchObject(isOff));
  expect((await owner.post('/api/subscription/cancel', {})).status).toBe(200);
  expect(await owner.post('/api/subscription/resume')).toMatchObject({
    status: 409,
    body: { code: 'invalid_transition' },
  });
  // A workspace gets only one trial.
  expect(await dataOf(owner.post('/api/subscription/checkout', ORDER))).toMatchObject({ trial: false });
}, 240_000);

test('an unused checkout page expires, and another one can be requested', async () => {
  const { owner } = await openWorkspace(suite);
  const checkout = await dataOf(owner.post('/api/subscription/checkout', ORDER));
  const session = stripe.sessionAt(checkout.url);
  session.status = 'expired';
  await dataOf(deliverEvent(suite, stripe.event('checkout.session.expired', session)));
  const another = await owner.post('/api/subscription/checkout', ORDER);
  expect(another.status).toBe(201);
  expect(another.body.data.id).not.toBe(checkout.id);
  expect((await subscriptionOf({ owner } as Workspace)).status).toBe('none');
});

test('a first payment that awaits the bank removes no access', async () => {
  const { acme, become } = await openSubscribedWorkspace();
  await waitFor(async () => expect(await acme.owner.get('/api/employees')).toMatchObject(isOff));
  const other = await openWorkspace(suite);
  const checkout = await dataOf(other.owner.post('/api/subscription/checkout', ORDER));
  const session = stripe.sessionAt(checkout.url);
  stripe.complete(session.id, { status: 'incomplete' });
  await dataOf(deliverEvent(suite, stripe.event('checkout.session.completed', session)));
  expect(await subscriptionOf(other)).toMatchObject({
    plan: { code: 'enterprise' },
    subscription: { status: 'incomplete' },
  });
  expect((await other.owner.get('/api/employees')).status).toBe(200);
  await become('canceled', 'customer.subscription.deleted');
}, 240_000);

test('a workspace stores what its plan allows, in each part that stores files', async () => {
  const { id, owner } = await openWorkspace(suite);
  const lead = await dataOf(owner.post('/api/lead/create', { name: 'Ada' }));
  const project = await dataOf(owner.post('/api/projects/create', { name: 'Paint the fence' }));
  const [{ id: type_id }] = await dataOf(owner.get('/api/document-types'));
  await runWorkspaceCommand(suite, 'plan', '--id', id, '--plan', 'full');
  const MB = 1024 * 1024;
  const store = (path: string, field: string, fields: Record<string, string>) => (bytes: number) => {
    const form = formWith(field, new File(['a'.repeat(bytes)], 'a.txt', { type: 'text/plain' }));
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    return owner.upload(path, form);
  };
  const ofLead = store(`/api/lead-file/store/${lead.id}`, 'file', {});
  const others = [
    store('/api/project/file/create', 'file', { project_id: project.id }),
    store('/api/support-ticket/ticket/store', 'files', { subject: 'Locked out', description: 'Since noon' }),
    store('/api/hrm-document/create', 'file', { title: 'House rules', type_id }),
  ];
  const isFull = { status: 409, body: { code: 'plan_limit', details: { limit: 'storage_mb', allowed: 1 } } };
  await waitFor(async () => expect(await owner.get('/api/warehouse')).toMatchObject(isOff));
  for (const add of [ofLead, ...others]) {
    expect(await add(MB + 1)).toMatchObject(isFull);
    expect((await add(1)).status).toBe(201);
  }
  // Four bytes are stored. Each service knows at least its own.
  expect((await ofLead(MB - 14)).status).toBe(201);
  const last = await runConcurrently(5, () => ofLead(10));
  expect(last.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const refused of last.filter(({ status }) => status !== 201)) expect(refused).toMatchObject(isFull);
  await runWorkspaceCommand(suite, 'plan', '--id', id, '--plan', 'enterprise');
  await waitFor(async () => expect((await ofLead(MB)).status).toBe(201));
}, 240_000);

describe('the gateway', () => {
  test('reacts to the event of a change before its next check', async () => {
    const { acme, become } = await openSubscribedWorkspace();
    await waitFor(async () => expect((await acme.owner.get('/api/employees')).status).toBe(403));
    expect((await leads(acme)).status).toBe(200);
    await become('unpaid');
    await waitFor(async () => expect(await leads(acme)).toMatchObject(isOff), REMEMBERED_MS - 500);
  });

  test('allows the requests of a plan, separately for each workspace', async () => {
    const { id, owner } = await openWorkspace(suite);
    await runWorkspaceCommand(suite, 'plan', '--id', id, '--plan', 'thin');
    const refused = await waitFor(async () => {
      const reply = await owner.get('/api/leads');
      expect(reply.status).toBe(429);
      return reply;
    });
    expect(refused.body).toMatchObject({ code: 'rate_limited', details: { limit: 'api_rpm', allowed: 12 } });
    const wait_s = Number(refused.headers.get('retry-after'));
    expect(Number.isInteger(wait_s) && wait_s >= 1 && wait_s <= 60).toBe(true);
    const neighbour = await openWorkspace(suite);
    expect((await leads(neighbour)).status).toBe(200);
    expect((await bearer(suite.gateway).get('/api/public/plans')).status).toBe(200);
  }, 240_000);

  test('checks again within five seconds without an event', async () => {
    const { acme, become } = await openSubscribedWorkspace();
    expect((await leads(acme)).status).toBe(200);
    const { nats } = suite.processes;
    nats!.kill('SIGSTOP');
    try {
      await become('unpaid');
      await waitFor(async () => expect(await leads(acme)).toMatchObject(isOff));
    } finally {
      nats!.kill('SIGCONT');
    }
  }, 240_000);
});
