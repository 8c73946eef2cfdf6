import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Fault } from '@suite/chassis/faults';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { openPeople } from '../../../test/people.ts';

const { serving, platform, acme, ada, create, employed, update, show } = await openPeople();

const faultResponse = (status: number, code: string, details?: object) => ({
  status,
  body: { code, ...(details && { details }) },
});

describe('managers', () => {
  const createReport = async (name: string, manager_id?: string) => (await employed({ name, manager_id })).id as string;
  const circle = faultResponse(422, 'manager_circle', { field: 'manager_id' });

  test('cannot report to members of their own team', async () => {
    const top = await createReport('Top');
    const middle = await createReport('Middle', top);
    const bottom = await createReport('Bottom', middle);
    for (const manager_id of [top, middle, bottom]) expect(await update(top, { manager_id })).toMatchObject(circle);
    expect(await update(bottom, { manager_id: null })).toMatchObject({ status: 200 });
  });

  test('cannot report to their own reports on a later day either', async () => {
    const [one, other] = [await createReport('One'), await createReport('Other')];
    await update(one, { manager_id: other, effective_from: '2026-10-01' });
    expect(await update(other, { manager_id: one })).toMatchObject(circle);
    // Until that day the reverse is possible. It ends in time.
    await update(other, { manager_id: null, effective_from: '2026-09-30' });
    expect(await update(other, { manager_id: one, effective_from: '2026-09-01' })).toMatchObject({ status: 200 });
    expect(await update(other, { manager_id: one, effective_from: '2026-09-30' })).toMatchObject(circle);
  });

  test('form no cycle when many are moved concurrently', async () => {
    const people = await Promise.all(Array.from({ length: 10 }, (_, at) => createReport(`Person ${at}`)));
    const replies = await runConcurrently(50, (at) =>
      update(people[at % 10]!, {
        manager_id: (at * 7 + 3) % 10 === at % 10 ? null : people[(at * 7 + 3) % 10]!,
      }),
    );
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([200, 422]));
    const circles = await serving.sql`
      WITH RECURSIVE above AS (
        SELECT id, manager_id, 1 AS depth FROM employees WHERE workspace_id = ${acme.workspace}
        UNION ALL SELECT above.id, employees.manager_id, depth + 1 FROM above JOIN employees ON employees.id = above.manager_id
        WHERE depth < 20)
      SELECT DISTINCT id FROM above WHERE depth = 20`;
    expect(circles).toEqual([]);
  });

  test('list reports at any depth with team scope, but not themselves', async () => {
    const user_id = platform.hire(acme.workspace);
    const top = await createReport('Top');
    await update(top, { user: { user_id } });
    const middle = await createReport('Middle', top);
    await createReport('Bottom', middle);
    await createReport('Stranger');
    const leader = acme.member({ user_id, can: ['employee.view'], record_scopes: { employee: 'team' } });
    const names = (await leader.get('/api/employees')).body.data.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['Bottom', 'Middle']);
    expect(await show(top, '', leader)).toMatchObject({ name: 'Top' });
  });
});

