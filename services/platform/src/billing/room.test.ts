/** A change to a smaller plan, where more is in use than it allows. */
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { start } from '@suite/testing';
import { financeStandIn } from '@suite/testing/neighbours/finance';
import { platform as contents } from '../platform.ts';
import { deliver, soldTo } from '../../test/customers.ts';
import { sellPlans } from '../../test/plans.ts';
import { standInForStripe } from '../../test/stripe.ts';
import { openInstance, type TestInstance } from '../../test/white-label.ts';
import { openWorkspace } from '../../test/workspace.ts';

const finance = financeStandIn();
const platform = await start(contents, { neighbours: { finance: finance.served } });
const stripe = await standInForStripe();
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
  for (let made = 0; made < number; made += 1) finance.customer(workspace_id, more);
};
const SMALLER = { plan: 'starter', interval: 'month', at: 'now' };

describe('a plan for fewer customers', () => {
  test('is refused now while there are more of them, and allowed when the period ends', async () => {
    const { ref, workspace_id, subscription } = await soldTo(platform, stripe, northwind);
    customers(workspace_id, 3);
    // Neither those who are archived count, nor those of anybody else.
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

  test('is bought where there is room', async () => {
    const { ref, workspace_id } = await soldTo(platform, stripe, northwind);
    customers(workspace_id, 2);
    const changed = await northwind.program.post(`/api/wl/subscription/${ref}/change`, SMALLER);
    expect(changed).toMatchObject({ status: 200, body: { data: { plan: 'starter' } } });
  });

  test('is refused likewise to a workspace that pays for itself', async () => {
    const acme = await openWorkspace(platform);
    const owner = await acme.as('owner');
    const addresses = { success_url: 'https://app.example/done', cancel_url: 'https://app.example/back' };
    const wish = { plan: 'business', interval: 'month', ...addresses };
    const session = stripe.sessionAt((await owner.post('/api/subscription/checkout', wish)).body.data.url);
    stripe.complete(session.id);
    await deliver(platform, stripe.event('checkout.session.completed', session));
    customers(acme.id, 3);
    expect(await owner.post('/api/subscription/change', SMALLER)).toMatchObject({
      status: 409,
      body: { code: 'plan_limit', details: { limit: 'customers', allowed: 2, used: 3 } },
    });
  });
});
