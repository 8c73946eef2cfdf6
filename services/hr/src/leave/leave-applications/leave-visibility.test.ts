import { beforeEach, expect, test } from '@jest/globals';
import { dataOf, type Rights } from '@suite/testing';
import { type LeaveOffice, openLeaveOffice, refused } from '../../../test/leave.ts';

const { company, office: openOffice } = await openLeaveOffice();
let office: LeaveOffice;
let id: string;
beforeEach(async () => {
  office = await openOffice();
  const form = new FormData();
  const fields = {
    leave_type_id: office.type,
    from: '2026-06-01',
    to: '2026-06-03',
    reason: 'Surgery',
    ends_midday: 'true',
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.append('attachment', new Blob(['A doctor says so'], { type: 'text/plain' }), 'note.txt');
  const reply = await office.ada.upload('/api/hrm/leave-request', form);
  ({ id } = await dataOf(reply));
});

const told = ['attachment', 'leave_type_id', 'reason'];
const shownTo = async (rights: Rights, query = '') => {
  const [row] = await office.list(query, office.acme.member(rights));
  return row && told.filter((name) => row[name] !== undefined);
};

test('shows reasons to approvers, documents to HR users, and only days to payroll', async () => {
  const { boss, ada, acme } = office;
  const all = ['leave.view', 'leave.decide', 'employee.update', 'employee.identity'];
  expect(await shownTo({ can: all })).toEqual(told);
  expect(await shownTo({ can: ['leave.view', 'leave.decide', 'employee.update'] })).toEqual([
    'leave_type_id',
    'reason',
  ]);
  expect(await shownTo({ can: ['leave.view', 'employee.identity', 'payroll.run'] })).toEqual([]);
  const payroll = acme.member({ can: ['leave.view'] });
  expect(await office.list('', payroll)).toMatchObject([{ days: '2.5', paid: true, from: '2026-06-01' }]);
  expect((await payroll.get(`/api/leave-applications?leave_type_id=${office.type}`)).status).toBe(422);
  const own = { can: ['leave.view'], record_scopes: { leave: 'own' } } as const;
  expect(await shownTo({ ...own, user_id: ada.caller.user_id })).toEqual(told);
  expect(await shownTo({ ...own, user_id: boss.caller.user_id })).toBeUndefined();
  const team = { can: ['leave.view', 'leave.decide'], record_scopes: { leave: 'team' } } as const;
  expect(await shownTo({ ...team, user_id: boss.caller.user_id })).toEqual(['leave_type_id', 'reason']);
  expect(await shownTo({ kind: 'client', can: ['leave.view'] })).toBeUndefined();
  expect((await office.list('', acme.member({ can: [] }))) as unknown).toBeUndefined();
});

test('returns 404 from every operation for an invisible leave request', async () => {
  const { boss, acme } = office;
  const rights = ['leave.view', 'leave.decide', 'leave.update', 'leave.delete'];
  const leader = acme.member({ can: rights, record_scopes: { leave: 'team' } });
  const rival = (await company()).owner;
  for (const by of [leader, rival]) {
    const path = '/api/leave-application';
    expect(await by.post(`${path}/update-status/${id}`, { action: 'approve' })).toMatchObject({ status: 404 });
    expect(await by.post(`${path}/update/${id}`, { to: '2026-06-02' })).toMatchObject({ status: 404 });
    expect(await by.delete(`${path}/delete/${id}`)).toMatchObject({ status: 404 });
    expect(await by.post(`/api/hrm/leave-cancel/${id}`, {})).toMatchObject(refused(403, 'not_an_employee'));
    expect(await office.list('', by)).toEqual([]);
  }
  expect(await boss.post(`/api/hrm/leave-cancel/${id}`, {})).toMatchObject({ status: 404 });
});

test('opens a document by its link, and deletes it with the leave request', async () => {
  const { acme, ada } = office;
  const [row] = await office.list(
    '',
    acme.member({ can: ['leave.view', 'leave.decide', 'employee.update', 'employee.identity'] }),
  );
  const { url, name } = row!['attachment'] as { url: string; name: string };
  expect(name).toBe('note.txt');
  expect(await ada.get(url)).toMatchObject({ status: 200 });
  await acme.owner.delete(`/api/leave-application/delete/${id}`);
  expect(await ada.get(url)).toMatchObject({ status: 404 });
  const form = new FormData();
  for (const [field, value] of Object.entries({ leave_type_id: office.type, from: '2026-06-01', to: '2026-06-03' }))
    form.set(field, value);
  form.append('attachment', new Blob(['<svg onload="alert(1)"/>']), 'note.html');
  expect(await ada.upload('/api/hrm/leave-request', form)).toMatchObject({ status: 415 });
  expect(await office.list()).toEqual([]);
});

test('filters leave by days, statuses, departments and employees', async () => {
  const { asked, ids, acme, approve } = office;
  const july = await asked({ from: '2026-07-01', to: '2026-07-10' });
  await approve(july);
  const found = async (query: string) => (await office.list(`sort=from&${query}`)).map((row) => row['id']);
  expect(await found('')).toEqual([id, july]);
  expect(await found('overlaps=2026-06-03,2026-06-30')).toEqual([id]);
  expect(await found('overlaps=2026-06-04,2026-06-30')).toEqual([]);
  expect(await found('overlaps=2026-06-03,2026-07-01')).toEqual([id, july]);
  expect(await found('status=approved')).toEqual([july]);
  expect(await found(`employee_id=${ids.boss}`)).toEqual([]);
  expect(await found(`approver_id=${ids.boss}`)).toEqual([id, july]);
  const [department] = (await acme.owner.get('/api/departments?sort=created_at')).body.data;
  const other = (await acme.owner.get('/api/departments?sort=-created_at')).body.data[0];
  expect([...(await found(`department_id=${department.id}`)), ...(await found(`department_id=${other.id}`))]).toEqual([
    id,
    july,
  ]);
  for (const wrong of [
    'overlaps=2026-06-03',
    'overlaps=2026-06-03,2026-06-02',
    'overlaps=a,b',
    'status=granted',
    'reason=x',
    'sort=days',
  ])
    expect(await acme.owner.get(`/api/leave-applications?${wrong}`)).toMatchObject({ status: 422 });
});
