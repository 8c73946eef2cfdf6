/** Tests of downgrades to a plan whose limits are below the current usage. */
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { start } from '@suite/testing';
import { fakeFinance } from '@suite/testing/fakes/finance';
import { platform as contents } from '../../platform.ts';
import { deliver, createSubscription } from '../../../test/customers.ts';
import { sellPlans } from '../../../test/plans.ts';
import { startFakeStripe } from '../../../test/stripe.ts';
import { openInstance, type TestInstance } from '../../../test/white-label.ts';
import { openWorkspace } from '../../../test/workspace.ts';

const finance = fakeFinance();
const platform = await start(contents, { fakes: { finance: finance.served } });
const stripe = await startFakeStripe();
let northwind: TestInstance;
beforeAll(async () => {
  await sellPlans(platform);
  await platform.sql`UPDATE plans SET user_limit = 50, customer_limit = 2 WHERE code = 'starter'`;
  await platform.sql`UPDATE prices SET wholesale_amount = amount WHERE plan_code = 'starter'`;
});
beforeEach(async () => {
  northwind = await openInstance(platform);
});

const customers = (workspace_id: string, number: number, more: object = {}) => {
  for (let count = 0; count < number; count += 1) finance.customer(workspace_id, more);
};
const SMALLER = { plan: 'starter', interval: 'month', at: 'now' };

describe('a plan for fewer customers', () => {
  test('is rejected now while there are more customers, and allowed at period end', async () => {
    const { ref, workspace_id, subscription } = await createSubscription(platform, stripe, northwind);
    customers(workspace_id, 3);
    // Archived customers do not count, and neither do customers of other workspaces.
    customers(workspace_id, 1, { active: false });
    customers(randomUUID(), 5);
    customers(northwind.id, 5);
    const path = `/api/wl/subscription/${ref}/change`;
    expect(await northwind.program.post(path, SMALLER)).toMatchObject({
      status: 409,
      body: { code: 'plan_limit', details: { limit: 'customers', allowed: 2, used: 3 } },
    });
    expect(subscription.metadata.plan).toBe('business');
    const later = await northwind.program.post(path, { ...SMALLER, at: 'period_end' });
    expect(later).toMatchObject({ status: 200, body: { data: { plan: 'business', next_plan: 'starter' } } });
  });

  test('can be bought if the usage is within its limits', async () => {
    const { ref, workspace_id } = await createSubscription(platform, stripe, northwind);
    customers(workspace_id, 2);
    const changed = await northwind.program.post(`/api/wl/subscription/${ref}/change`, SMALLER);
    expect(changed).toMatchObject({ status: 200, body: { data: { plan: 'starter' } } });
  });

  test('is also rejected for a workspace with its own subscription', async () => {
    const acme = await openWorkspace(platform);
    const owner = await acme.as('owner');
    const addresses = { success_url: 'https://app.example/done', cancel_url: 'https://app.example/back' };
    const input = { plan: 'business', interval: 'month', ...addresses };
    const session = stripe.sessionAt((await owner.post('/api/subscription/checkout', input)).body.data.url);
    stripe.complete(session.id);
    await deliver(platform, stripe.event('checkout.session.completed', session));
    customers(acme.id, 3);
    expect(await owner.post('/api/subscription/change', SMALLER)).toMatchObject({
      status: 409,
      body: { code: 'plan_limit', details: { limit: 'customers', allowed: 2, used: 3 } },
    });
  });
});

describe('a plan with less storage', () => {
  test("is rejected now if all services exceed it, and allowed at the period's end", async () => {
    await platform.sql`UPDATE plans SET storage_limit_mb = 3 WHERE code = 'starter'`;
    const { ref, workspace_id } = await createSubscription(platform, stripe, northwind);
    for (const service of ['crm', 'hr'])
      await platform.sql`
        INSERT INTO storage_uses (workspace_id, service, bytes) VALUES (${workspace_id}, ${service}, 2 * 1024 * 1024)`;
    const path = `/api/wl/subscription/${ref}/change`;
    expect(await northwind.program.post(path, SMALLER)).toMatchObject({
      status: 409,
      body: { code: 'plan_limit', details: { limit: 'storage_mb', allowed: 3, used: 4 } },
    });
    expect((await northwind.program.post(path, { ...SMALLER, at: 'period_end' })).status).toBe(200);
    await platform.sql`UPDATE plans SET storage_limit_mb = NULL WHERE code = 'starter'`;
  });
});

test('a workspace beyond its limits can switch to yearly payment or a larger plan', async () => {
  const SOLD = [
    ['starter', 'year'],
    ['growing', 'month'],
    ['smallest', 'month'],
  ];
  await platform.sql`
    INSERT INTO plans (code, name, description, modules, position, status, customer_limit)
    VALUES ('growing', 'Growing', '', '{crm}', 50, 'active', 3), ('smallest', 'Smallest', '', '{crm}', 51, 'active', 1)`;
  for (const [plan, interval] of SOLD)
    await platform.sql`
      INSERT INTO prices (id, plan_code, currency, "interval", amount, wholesale_amount)
      VALUES (gen_random_uuid(), ${plan}, 'EUR', ${interval}, 50, 50)`;
  const { ref, workspace_id } = await createSubscription(platform, stripe, northwind, {}, { plan: 'starter' });
  customers(workspace_id, 5);
  const change = (plan: string, interval: string) =>
    northwind.program.post(`/api/wl/subscription/${ref}/change`, { plan, interval, at: 'now' });
  expect((await change('starter', 'year')).status).toBe(200);
  expect(await change('smallest', 'month')).toMatchObject({ status: 409, body: { details: { allowed: 1, used: 5 } } });
  expect(await change('growing', 'month')).toMatchObject({ status: 200, body: { data: { plan: 'growing' } } });
});
