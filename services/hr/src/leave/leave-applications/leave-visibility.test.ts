import { beforeEach, expect, test } from '@jest/globals';
import { dataOf, type CallerOptions } from '@suite/testing';
import { type LeaveFixture, openLeaveOffice, faultResponse } from '../../../test/leave.ts';

const { company, office: openOffice } = await openLeaveOffice();
let office: LeaveFixture;
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

const hiddenFields = ['attachment', 'leave_type_id', 'reason'];
const fieldsShownTo = async (rights: CallerOptions, query = '') => {
  const [row] = await office.list(query, office.acme.member(rights));
  return row && hiddenFields.filter((name) => row[name] !== undefined);
};

test('shows reasons to approvers, documents to HR users, and only days to payroll', async () => {
  const { manager, ada, acme } = office;
  const all = ['leave.view', 'leave.decide', 'employee.update', 'employee.identity'];
  expect(await fieldsShownTo({ can: all })).toEqual(hiddenFields);
  expect(await fieldsShownTo({ can: ['leave.view', 'leave.decide', 'employee.update'] })).toEqual([
    'leave_type_id',
    'reason',
  ]);
  expect(await fieldsShownTo({ can: ['leave.view', 'employee.identity', 'payroll.run'] })).toEqual([]);
  const payroll = acme.member({ can: ['leave.view'] });
  expect(await office.list('', payroll)).toMatchObject([{ days: '2.5', paid: true, from: '2026-06-01' }]);
  expect((await payroll.get(`/api/leave-applications?leave_type_id=${office.type}`)).status).toBe(422);
  const own = { can: ['leave.view'], record_scopes: { leave: 'own' } } as const;
  expect(await fieldsShownTo({ ...own, user_id: ada.caller.user_id })).toEqual(hiddenFields);
  expect(await fieldsShownTo({ ...own, user_id: manager.caller.user_id })).toBeUndefined();
  const team = { can: ['leave.view', 'leave.decide'], record_scopes: { leave: 'team' } } as const;
  expect(await fieldsShownTo({ ...team, user_id: manager.caller.user_id })).toEqual(['leave_type_id', 'reason']);
  expect(await fieldsShownTo({ kind: 'client', can: ['leave.view'] })).toBeUndefined();
  expect((await office.list('', acme.member({ can: [] }))) as unknown).toBeUndefined();
});

test('returns 404 from every operation for an invisible leave request', async () => {
  const { manager, acme } = office;
  const rights = ['leave.view', 'leave.decide', 'leave.update', 'leave.delete'];
  const leader = acme.member({ can: rights, record_scopes: { leave: 'team' } });
  const rival = (await company()).owner;
  for (const by of [leader, rival]) {
    const path = '/api/leave-application';
    expect(await by.post(`${path}/update-status/${id}`, { action: 'approve' })).toMatchObject({ status: 404 });
    expect(await by.post(`${path}/update/${id}`, { to: '2026-06-02' })).toMatchObject({ status: 404 });
    expect(await by.delete(`${path}/delete/${id}`)).toMatchObject({ status: 404 });
    expect(await by.post(`/api/hrm/leave-cancel/${id}`, {})).toMatchObject(faultResponse(403, 'not_an_employee'));
    expect(await office.list('', by)).toEqual([]);
  }
  expect(await manager.post(`/api/hrm/leave-cancel/${id}`, {})).toMatchObject({ status: 404 });
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
  const { createRequest, ids, acme, approve } = office;
  const july = await createRequest({ from: '2026-07-01', to: '2026-07-10' });
  await approve(july);
  const findIds = async (query: string) => (await office.list(`sort=from&${query}`)).map((row) => row['id']);
  expect(await findIds('')).toEqual([id, july]);
  expect(await findIds('overlaps=2026-06-03,2026-06-30')).toEqual([id]);
  expect(await findIds('overlaps=2026-06-04,2026-06-30')).toEqual([]);
  expect(await findIds('overlaps=2026-06-03,2026-07-01')).toEqual([id, july]);
  expect(await findIds('status=approved')).toEqual([july]);
  expect(await findIds(`employee_id=${ids.manager}`)).toEqual([]);
  expect(await findIds(`approver_id=${ids.manager}`)).toEqual([id, july]);
  const [department] = (await acme.owner.get('/api/departments?sort=created_at')).body.data;
  const other = (await acme.owner.get('/api/departments?sort=-created_at')).body.data[0];
  expect([
    ...(await findIds(`department_id=${department.id}`)),
    ...(await findIds(`department_id=${other.id}`)),
  ]).toEqual([id, july]);
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
