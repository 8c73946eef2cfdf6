import { beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Database } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import { start, freezeClock, runConcurrently } from '@suite/testing';
import { authenticate, openWorkspace, rpcOf, type TestWorkspace } from '../../../test/workspace.ts';
import { withoutCaller, type Db } from '../../operations.ts';
import { platform as contents } from '../../platform.ts';
import { assignPlan } from '../plans/plan.ts';
import { enterInstance } from '../../billing/instances/instance.ts';
import { announceEnds } from './entitlement-ends.ts';
import { refreshEntitlements } from './entitlement.ts';
import { sendTrialReminders } from '../../workspaces/subscriptions/trial-reminders.ts';

// Runs without schedules, because the tests run them at the times under test.
const platform = await start({ ...contents, schedules: [] });
const database = platform.database as Database<Db>;
const tools = platform.tools as Parameters<typeof announceEnds>[0];
let acme: TestWorkspace;

beforeEach(async () => {
  acme = await openWorkspace(platform, 'starter');
  // Signs in before a test freezes the clock, because sessions expire by the database's clock.
  await acme.as('owner');
});

/** Stores a subscription as a provider reports it, and refreshes the entitlements. */
const subscribe = (status: string, more: Record<string, unknown> = {}, workspace = acme) =>
  database.write(withoutCaller('test', workspace.id), async (db, emit) => {
    const paid = { plan_code: 'business', provider_mode: 'test', status, workspace_id: workspace.id, ...more };
    const known = await db.subscription.findFirst({ where: { workspace_id: workspace.id } });
    if (known) await db.subscription.updateMany({ where: { id: known.id }, data: paid });
    else await db.subscription.create({ data: paid });
    return await refreshEntitlements({ db, emit }, workspace.id, clock.now());
  });

const announced = async (id = acme.id) => {
  const events = await platform.sql`
    SELECT data FROM journal_events WHERE type = 'platform.workspace.entitlements_changed' AND workspace_id = ${id} ORDER BY position`;
  return events.map(({ data }) => (data.modules?.length ?? 0) as number);
};

/** Returns the response that the gateway gets for a signed-in user. */
const payload = async (workspace = acme) => {
  const { caller } = await workspace.as('owner');
  return await rpcOf(platform).introspect({
    credential: { $case: 'session_id', value: caller.session_id! },
    address: '',
  });
};

describe('a subscription', () => {
  test('enables and disables modules immediately, and announces only differences', async () => {
    expect(await subscribe('active')).toBe(true);
    expect(await payload()).toMatchObject({ subscription_status: 'active', limits: { users: 25 } });
    expect((await payload()).modules).toContain('invoicing');
    expect(await subscribe('trialing')).toBe(false);
    expect(await subscribe('unpaid')).toBe(true);
    const { modules, limits, subscription_status } = await payload();
    expect({ modules, subscription_status }).toEqual({ modules: [], subscription_status: 'unpaid' });
    // Existing users can be replaced, but nothing can be added.
    expect(limits).toEqual({ users: 25, customers: 0, storage_mb: 0 });
    expect(await announced()).toEqual([2, 12, 0]);
  });

  test('provides its plan until the end of its grace period if it is past due', async () => {
    const still = freezeClock('2026-06-10T08:00:00Z');
    await subscribe('past_due', { past_due_since: clock.now() });
    still.goTo('2026-06-17T07:59:59.999Z');
    await announceEnds(tools);
    const { modules, entitled_until } = await payload();
    expect(modules).toContain('invoicing');
    expect(new Date(entitled_until!).toISOString()).toBe('2026-06-17T08:00:00.000Z');
    still.goTo('2026-06-17T08:00:00.000Z');
    // Ends by time alone, before the schedule runs.
    expect(await payload()).toMatchObject({ modules: [], subscription_status: 'past_due' });
    expect(await announced()).toEqual([2, 12]);
    await announceEnds(tools);
    await announceEnds(tools);
    expect(await announced()).toEqual([2, 12, 0]);
  });

  test('is followed by the fallback plan of the operator', async () => {
    await platform.sql`UPDATE plan_settings SET fallback_plan = 'starter'`;
    try {
      await subscribe('canceled');
      expect((await payload()).modules).toEqual(['crm', 'products']);
      expect(await announced()).toEqual([2]);
    } finally {
      await platform.sql`UPDATE plan_settings SET fallback_plan = NULL`;
    }
  });

  test('is replaced by a plan that the operator assigns after its end', async () => {
    await subscribe('canceled', { ended_at: new Date(clock.now().getTime() - 1_000) });
    expect((await payload()).modules).toEqual([]);
    await database.write(withoutCaller('test', acme.id), (db, emit) =>
      assignPlan(db, emit, acme.id, { code: 'business' }),
    );
    expect((await payload()).modules).toContain('invoicing');
  });

  test('announces no duplicate after fifty concurrent changes', async () => {
    await subscribe('active');
    await runConcurrently(50, (at) => subscribe(at % 2 ? 'active' : 'unpaid'));
    const [row] = await platform.sql`SELECT status FROM subscriptions WHERE workspace_id = ${acme.id}`;
    expect((await payload()).modules.length).toBe(row!.status === 'active' ? 12 : 0);
    const lengths = await announced();
    expect(lengths.every((length, at) => at === 0 || length !== lengths[at - 1])).toBe(true);
  });

  test('affects its own workspace only', async () => {
    const other = await openWorkspace(platform, 'starter');
    await subscribe('active');
    const seen = await database.read(withoutCaller('test', other.id), (db) => db.subscription.count());
    expect(seen).toBe(0);
    await expect(
      database.write(withoutCaller('test', other.id), (db) =>
        db.subscription.create({
          data: { plan_code: 'business', provider_mode: 'test', status: 'active', workspace_id: acme.id },
        }),
      ),
    ).rejects.toThrow();
  });

  test('belongs to the partner who sold it until a workspace exists', async () => {
    const instance = randomUUID();
    const sold = { plan_code: 'business', provider_mode: 'test', status: 'incomplete', wl_instance_id: instance };
    const { id } = await database.write(withoutCaller('test', instance), async (db) => {
      await enterInstance(instance, 'test');
      return await db.subscription.create({ data: sold });
    });
    const logged =
      await platform.sql`SELECT workspace_id FROM journal_changes WHERE table_name = 'subscriptions' AND record_id = ${id}`;
    expect(logged).toEqual([{ workspace_id: instance }]);
    expect(await database.read(withoutCaller('test', acme.id), (db) => db.subscription.count())).toBe(0);
  });
});

