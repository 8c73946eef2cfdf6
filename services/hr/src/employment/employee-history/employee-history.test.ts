import { describe, expect, test } from '@jest/globals';
import { freezeClock } from '@suite/testing';
import { openHr } from '../../../test/fixture.ts';

const { serving, platform, company } = await openHr();

test('shows past and current terms, and logs each access to salaries', async () => {
  freezeClock('2026-06-15T10:00:00Z');
  const acme = await company();
  const user_id = platform.hire(acme.workspace);
  const id = await acme.employ({ user_id });
  const update = (body: object) => acme.owner.post(`/api/employee/update/${id}`, body);
  await update({ employment_type: 'part', salary: { basis: 'monthly', amount: '4250' }, effective_from: '2026-05-01' });
  await update({ salary: { basis: 'monthly', amount: '4400' }, effective_from: '2026-07-01' });
  const listHistory = (query: string, by = acme.owner) => by.get(`/api/employee/history/${id}?${query}`);
  expect((await listHistory('field=employment_type&cause=manual')).body.data).toMatchObject([
    { before: 'full', value: 'part', effective_from: '2026-05-01' },
  ]);
  const salaries = (await listHistory('field=salary&expand=salary')).body.data;
  expect(salaries).toMatchObject([
    { value: null, before: null, effective_from: '2026-07-01', salary: { amount: '4400.00' } },
    { effective_from: '2026-05-01', salary: { amount: '4250.00' } },
  ]);
  const hrUser = acme.member({ can: ['employee.view'] });
  expect((await listHistory('field=salary&expand=salary', hrUser)).body.data).toEqual([]);
  const outsider = acme.member({ can: [] });
  expect(await listHistory('', outsider)).toMatchObject({ status: 404 });
  const self = acme.member({ user_id, can: [] });
  expect((await listHistory('field=salary&expand=salary', self)).body.data).toHaveLength(2);
  // Both updates returned the salary, and the owner read it in the history.
  const access = { by: acme.owner.caller.user_id, employee_id: id, fields: ['salary'] };
  const logged = (await acme.owner.get('/api/sensitive-accesses?expand=user')).body.data;
  expect(logged).toMatchObject([access, access, access]);
  expect(await hrUser.get('/api/sensitive-accesses')).toMatchObject({ status: 403 });
  expect(await serving.sql`SELECT id FROM sensitive_accesses WHERE workspace_id = ${acme.workspace}`).toHaveLength(3);
});

test('shows reasons for status changes and separates them from terms', async () => {
  freezeClock('2026-06-15T10:00:00Z');
  const acme = await company();
  const id = await acme.employ();
  const change = (body: object) => acme.owner.post(`/api/employee/update-status/${id}`, body);
  expect(await change({ action: 'suspend', reason: 'Keys were lost' })).toMatchObject({ status: 200 });
  expect(await change({ action: 'suspend', reason: 'Once more' })).toMatchObject({ status: 200 });
  expect(await change({ action: 'resume' })).toMatchObject({ status: 200 });
  const { body } = await acme.owner.get(`/api/employee/history/${id}?field=status&sort=created_at`);
  expect(body.data).toMatchObject([
    { value: 'suspended', reason: 'Keys were lost', seq: 1, effective_from: '2026-06-15' },
    { before: 'suspended', value: 'active', reason: null, seq: 2 },
  ]);
  expect((await acme.owner.get(`/api/employee/show/${id}`)).body.data).toMatchObject({
    status: 'active',
    employment_type: 'full',
    scheduled_changes: [],
  });
});

describe('GET /api/employee/show/{id}', () => {
  test('adds history, balances and documents if `expand` names them', async () => {
    freezeClock('2026-06-15T10:00:00Z');
    const acme = await company();
    const user_id = platform.hire(acme.workspace);
    const id = await acme.employ({ user_id });
    const showEmployee = async (query: string, by = acme.owner) =>
      (await by.get(`/api/employee/show/${id}${query}`)).body.data;
    const { history, balances, ...rest } = await showEmployee('?expand=history,balances,documents');
    expect(rest).toEqual(await showEmployee(''));
    expect(history).toContainEqual(
      expect.objectContaining({ field: 'employment_type', value: 'full', cause: 'joining' }),
    );
    const listed = await acme.owner.get(`/api/leave-balances?employee_id=${id}`);
    expect(balances).toEqual(listed.body.data);
    expect(balances).not.toEqual([]);
    expect(await showEmployee('?fields=id,history')).toEqual({ id, history });
  });

  test('shows balances only to the employee and to callers with leave_balance.view', async () => {
    freezeClock('2026-06-15T10:00:00Z');
    const acme = await company();
    const user_id = platform.hire(acme.workspace);
    const id = await acme.employ({ user_id });
    const showDetailsTo = async (by: typeof acme.owner) =>
      (await by.get(`/api/employee/show/${id}?expand=balances,history`)).body.data;
    const hrUser = await showDetailsTo(acme.member({ can: ['employee.view'] }));
    expect(Object.keys(hrUser)).not.toContain('balances');
    expect(hrUser.history.map(({ field }: { field: string }) => field)).not.toContain('salary');
    expect((await showDetailsTo(acme.member({ user_id, can: [] }))).balances).not.toEqual([]);
  });
});
