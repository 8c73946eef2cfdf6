import { describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { openRecords } from '../../../test/records.ts';

const { at, post, employee, history, takeEffects } = await openRecords();
const JULY = '2026-07-01';
const JULY_BEGINS = '2026-06-30T22:00:00Z';

const harbour = async () => (await post('branch/create', { name: 'Harbour' })).body.data.id as string;
const propose = (body: object) =>
  post('employee-transfer/create', { employee_id: at.employee_id, effective_date: JULY, ...body });
const decide = (id: string, action: string) => post(`employee-transfer/update-status/${id}`, { action });
const show = async (id: string) => (await at.acme.owner.get(`/api/employee-transfer/show/${id}`)).body.data;

describe('a transfer', () => {
  test('changes branch, department and manager on its day, but not the designation', async () => {
    const before = await employee();
    const manager_id = await at.acme.employ({ name: 'Grace' });
    const [other] = (await at.acme.owner.get(`/api/departments?id[ne]=${before.department_id}`)).body.data;
    const to = { to_branch_id: await harbour(), to_department_id: other.id, to_manager_id: manager_id };
    const { status, body } = await propose(to);
    expect([status, body.data]).toMatchObject([
      201,
      { status: 'pending', from_branch_id: before.branch_id, from_manager_id: null, ...to },
    ]);
    await decide(body.data.id, 'approve');
    expect(await employee()).toMatchObject({ branch_id: before.branch_id, manager_id: null });
    at.goTo(JULY_BEGINS);
    await takeEffects();
    expect(await employee()).toMatchObject({
      branch_id: to.to_branch_id,
      department_id: other.id,
      manager_id,
      designation_id: before.designation_id,
    });
    expect(await show(body.data.id)).toMatchObject({
      status: 'effective',
      to_branch: { name: 'Harbour' },
      to_manager: { name: 'Grace' },
    });
    expect((await history()).map(({ field, cause }: Record<string, string>) => [field, cause]).toSorted()).toEqual([
      ['branch_id', 'transfer'],
      ['department_id', 'transfer'],
      ['manager_id', 'transfer'],
    ]);
  });

  test('takes effect on the same day as a promotion in the new department', async () => {
    const [other] = (await at.acme.owner.get('/api/designations?name=Accountant')).body.data;
    const promotion = { employee_id: at.employee_id, to_designation_id: other.id, effective_date: JULY };
    expect(await post('promotion/create', promotion)).toMatchObject({
      status: 422,
      body: { code: 'designation_of_other_department' },
    });
    const transfer = (await propose({ to_department_id: other.department_id })).body.data.id;
    const promoted = (await post('promotion/create', promotion)).body.data.id;
    await post(`promotion/update-status/${promoted}`, { action: 'approve' });
    await decide(transfer, 'approve');
    at.goTo(JULY_BEGINS);
    await takeEffects();
    expect(await employee()).toMatchObject({ department_id: other.department_id, designation_id: other.id });
  });

  test('requires a different place of work', async () => {
    const { branch_id } = await employee();
    for (const body of [{}, { to_branch_id: null }, { to_branch_id: branch_id }, { to_branch_id: at.employee_id }])
      expect(await propose(body)).toMatchObject({
        status: 422,
        body: { errors: { to_branch_id: [expect.any(String)] } },
      });
    const closed = await harbour();
    await post(`branch/update/${closed}`, { active: false });
    expect(await propose({ to_branch_id: closed })).toMatchObject({
      status: 422,
      body: { errors: { to_branch_id: ['This branch is inactive. Choose an active one.'] } },
    });
  });

  test('rejects a reporting cycle, including one of two concurrent transfers', async () => {
    const below = await at.acme.employ({ name: 'Below', manager_id: at.employee_id });
    expect(await propose({ to_manager_id: below })).toMatchObject({ status: 422, body: { code: 'manager_circle' } });
    expect(await propose({ to_manager_id: at.employee_id })).toMatchObject({
      status: 422,
      body: { code: 'manager_circle' },
    });
    const other = await at.acme.employ({ name: 'Other' });
    const [one, two] = [
      (await propose({ to_manager_id: other, effective_date: '2026-06-01' })).body.data.id,
      (await propose({ employee_id: other, to_manager_id: at.employee_id, effective_date: '2026-06-01' })).body.data.id,
    ];
    const replies = await runConcurrently(2, (turn) => decide(turn === 0 ? one : two, 'approve'));
    expect(sortedStatuses(replies)).toEqual([200, 422]);
  });

  test('has one effect when decided concurrently', async () => {
    const { id } = (await propose({ to_branch_id: await harbour(), effective_date: '2026-06-01' })).body.data;
    const replies = await runConcurrently(50, () => decide(id, 'approve'));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await history()).toHaveLength(1);
  });

  test('is updated while pending: another branch, and the manager removed', async () => {
    const manager_id = await at.acme.employ({ name: 'Grace' });
    const [one, two] = [await harbour(), (await post('branch/create', { name: 'Hill' })).body.data.id];
    const { id } = (await propose({ to_branch_id: one, to_manager_id: manager_id })).body.data;
    expect(
      (await post(`employee-transfer/update/${id}`, { to_branch_id: two, to_manager_id: null })).body.data,
    ).toMatchObject({
      to_branch_id: two,
      to_manager_id: null,
    });
    expect(await post(`employee-transfer/update/${id}`, { to_branch_id: null })).toMatchObject({ status: 422 });
    expect(
      (await at.acme.owner.get(`/api/employee-transfers?to_branch_id=${two}&status=pending`)).body.meta.total,
    ).toBe(1);
    expect(await at.acme.owner.get('/api/employee-transfers?status=open')).toMatchObject({ status: 422 });
    expect((await at.self.get('/api/hrm/employee-transfers')).body.data).toEqual([]);
    await decide(id, 'approve');
    expect((await at.self.get('/api/hrm/employee-transfers')).body.data).toMatchObject([{ id }]);
    expect(await at.acme.owner.delete(`/api/employee-transfer/delete/${id}`)).toMatchObject({ status: 409 });
  });
});