describe('a trial without a subscription', () => {
  const give = (trial_days: number) =>
    database.write(withoutCaller('test', acme.id), (db, emit) =>
      assignPlan(db, emit, acme.id, { code: 'business', trial_days }),
    );
  const readMails = async () => {
    await sendTrialReminders(tools);
    const rows = await platform.sql`
      SELECT user_id, facts FROM outgoing_mail WHERE letter = 'trial_ends' AND workspace_id = ${acme.id} ORDER BY created_at, id`;
    return rows.map(({ user_id, facts }) => ({ user_id, ends_on: facts.ends_on as string }));
  };

  test('ends on time and once, even if the schedule is days late', async () => {
    const still = freezeClock('2026-06-01T22:30:00Z');
    await give(14);
    expect(await payload()).toMatchObject({ subscription_status: 'trialing' });
    still.goTo('2026-06-20T00:00:00Z');
    expect((await payload()).modules).toEqual([]);
    await Promise.all([announceEnds(tools), announceEnds(tools)]);
    expect(await announced()).toEqual([2, 12, 0]);
    expect(await payload()).toMatchObject({ subscription_status: 'paused' });
  });

  test('sends one reminder seven days and one day before the end, with the local date', async () => {
    const still = freezeClock('2026-06-01T22:30:00Z');
    await give(14);
    expect(await readMails()).toEqual([]);
    still.goTo('2026-06-08T22:30:00Z');
    const mail = { user_id: acme.users.owner, ends_on: '2026-06-16' };
    expect(await readMails()).toEqual([mail]);
    expect(await readMails()).toEqual([mail]);
    still.goTo('2026-06-14T23:00:00Z');
    expect(await readMails()).toEqual([mail, mail]);
    still.goTo('2026-06-15T23:00:00Z');
    expect(await readMails()).toEqual([mail, mail]);
  });

  test('sends one reminder when both are late', async () => {
    const still = freezeClock('2026-06-01T08:00:00Z');
    await give(14);
    still.goTo('2026-06-14T20:00:00Z');
    expect(await readMails()).toHaveLength(1);
    expect(await readMails()).toHaveLength(1);
  });

  test('sends no reminder after a subscription', async () => {
    const still = freezeClock('2026-06-01T08:00:00Z');
    await give(14);
    await subscribe('active');
    still.goTo('2026-06-10T08:00:00Z');
    expect(await readMails()).toEqual([]);
    still.goTo('2026-06-20T08:00:00Z');
    expect((await payload()).modules).toContain('invoicing');
  });

  test('rejects a length of zero days', async () => {
    await expect(give(0)).rejects.toMatchObject({ code: 'no_trial' });
  });
});

test('a caller who signs in after the plan ended keeps independent permissions', async () => {
  await subscribe('canceled');
  const owner = await authenticate(platform, {
    $case: 'session_id',
    value: (await acme.as('owner')).caller.session_id!,
  });
  expect((await owner.get('/api/user')).body.data.modules).toEqual([]);
  expect((await owner.get('/api/v1/settings/api-keys')).status).toBe(200);
  expect(await owner.get('/api/subscription')).toMatchObject({ status: 200, body: { data: { plan: null } } });
});