describe('a login', () => {
  test('belongs to an existing user and to one employee at most', async () => {
    const user_id = platform.hire(acme.workspace, { name: 'Grace' });
    expect(await employed({ user: { user_id } })).toMatchObject({ user_id });
    expect(await create({ user: { user_id } })).toMatchObject(faultResponse(409, 'user_taken'));
    const client = platform.hire(acme.workspace, { kind: 'client' });
    expect(await create({ user: { user_id: client } })).toMatchObject({ status: 422 });
  });

  test('is created with the employee and announced, so that platform confirms it', async () => {
    const email = `${randomUUID()}@example.com`;
    const created = await create({ user: { create: { email, role_key: 'staff' } } });
    expect(created).toMatchObject({ status: 201, body: { data: { user_id: expect.any(String) } } });
    const { id, user_id } = created.body.data;
    const [event] = await serving.sql`SELECT type, data FROM journal_events WHERE aggregate_id = ${id}`;
    expect(event).toMatchObject({
      type: 'hr.employee.created',
      data: { new_staff: { user_id, email, role_key: 'staff' } },
    });
    expect(await show(id)).toMatchObject({ user: { name: 'Ada Lovelace', kind: 'staff' } });
    expect(platform.calls).toContain(`ensureStaffUser ${email} staff`);
  });

  const rights = ['employee.salary', 'employee.bank', 'employee.identity'];
  test.each(rights)('is linked only by callers who can read what it shows: %s', async (permission) => {
    const { id } = await employed();
    const may = ['employee.view', 'employee.create', 'employee.update', ...rights].filter(
      (each) => each !== permission,
    );
    const manager = acme.member({ can: may });
    const before = platform.calls.length;
    for (const user of [
      { user_id: platform.hire(acme.workspace) },
      { user_id: randomUUID() },
      { create: { email: `${randomUUID()}@example.com`, role_key: 'staff' } },
    ])
      for (const query of ['', '?dry_run=true']) {
        const forbidden = faultResponse(403, 'forbidden', { permission, field: 'user' });
        expect(await manager.post(`/api/employee/update/${id}${query}`, { user })).toMatchObject(forbidden);
        expect(await manager.post(`/api/employee/create${query}`, { ...ada(), user })).toMatchObject(forbidden);
      }
    expect(platform.calls.slice(before).filter((call) => call.startsWith('ensure'))).toEqual([]);
    expect((await show(id)).user_id).toBeNull();
  });

  test.each(['none', 'another'])('remains until its user is deleted: %s', async (what) => {
    const user_id = platform.hire(acme.workspace);
    const { id } = await employed({ user: { user_id } });
    const user = what === 'none' ? 'none' : { user_id: platform.hire(acme.workspace) };
    expect(await update(id, { user })).toMatchObject(faultResponse(409, 'login_active', { field: 'user' }));
    expect(await update(id, { user: { user_id } })).toMatchObject({ status: 200 });
    // Another user could enable it again after the unlinking.
    await serving.sql`UPDATE users SET status = 'disabled' WHERE id = ${user_id}`;
    expect(await update(id, { user })).toMatchObject(faultResponse(409, 'login_active', { field: 'user' }));
    await serving.sql`UPDATE users SET status = 'former' WHERE id = ${user_id}`;
    expect(await update(id, { user })).toMatchObject({ status: 200 });
  });

  test('can be replaced while its user is only invited', async () => {
    const user_id = platform.hire(acme.workspace, { status: 'invited' });
    const { id } = await employed({ user: { user_id } });
    expect(await update(id, { user: 'none' })).toMatchObject({ status: 200 });
  });

  test('is rejected by a dry run if platform rejects it', async () => {
    const { id } = await employed();
    platform.staff.refusal = new Fault(403, 'role_exceeds_caller', 'You can only give roles whose rights you have.');
    const user = { create: { email: `${randomUUID()}@example.com`, role_key: 'owner' } };
    const no = faultResponse(403, 'role_exceeds_caller');
    expect(await acme.owner.post('/api/employee/create?dry_run=true', { ...ada(), user })).toMatchObject(no);
    expect(await acme.owner.post(`/api/employee/update/${id}?dry_run=true`, { user })).toMatchObject(no);
    delete platform.staff.refusal;
  });

  test('is requested as a dry run only if all other checks pass', async () => {
    await employed({ code: 'X-1' });
    const email = `${randomUUID()}@example.com`;
    const user = { create: { email, role_key: 'staff' } };
    expect(await create({ code: 'X-1', user })).toMatchObject(faultResponse(409, 'code_taken'));
    expect(platform.calls.filter((call) => call.includes(email))).toEqual([]);
    const foretold = await acme.owner.post('/api/employee/create?dry_run=true', { ...ada(), user });
    expect([foretold.status, [...platform.residents.values()].filter((one) => one.email === email)]).toEqual([201, []]);
  });

  test('creates no employee if platform rejects it, and succeeds on a second attempt', async () => {
    const user = { create: { email: `${randomUUID()}@example.com`, role_key: 'owner' } };
    platform.staff.refusal = new Fault(409, 'plan_limit', 'Your plan allows no further user.');
    expect(await create({ user })).toMatchObject(faultResponse(409, 'plan_limit'));
    expect((await acme.owner.get('/api/employees')).body.meta.total).toBe(0);
    delete platform.staff.refusal;
    expect(await create({ user })).toMatchObject({ status: 201 });
  });

  test('is rejected for a client', async () => {
    const client = platform.hire(acme.workspace, { kind: 'client' });
    const email = platform.residents.get(client)!.email;
    expect(await create({ user: { create: { email, role_key: 'staff' } } })).toMatchObject({
      status: 422,
      body: { errors: { 'user.create.email': [expect.any(String)] } },
    });
  });
});

describe('an employee who was entered by mistake', () => {
  test('is deleted unless another record refers to them', async () => {
    const { id } = await employed();
    const { id: below } = await employed({ manager_id: id });
    expect(await acme.owner.delete(`/api/employee/delete/${id}`)).toMatchObject(
      faultResponse(409, 'in_use', { counts: { reports: 1 } }),
    );
    expect(await acme.owner.delete(`/api/employee/delete/${below}`)).toMatchObject({ status: 200 });
    expect(await acme.owner.delete(`/api/employee/delete/${id}`)).toMatchObject({ status: 200 });
  });
});
