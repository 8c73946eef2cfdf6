import { beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Database } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import { start, freezeClock } from '@suite/testing';
import { openWorkspace, type SignedIn, type TestWorkspace } from '../../../test/workspace.ts';
import { refreshEntitlements } from '../../entitlements/entitlements/entitlement.ts';
import { withoutCaller, type Db } from '../../operations.ts';
import { platform as contents } from '../../platform.ts';

const platform = await start({ ...contents, schedules: [] });
const database = platform.database as Database<Db>;
let acme: TestWorkspace;
let owner: SignedIn;

beforeEach(async () => {
  acme = await openWorkspace(platform, 'business');
  owner = await acme.as('owner');
});

const subscribe = (paid: { status: string } & Record<string, unknown>) =>
  database.write(withoutCaller('test', acme.id), async (db, emit) => {
    const row = { plan_code: 'business', provider_mode: 'test', workspace_id: acme.id, ...paid };
    await db.subscription.create({ data: row });
    await refreshEntitlements({ db, emit }, acme.id, clock.now());
  });
const show = async () => (await owner.get('/api/subscription')).body.data;

describe('the subscription of a workspace', () => {
  test('is `none` if the operator assigned the plan, with the limits of that plan', async () => {
    expect(await show()).toEqual({
      status: 'none',
      plan: { code: 'business', name: 'Business' },
      until: null,
      trial_ends_at: null,
      modules: expect.arrayContaining(['crm', 'invoicing']),
      limits: { users: 25, customers: null, storage_mb: null, api_rpm: null },
      usage: { users: 8, storage_mb: 0 },
      managed_by_partner: false,
      subscription: null,
    });
  });

  test('shows the end of its grace period if it is past due', async () => {
    const still = freezeClock('2026-06-10T08:00:00.000Z');
    await subscribe({
      status: 'past_due',
      past_due_since: clock.now(),
      amount: '49.00',
      currency: 'EUR',
      interval: 'month',
    });
    const grace_until = '2026-06-17T08:00:00.000Z';
    expect(await show()).toMatchObject({
      status: 'past_due',
      plan: { code: 'business' },
      until: grace_until,
      subscription: { amount: '49.00', currency: 'EUR', interval: 'month', quantity: 1, grace_until },
    });
    still.goTo(grace_until);
    expect(await show()).toMatchObject({ status: 'past_due', plan: null, until: null, modules: [] });
  });

  test('is the running subscription, or else the last one', async () => {
    await subscribe({ status: 'canceled', ended_at: clock.now(), ended_reason: 'requested' });
    expect((await show()).subscription).toMatchObject({ status: 'canceled', ended_reason: 'requested' });
    await subscribe({ status: 'active', plan_code: 'enterprise', wl_instance_id: randomUUID() });
    expect(await show()).toMatchObject({
      status: 'active',
      plan: { code: 'enterprise' },
      managed_by_partner: true,
      subscription: { plan: 'enterprise', status: 'active' },
    });
  });

  test('is visible to owners only', async () => {
    await subscribe({ status: 'active' });
    for (const role of ['manager', 'accountant', 'staff', 'client', 'vendor'] as const)
      expect(await (await acme.as(role)).get('/api/subscription')).toMatchObject({
        status: 403,
        body: { code: 'forbidden' },
      });
    const other = await openWorkspace(platform, 'starter');
    expect((await (await other.as('owner')).get('/api/subscription')).body.data.subscription).toBeNull();
  });

  test('takes no parameters', async () => {
    expect((await owner.get('/api/subscription?plan=x')).status).toBe(422);
  });
});
