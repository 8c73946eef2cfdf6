import { describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { everything } from '../../../test/fixture.ts';
import { openRecords } from '../../../test/records.ts';

const { serving, at, member, post, employee, history, events, takeEffects } = await openRecords();
const JULY = '2026-07-01';
const JULY_BEGINS = '2026-06-30T22:00:00Z'; // 00:00 in Berlin

const propose = (body: object = {}) =>
  post('promotion/create', {
    employee_id: at.employee_id,
    to_designation_id: at.designation_id,
    effective_date: JULY,
    ...body,
  });
const proposedId = async (body: object = {}) => (await propose(body)).body.data.id as string;
const decide = (id: string, action: string, more: object = {}) =>
  post(`promotion/update-status/${id}`, { action, ...more });
const show = async (id: string, query = '') => (await at.acme.owner.get(`/api/promotion/show/${id}${query}`)).body.data;

describe('a promotion', () => {
  test('returns its salary to callers who may see it', async () => {
    const salary = { basis: 'monthly', amount: '5200.00' };
    const { data } = (await propose({ salary })).body;
    expect(data).toMatchObject({ salary });
    const changed = await post(`promotion/update/${data.id}`, { salary: { ...salary, amount: '5300.00' } });
    expect(changed.body.data.salary).toMatchObject({ amount: '5300.00' });
    const staff = member({ can: ['promotion.view', 'promotion.update'] });
    const seen = await staff.post(`/api/promotion/update/${data.id}`, { reason: 'Leads the team' });
    expect(seen.body.data).not.toHaveProperty('salary');
  });

  test('takes effect once after approval, at 00:00 of its day in the workspace zone', async () => {
    const { designation_id: before } = await employee();
    const { status, body } = await propose({ reason: 'Leads the team already' });
    expect([status, body.data]).toMatchObject([
      201,
      {
        status: 'pending',
        from_designation_id: before,
        to_designation_id: at.designation_id,
        effective_date: JULY,
        decided_by: null,
        allowed_actions: ['update', 'delete', 'approve', 'reject', 'withdraw'],
      },
    ]);
    const { id } = body.data;
    expect(await decide(id, 'approve', { remark: 'Well done' })).toMatchObject({
      status: 200,
      body: {
        data: {
          status: 'approved',
          remark: 'Well done',
          decided_by: at.acme.owner.caller.user_id,
          allowed_actions: [],
        },
      },
    });
    at.goTo('2026-06-30T21:59:59Z');
    await takeEffects();
    expect(await employee()).toMatchObject({ designation_id: before });
    at.goTo(JULY_BEGINS);
    await Promise.all([takeEffects(), takeEffects(), takeEffects()]);
    expect(await employee()).toMatchObject({ designation_id: at.designation_id });
    expect(await employee('?as_of=2026-06-30')).toMatchObject({ designation_id: before });
    expect(await show(id)).toMatchObject({ status: 'effective', to_designation: { name: 'Head' } });
    expect(await history()).toMatchObject([
      {
        field: 'designation_id',
        cause: 'promotion',
        cause_id: id,
        before,
        value: at.designation_id,
        effective_from: JULY,
      },
    ]);
    expect((await events()).filter(([type]) => type === 'hr.employee.updated')).toEqual([
      [
        'hr.employee.updated',
        expect.objectContaining({ employee_id: at.employee_id, fields: ['designation_id'], effective_from: JULY }),
      ],
    ]);
  });

  test('takes effect at approval for a past day, and later changes remain', async () => {
    const id = await proposedId({ effective_date: '2026-03-01' });
    const other = (await post('designation/create', { name: 'Chief', department_id: (await employee()).department_id }))
      .body.data.id;
    await post(`employee/update/${at.employee_id}`, { designation_id: other, effective_from: '2026-05-01' });
    expect((await decide(id, 'approve')).body.data).toMatchObject({ status: 'effective' });
    expect(await employee()).toMatchObject({ designation_id: other });
    expect(await employee('?as_of=2026-04-01')).toMatchObject({ designation_id: at.designation_id });
    expect((await decide(id, 'approve')).body.data).toMatchObject({ status: 'effective' });
    expect(await history()).toHaveLength(1);
  });

  test('is superseded by a promotion on a later day', async () => {
    const chief = (await post('designation/create', { name: 'Chief', department_id: (await employee()).department_id }))
      .body.data.id;
    for (const body of [{ to_designation_id: chief, effective_date: '2026-08-01' }, {}])
      await decide(await proposedId(body), 'approve');
    at.goTo('2026-09-01T10:00:00Z');
    await takeEffects();
    expect(await employee()).toMatchObject({ designation_id: chief });
    expect(await employee('?as_of=2026-07-15')).toMatchObject({ designation_id: at.designation_id });
    const [, later] = (await at.acme.owner.get('/api/promotions?sort=effective_date')).body.data;
    expect(later).toMatchObject({ from_designation_id: at.designation_id, to_designation_id: chief });
  });

  test('has one effect when decided concurrently', async () => {
    const id = await proposedId({ effective_date: '2026-06-01' });
    const replies = await runConcurrently(50, (turn) => decide(id, turn % 2 === 0 ? 'approve' : 'reject'));
    const { status } = await show(id);
    expect(sortedStatuses(replies).filter((one) => one === 200)).toHaveLength(25);
    expect(replies.filter((reply) => reply.status !== 200).map(({ body }) => body.code)).toEqual(
      Array.from({ length: 25 }, () => 'invalid_transition'),
    );
    expect(await history()).toHaveLength(status === 'effective' ? 1 : 0);
  });

  test('can be changed and deleted while pending, with its current version only', async () => {
    const id = await proposedId();
    expect(await post(`promotion/update/${id}`, { effective_date: '2026-08-01', version: 1 })).toMatchObject({
      status: 200,
      body: { data: { effective_date: '2026-08-01', version: 2 } },
    });
    expect(await post(`promotion/update/${id}`, { reason: 'x', version: 1 })).toMatchObject({ status: 412 });
    await decide(id, 'reject');
    expect(await post(`promotion/update/${id}`, { reason: 'x' })).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', details: { from: 'rejected', action: 'update' } },
    });
    expect(await at.acme.owner.delete(`/api/promotion/delete/${id}`)).toMatchObject({ status: 409 });
    const other = await proposedId();
    expect(await at.acme.owner.delete(`/api/promotion/delete/${other}`)).toMatchObject({ status: 200 });
    expect(await at.acme.owner.get(`/api/promotion/show/${other}`)).toMatchObject({ status: 404 });
  });

  test.each([
    [
      'to another department',
      async () => ({ to_designation_id: await designationInOtherDepartment() }),
      'designation_of_other_department',
    ],
    ['before the employment', () => ({ effective_date: '2025-12-31' }), 'validation_failed'],
    ['more than a year ahead', () => ({ effective_date: '2027-06-16' }), 'validation_failed'],
    [
      'if it changes nothing',
      async () => ({ to_designation_id: (await employee()).designation_id }),
      'validation_failed',
    ],
    ['to an unknown designation', () => ({ to_designation_id: at.employee_id }), 'validation_failed'],
    ['for an unknown employee', () => ({ employee_id: at.designation_id }), 'validation_failed'],
    ['with a field of another kind', () => ({ to_branch_id: at.designation_id }), 'validation_failed'],
  ])('is rejected %s, and accepted after a correction', async (_, wrong, code) => {
    expect(await propose(await wrong())).toMatchObject({ status: 422, body: { code } });
    expect(await propose()).toMatchObject({ status: 201 });
  });

  test('cannot be proposed or decided by the employee, even as an owner', async () => {
    const manager = member({ user_id: at.user_id, kind: 'owner' });
    expect(
      await manager.post('/api/promotion/create', {
        employee_id: at.employee_id,
        to_designation_id: at.designation_id,
        effective_date: JULY,
      }),
    ).toMatchObject({
      status: 409,
      body: { code: 'own_record' },
    });
    const id = await proposedId();
    expect(await manager.post(`/api/promotion/update-status/${id}`, { action: 'approve' })).toMatchObject({
      status: 409,
      body: { code: 'own_record' },
    });
    expect((await manager.get('/api/promotions')).body.data).toMatchObject([{ id, allowed_actions: [] }]);
  });

  test('can be proposed by a line manager for their team only', async () => {
    const leader = await at.acme.employ({ name: 'Grace', user_id: '01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a99' });
    const other = await at.acme.employ({ name: 'Other', manager_id: leader });
    const grace = member({
      user_id: '01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a99',
      can: everything,
      record_scopes: { promotion: 'team' },
    });
    const body = { employee_id: other, to_designation_id: at.designation_id, effective_date: JULY };
    expect(await grace.post('/api/promotion/create', { ...body, employee_id: at.employee_id })).toMatchObject({
      status: 422,
      body: { errors: { employee_id: ['Record not found.'] } },
    });
    expect(await grace.post('/api/promotion/create', body)).toMatchObject({ status: 201 });
    const id = await proposedId();
    expect(await grace.post(`/api/promotion/update-status/${id}`, { action: 'approve' })).toMatchObject({
      status: 404,
    });
  });

  test('changes nothing in a dry run of its approval', async () => {
    const id = await proposedId({ effective_date: '2026-06-01' });
    expect(await post(`promotion/update-status/${id}?dry_run=true`, { action: 'approve' })).toMatchObject({
      body: { data: { status: 'effective' } },
    });
    expect(await show(id)).toMatchObject({ status: 'pending' });
    expect(await history()).toEqual([]);
  });
});

