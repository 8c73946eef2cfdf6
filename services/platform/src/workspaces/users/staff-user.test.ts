import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventPublisher, eventually, start, together } from '@suite/testing';
import { openWorkspace, rpcOf, type TestWorkspace } from '../../../test/workspace.ts';
import { platform as contents } from '../../platform.ts';
import type { SeededRoleKey } from '../../identity/roles/seeded-roles.ts';

const platform = await start({ ...contents, schedules: [] });
const { say } = await eventPublisher(platform);
let acme: TestWorkspace;
beforeAll(async () => {
  acme = await openWorkspace(platform);
});

const wanted = (role_key = 'sales') => ({
  idempotency_key: randomUUID(),
  name: 'Ada Lovelace',
  email: `ada.${randomUUID()}@example.test`,
  role_key,
});
type Wanted = ReturnType<typeof wanted>;
const ensure = async (wish: Wanted, by: SeededRoleKey = 'owner') =>
  await rpcOf(platform, (await acme.as(by)).caller).ensureStaffUser(wish);
const employed = (user_id: string, wish: Wanted) =>
  say(acme.id, 'hr.employee.created', {
    employee_id: randomUUID(),
    code: 'EMP-1',
    name: wish.name,
    user_id,
    status: 'active',
    joining_date: '2026-01-01',
    new_staff: { ...wish, user_id },
  });
const left = (user_id: string) =>
  say(acme.id, 'hr.employee.left', {
    employee_id: randomUUID(),
    user_id,
    last_day: '2026-06-30',
    cause: 'resigned',
  });
const user = async (id: string) => (await platform.sql`SELECT kind, status, role_id FROM users WHERE id = ${id}`)[0];
const lettersTo = (id: string) => platform.sql`SELECT letter FROM outgoing_mail WHERE user_id = ${id}`;

describe('a staff user requested by hr', () => {
  test('is hidden and not invited until an employee is hired with them', async () => {
    const wish = wanted();
    const { user: made, created } = await ensure(wish);
    const { user_id } = made!;
    expect([created, made]).toMatchObject([true, { name: wish.name, kind: 'staff', status: 'invited' }]);
    expect(await lettersTo(user_id)).toEqual([]);
    const owner = await acme.as('owner');
    expect((await owner.get(`/api/users?q=${encodeURIComponent(wish.email)}`)).body.data).toEqual([]);
    await employed(user_id, wish);
    expect(await user(user_id)).toEqual({ kind: 'staff', status: 'invited', role_id: acme.roles.sales });
    expect(await lettersTo(user_id)).toMatchObject([{ letter: 'invitation' }]);
  });

  test.each([
    ['staff', 'hires'],
    ['agent', 'hires'],
    ['hr', 'hires'],
    ...['owner', 'manager', 'accountant', 'sales', 'payroll'].map((role) => [role, 'is refused']),
  ] as [SeededRoleKey, string][])(
    'is created or rejected by its role %s: HR %s, in a dry run, too',
    async (role, outcome) => {
      const wish = { ...wanted(role), dry_run: true };
      for (const asked of [wish, { ...wish, dry_run: false }]) {
        const told = await ensure(asked, 'hr').then(
          ({ created }) => ({ created }),
          ({ code }: { code: string }) => ({ code }),
        );
        expect(told).toEqual(outcome === 'hires' ? { created: true } : { code: 'role_exceeds_caller' });
        const count = await platform.sql`SELECT FROM users WHERE email = ${wish.email}`;
        expect(count).toHaveLength(asked.dry_run || outcome !== 'hires' ? 0 : 1);
      }
    },
  );

  test('is the same for concurrent requests with one address', async () => {
    const wish = wanted();
    const told = await together(20, () => ensure({ ...wish, idempotency_key: randomUUID() }));
    expect(new Set(told.map((one) => one.user!.user_id)).size).toBe(1);
  });

  test("cannot have a role beyond the caller's permissions", async () => {
    await expect(ensure(wanted('owner'), 'hr')).rejects.toMatchObject({ code: 'role_exceeds_caller' });
    await expect(ensure(wanted('client'))).rejects.toMatchObject({ status: 422 });
    await expect(ensure(wanted('nobody'))).rejects.toMatchObject({ status: 422 });
  });

  test('is an existing staff user, and never a client', async () => {
    const known = { ...wanted(), email: acme.email('sales') };
    expect(await ensure(known)).toMatchObject({ created: false, user: { user_id: acme.users.sales } });
    await expect(ensure({ ...wanted(), email: acme.email('client') })).rejects.toMatchObject({ status: 422 });
  });

  test('uses a seat of the plan, also while pending', async () => {
    const small = await openWorkspace(platform, 'business');
    const owner = await small.as('owner');
    const replies = await Promise.allSettled(
      Array.from({ length: 30 }, () => rpcOf(platform, owner.caller).ensureStaffUser(wanted())),
    );
    const refused = replies.flatMap((reply) => (reply.status === 'rejected' ? [reply.reason] : []));
    expect(refused).toHaveLength(30 - (25 - 8));
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['plan_limit']));
    const { name, email } = wanted();
    const invited = await owner.post('/api/user/store', { name, email, role_id: small.roles.sales });
    expect(invited).toMatchObject({ status: 409, body: { code: 'plan_limit', details: { allowed: 25, used: 25 } } });
  });
});

describe('a former employee', () => {
  test('can no longer sign in, and their sessions have ended', async () => {
    const colleague = await acme.as('agent');
    expect((await colleague.get('/api/user')).status).toBe(200);
    await left(acme.users.agent);
    expect(await user(acme.users.agent)).toMatchObject({ status: 'disabled' });
    const open = await platform.sql`SELECT id FROM sessions WHERE user_id = ${acme.users.agent} AND revoked_at IS NULL`;
    expect(open).toEqual([]);
  });

  test('keeps their login as the last owner', async () => {
    await left(acme.users.owner);
    expect(await user(acme.users.owner)).toMatchObject({ status: 'active' });
  });

  test('is deleted if their invitation is pending', async () => {
    const wish = wanted();
    const { user_id } = (await ensure(wish)).user!;
    await employed(user_id, wish);
    await left(user_id);
    expect(await user(user_id)).toMatchObject({ status: 'deleted' });
  });
});

test('deletes the user of a mistakenly entered employee, unless they have signed in', async () => {
  const wish = wanted();
  const { user_id } = (await ensure(wish)).user!;
  await employed(user_id, wish);
  const removed = (made_user_id: string) =>
    say(acme.id, 'hr.employee.deleted', { employee_id: randomUUID(), made_user_id });
  await removed(user_id);
  await removed(acme.users.sales);
  await eventually(async () => expect(await user(user_id)).toMatchObject({ status: 'deleted' }));
  expect(await user(acme.users.sales)).toMatchObject({ status: 'active' });
});
