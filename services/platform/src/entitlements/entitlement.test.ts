import { beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { clock, type Database } from '@suite/chassis';
import { start, stillClock, together } from '@suite/testing';
import { admitted, openWorkspace, rpcOf, type TestWorkspace } from '../../test/workspace.ts';
import { byItself, type Db } from '../operations.ts';
import { platform as contents } from '../platform.ts';
import { changePlan } from '../plans/plan.ts';
import { enterInstance } from '../instances/instance.ts';
import { announceEnds } from './entitlement-ends.ts';
import { refreshEntitlements } from './entitlement.ts';
import { writeTrialLetters } from '../subscriptions/trial-letters.ts';

// Without its schedules: the tests run them at the instants that they are about.
const platform = await start({ ...contents, schedules: [] });
const database = platform.database as Database<Db>;
const tools = platform.tools as Parameters<typeof announceEnds>[0];
let acme: TestWorkspace;

beforeEach(async () => {
  acme = await openWorkspace(platform, 'starter');
  // Before a test holds the clock still: sessions live by that of the database.
  await acme.as('owner');
});

/** Writes what a provider says of the workspace's subscription, and what follows from it. */
const subscribe = (status: string, more: Record<string, unknown> = {}, workspace = acme) =>
  database.write(byItself('test', workspace.id), async (db, emit) => {
    const paid = { plan_code: 'business', provider_mode: 'test', status, workspace_id: workspace.id, ...more };
    const known = await db.subscription.findFirst({ where: { workspace_id: workspace.id } });
    if (known) await db.subscription.updateMany({ where: { id: known.id }, data: paid });
    else await db.subscription.create({ data: paid });
    return await refreshEntitlements({ db, emit }, workspace.id, clock.now());
  });

const announced = async (id = acme.id) => {
  const events = await platform.sql`
    SELECT data FROM outbox WHERE type = 'platform.workspace.entitlements_changed' AND workspace_id = ${id} ORDER BY position`;
  return events.map(({ data }) => (data.modules?.length ?? 0) as number);
};

/** The answer that the gateway gets about somebody who has signed in. */
const told = async (workspace = acme) => {
  const { caller } = await workspace.as('owner');
  return await rpcOf(platform).introspect({
    credential: { $case: 'session_id', value: caller.session_id! },
    address: '',
  });
};

describe('a subscription', () => {
  test('switches its modules on and off at once, and announces it where something differs', async () => {
    expect(await subscribe('active')).toBe(true);
    expect(await told()).toMatchObject({ subscription_status: 'active', limits: { users: 25 } });
    expect((await told()).modules).toContain('invoicing');
    expect(await subscribe('trialing')).toBe(false);
    expect(await subscribe('unpaid')).toBe(true);
    const { modules, limits, subscription_status } = await told();
    expect({ modules, subscription_status }).toEqual({ modules: [], subscription_status: 'unpaid' });
    // People may be replaced; nothing is added.
    expect(limits).toEqual({ users: 25, customers: 0, storage_mb: 0 });
    expect(await announced()).toEqual([2, 12, 0]);
  });

  test('that is past due gives its plan until the instant at which its grace ends', async () => {
    const still = stillClock('2026-06-10T08:00:00Z');
    await subscribe('past_due', { past_due_since: clock.now() });
    still.goTo('2026-06-17T07:59:59.999Z');
    await announceEnds(tools);
    const { modules, entitled_until } = await told();
    expect(modules).toContain('invoicing');
    expect(new Date(entitled_until!).toISOString()).toBe('2026-06-17T08:00:00.000Z');
    still.goTo('2026-06-17T08:00:00.000Z');
    // By time alone, before the schedule has come round.
    expect(await told()).toMatchObject({ modules: [], subscription_status: 'past_due' });
    expect(await announced()).toEqual([2, 12]);
    await announceEnds(tools);
    await announceEnds(tools);
    expect(await announced()).toEqual([2, 12, 0]);
  });

  test('is followed by the plan that the operator chose for that', async () => {
    await platform.sql`UPDATE plan_settings SET fallback_plan = 'starter'`;
    try {
      await subscribe('canceled');
      expect((await told()).modules).toEqual(['crm', 'products']);
      expect(await announced()).toEqual([2]);
    } finally {
      await platform.sql`UPDATE plan_settings SET fallback_plan = NULL`;
    }
  });

  test('that is over does not count any more when the operator gives a plan', async () => {
    await subscribe('canceled', { ended_at: new Date(clock.now().getTime() - 1_000) });
    expect((await told()).modules).toEqual([]);
    await database.write(byItself('test', acme.id), (db, emit) => changePlan(db, emit, acme.id, { code: 'business' }));
    expect((await told()).modules).toContain('invoicing');
  });

  test('is computed once for fifty who change it at once, each time from what is true', async () => {
    await subscribe('active');
    await together(50, (at) => subscribe(at % 2 ? 'active' : 'unpaid'));
    const [row] = await platform.sql`SELECT status FROM subscriptions WHERE workspace_id = ${acme.id}`;
    expect((await told()).modules.length).toBe(row!.status === 'active' ? 12 : 0);
    const lengths = await announced();
    expect(lengths.every((length, at) => at === 0 || length !== lengths[at - 1])).toBe(true);
  });

  test('is its workspace’s alone', async () => {
    const other = await openWorkspace(platform, 'starter');
    await subscribe('active');
    const seen = await database.read(byItself('test', other.id), (db) => db.subscription.count());
    expect(seen).toBe(0);
    await expect(
      database.write(byItself('test', other.id), (db) =>
        db.subscription.create({
          data: { plan_code: 'business', provider_mode: 'test', status: 'active', workspace_id: acme.id },
        }),
      ),
    ).rejects.toThrow();
  });

  test('of a partner belongs to the partner until there is a workspace, and is written down as theirs', async () => {
    const instance = randomUUID();
    const sold = { plan_code: 'business', provider_mode: 'test', status: 'incomplete', wl_instance_id: instance };
    const { id } = await database.write(byItself('test', instance), async (db) => {
      await enterInstance(instance, 'test');
      return await db.subscription.create({ data: sold });
    });
    const logged =
      await platform.sql`SELECT workspace_id FROM audit_log WHERE table_name = 'subscriptions' AND record_id = ${id}`;
    expect(logged).toEqual([{ workspace_id: instance }]);
    expect(await database.read(byItself('test', acme.id), (db) => db.subscription.count())).toBe(0);
  });
});

describe('a trial without a subscription', () => {
  const give = (trial_days: number) =>
    database.write(byItself('test', acme.id), (db, emit) =>
      changePlan(db, emit, acme.id, { code: 'business', trial_days }),
    );
  const letters = async () => {
    await writeTrialLetters(tools);
    const rows = await platform.sql`
      SELECT user_id, facts FROM outgoing_mail WHERE letter = 'trial_ends' AND workspace_id = ${acme.id} ORDER BY created_at, id`;
    return rows.map(({ user_id, facts }) => ({ user_id, ends_on: facts.ends_on as string }));
  };

  test('ends at its instant, also when nobody looked for days, once', async () => {
    const still = stillClock('2026-06-01T22:30:00Z');
    await give(14);
    expect(await told()).toMatchObject({ subscription_status: 'trialing' });
    still.goTo('2026-06-20T00:00:00Z');
    expect((await told()).modules).toEqual([]);
    await Promise.all([announceEnds(tools), announceEnds(tools)]);
    expect(await announced()).toEqual([2, 12, 0]);
    expect(await told()).toMatchObject({ subscription_status: 'paused' });
  });

  test('is told of seven days and one day before, once each, with the day as it is there', async () => {
    const still = stillClock('2026-06-01T22:30:00Z');
    await give(14);
    expect(await letters()).toEqual([]);
    still.goTo('2026-06-08T22:30:00Z');
    const letter = { user_id: acme.users.owner, ends_on: '2026-06-16' };
    expect(await letters()).toEqual([letter]);
    expect(await letters()).toEqual([letter]);
    still.goTo('2026-06-14T23:00:00Z');
    expect(await letters()).toEqual([letter, letter]);
    still.goTo('2026-06-15T23:00:00Z');
    expect(await letters()).toEqual([letter, letter]);
  });

  test('is told of once, when both letters are late', async () => {
    const still = stillClock('2026-06-01T08:00:00Z');
    await give(14);
    still.goTo('2026-06-14T20:00:00Z');
    expect(await letters()).toHaveLength(1);
    expect(await letters()).toHaveLength(1);
  });

  test('is told of to nobody who has subscribed', async () => {
    const still = stillClock('2026-06-01T08:00:00Z');
    await give(14);
    await subscribe('active');
    still.goTo('2026-06-10T08:00:00Z');
    expect(await letters()).toEqual([]);
    still.goTo('2026-06-20T08:00:00Z');
    expect((await told()).modules).toContain('invoicing');
  });

  test('is refused for no days', async () => {
    await expect(give(0)).rejects.toMatchObject({ code: 'no_trial' });
  });
});

test('a caller who signs in after a plan is over keeps what does not hang on it', async () => {
  await subscribe('canceled');
  const owner = await admitted(platform, {
    $case: 'session_id',
    value: (await acme.as('owner')).caller.session_id!,
  });
  expect((await owner.get('/api/user')).body.data.modules).toEqual([]);
  expect((await owner.get('/api/v1/settings/api-keys')).status).toBe(200);
  expect(await owner.get('/api/subscription')).toMatchObject({ status: 200, body: { data: { plan: null } } });
});