/** Creates a designation in another department. */
async function designationInOtherDepartment(): Promise<string> {
  const { department_id } = await employee();
  const { data } = (await at.acme.owner.get(`/api/designations?department_id[ne]=${department_id}`)).body;
  return data[0].id;
}

describe('the salary of a promotion', () => {
  const salary = { basis: 'monthly', amount: '5200' };
  const memberWithoutSalary = () => member({ can: everything.filter((one) => one !== 'employee.salary') });

  test('takes effect with it, is encrypted, and logs each access', async () => {
    const id = await proposedId({ salary });
    const [stored] = await serving.sql`SELECT salary_sealed FROM promotions WHERE id = ${id}`;
    expect(stored!['salary_sealed']).toMatch(/^v1\./);
    await decide(id, 'approve');
    at.goTo(JULY_BEGINS);
    await takeEffects();
    expect((await employee('?expand=salary')).salary).toMatchObject({ amount: '5200.00', currency: 'EUR' });
    expect((await history()).map(({ field }: { field: string }) => field).toSorted()).toEqual([
      'designation_id',
      'salary',
    ]);
    expect((await events()).at(-1)![1]).toMatchObject({ fields: ['designation_id', 'salary'] });
    expect(
      JSON.stringify(await serving.sql`SELECT data FROM journal_events WHERE workspace_id = ${at.acme.workspace}`),
    ).not.toMatch(/\b5200\b/);
    expect(
      JSON.stringify(await serving.sql`SELECT * FROM journal_changes WHERE workspace_id = ${at.acme.workspace}`),
    ).not.toMatch(/5200|v1\./);
    expect((await at.acme.owner.get('/api/promotions?expand=salary')).body.data).toMatchObject([
      { salary: { amount: '5200.00' } },
    ]);
    const noted = (await at.acme.owner.get('/api/sensitive-accesses')).body.data;
    expect(noted.filter(({ fields }: { fields: string[] }) => fields[0] === 'salary')).toHaveLength(3);
  });

  test('is not readable, writable or approvable without the permission', async () => {
    const id = await proposedId({ salary });
    const staff = memberWithoutSalary();
    expect((await staff.get(`/api/promotion/show/${id}`)).body.data).not.toHaveProperty('salary');
    expect((await staff.get('/api/promotions?expand=salary')).body.data[0]).not.toHaveProperty('salary');
    expect((await staff.get('/api/promotions')).body.data[0].allowed_actions).not.toContain('approve');
    const forbidden = { status: 403, body: { code: 'forbidden', details: { permission: 'employee.salary' } } };
    expect(await staff.post(`/api/promotion/update/${id}`, { salary })).toMatchObject(forbidden);
    expect(await staff.post(`/api/promotion/update/${id}`, { salary: null })).toMatchObject(forbidden);
    expect(await staff.post(`/api/promotion/update-status/${id}`, { action: 'approve' })).toMatchObject(forbidden);
    expect(await staff.post(`/api/promotion/update-status/${id}`, { action: 'reject' })).toMatchObject({ status: 200 });
  });

  test('can be the only change, and is visible to the employee after approval', async () => {
    const { designation_id } = await employee();
    const id = await proposedId({ to_designation_id: designation_id, salary });
    expect((await at.self.get('/api/hrm/promotions')).body.data).toEqual([]);
    expect(await at.self.get(`/api/promotion/show/${id}`)).toMatchObject({ status: 404 });
    await decide(id, 'approve');
    expect((await at.self.get('/api/hrm/promotions?expand=salary')).body.data).toMatchObject([
      { id, salary: { amount: '5200.00' }, allowed_actions: [] },
    ]);
    expect(await at.self.get('/api/promotions')).toMatchObject({ status: 403 });
  });

  test('can be changed and removed with the promotion', async () => {
    const id = await proposedId({ salary });
    await post(`promotion/update/${id}`, { salary: { ...salary, amount: '5400' } });
    expect(await show(id, '?expand=salary')).toMatchObject({ salary: { amount: '5400.00' } });
    await post(`promotion/update/${id}`, { salary: null });
    expect(await show(id, '?expand=salary')).toMatchObject({ salary: null });
  });
});
