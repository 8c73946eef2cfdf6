import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventPublisher, waitFor, start, runConcurrently } from '@suite/testing';
import { openWorkspace, rpcOf, type TestWorkspace } from '../../../test/workspace.ts';
import { platform as contents } from '../../platform.ts';
import type { SeededRoleKey } from '../../identity/roles/seeded-roles.ts';

const platform = await start({ ...contents, schedules: [] });
const { say } = await eventPublisher(platform);
let acme: TestWorkspace;
beforeAll(async () => {
  acme = await openWorkspace(platform);
});

const staffInput = (role_key = 'sales') => ({
  idempotency_key: randomUUID(),
  name: 'Ada Lovelace',
  email: `ada.${randomUUID()}@example.test`,
  role_key,
});
type StaffInput = ReturnType<typeof staffInput>;
const ensure = async (input: StaffInput, by: SeededRoleKey = 'owner') =>
  await rpcOf(platform, (await acme.as(by)).caller).ensureStaffUser(input);
const employed = (user_id: string, input: StaffInput) =>
  say(acme.id, 'hr.employee.created', {
    employee_id: randomUUID(),
    code: 'EMP-1',
    name: input.name,
    user_id,
    status: 'active',
    joining_date: '2026-01-01',
    new_staff: { ...input, user_id },
  });
const left = (user_id: string) =>
  say(acme.id, 'hr.employee.left', {
    employee_id: randomUUID(),
    user_id,
    last_day: '2026-06-30',
    cause: 'resigned',
  });
const user = async (id: string) => (await platform.sql`SELECT kind, status, role_id FROM users WHERE id = ${id}`)[0];
const emailsTo = (id: string) => platform.sql`SELECT letter FROM outgoing_mail WHERE user_id = ${id}`;

describe('a staff user requested by hr', () => {
  test('is hidden and not invited until an employee is hired with them', async () => {
    const input = staffInput();
    const { user: pending, created } = await ensure(input);
    const { user_id } = pending!;
    expect([created, pending]).toMatchObject([true, { name: input.name, kind: 'staff', status: 'invited' }]);
    expect(await emailsTo(user_id)).toEqual([]);
    const owner = await acme.as('owner');
    expect((await owner.get(`/api/users?q=${encodeURIComponent(input.email)}`)).body.data).toEqual([]);
    await employed(user_id, input);
    expect(await user(user_id)).toEqual({ kind: 'staff', status: 'invited', role_id: acme.roles.sales });
    expect(await emailsTo(user_id)).toMatchObject([{ letter: 'invitation' }]);
  });

  test.each([
    ['staff', 'hires'],
    ['agent', 'hires'],
    ['hr', 'hires'],
    ...['owner', 'manager', 'accountant', 'sales', 'payroll'].map((role) => [role, 'is refused']),
  ] as [SeededRoleKey, string][])(
    'is created or rejected by its role %s: HR %s, in a dry run, too',
    async (role, outcome) => {
      const input = { ...staffInput(role), dry_run: true };
      for (const request of [input, { ...input, dry_run: false }]) {
        const payload = await ensure(request, 'hr').then(
          ({ created }) => ({ created }),
          ({ code }: { code: string }) => ({ code }),
        );
        expect(payload).toEqual(outcome === 'hires' ? { created: true } : { code: 'role_exceeds_caller' });
        const count = await platform.sql`SELECT FROM users WHERE email = ${input.email}`;
        expect(count).toHaveLength(request.dry_run || outcome !== 'hires' ? 0 : 1);
      }
    },
  );

  test('is the same for concurrent requests with one address', async () => {
    const input = staffInput();
    const payload = await runConcurrently(20, () => ensure({ ...input, idempotency_key: randomUUID() }));
    expect(new Set(payload.map((one) => one.user!.user_id)).size).toBe(1);
  });

  test("cannot have a role beyond the caller's permissions", async () => {
    await expect(ensure(staffInput('owner'), 'hr')).rejects.toMatchObject({ code: 'role_exceeds_caller' });
    await expect(ensure(staffInput('client'))).rejects.toMatchObject({ status: 422 });
    await expect(ensure(staffInput('nobody'))).rejects.toMatchObject({ status: 422 });
  });

  test('is an existing staff user, and never a client', async () => {
    const known = { ...staffInput(), email: acme.email('sales') };
    expect(await ensure(known)).toMatchObject({ created: false, user: { user_id: acme.users.sales } });
    await expect(ensure({ ...staffInput(), email: acme.email('client') })).rejects.toMatchObject({ status: 422 });
  });

  test('uses a seat of the plan, also while pending', async () => {
    const small = await openWorkspace(platform, 'business');
    const owner = await small.as('owner');
    const replies = await Promise.allSettled(
      Array.from({ length: 30 }, () => rpcOf(platform, owner.caller).ensureStaffUser(staffInput())),
    );
    const refused = replies.flatMap((reply) => (reply.status === 'rejected' ? [reply.reason] : []));
    expect(refused).toHaveLength(30 - (25 - 8));
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['plan_limit']));
    const { name, email } = staffInput();
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
    const input = staffInput();
    const { user_id } = (await ensure(input)).user!;
    await employed(user_id, input);
    await left(user_id);
    expect(await user(user_id)).toMatchObject({ status: 'deleted' });
  });
});

test('deletes the user of a mistakenly entered employee, unless they have signed in', async () => {
  const input = staffInput();
  const { user_id } = (await ensure(input)).user!;
  await employed(user_id, input);
  const removed = (made_user_id: string) =>
    say(acme.id, 'hr.employee.deleted', { employee_id: randomUUID(), made_user_id });
  await removed(user_id);
  await removed(acme.users.sales);
  await waitFor(async () => expect(await user(user_id)).toMatchObject({ status: 'deleted' }));
  expect(await user(acme.users.sales)).toMatchObject({ status: 'active' });
});
