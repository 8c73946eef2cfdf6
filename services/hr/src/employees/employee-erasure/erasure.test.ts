import { beforeEach, expect, test } from '@jest/globals';
import { type Member, sortedStatuses, freezeClock, runConcurrently } from '@suite/testing';
import { type TestWorkspace, openHr } from '../../../test/fixture.ts';

const { serving, company } = await openHr();
let acme: TestWorkspace;
let ada: string;
beforeEach(async () => {
  freezeClock('2026-06-15T10:00:00Z');
  acme = await company();
  ada = await acme.employ();
  await acme.owner.post(`/api/employee/update/${ada}`, {
    address: 'Quay 1',
    dob: '1990-05-17',
    national_id: '12-345 X',
    tax_id: 'T 987 654',
    bank: { bank_name: 'Bank', account_number: '12345678' },
    emergency_contact: { name: 'Bo', phone: '+49 40 1' },
  });
});

const erase = (body: object = {}, by: Member = acme.owner) => by.post(`/api/employee/erase/${ada}`, body);
/** Sets the last day of an employment. */
const endEmploymentOn = (day: string) =>
  serving.sql`UPDATE employees SET status = 'left', joining_date = '2010-01-01', exit_date = ${day} WHERE id = ${ada}`;

test('erases a former employee except the employee code after the retention period', async () => {
  expect(await erase()).toMatchObject({ status: 409, body: { code: 'still_employed' } });
  await endEmploymentOn('2016-06-15');
  expect(await erase()).toMatchObject({
    status: 409,
    body: { code: 'retention_not_over', details: { until: '2026-06-15' } },
  });
  await endEmploymentOn('2016-06-14');
  const tried = await acme.owner.post(`/api/employee/erase/${ada}?dry_run=true`, {});
  expect(tried).toMatchObject({ status: 200, body: { data: { name: 'Former employee' } } });
  expect(await serving.sql`SELECT name FROM employees WHERE id = ${ada}`).toEqual([{ name: 'Ada Lovelace' }]);
  const replies = await runConcurrently(20, () => erase());
  expect(new Set(sortedStatuses(replies))).toEqual(new Set([200]));
  const [row] = await serving.sql`SELECT * FROM employees WHERE id = ${ada}`;
  expect(row).toMatchObject({
    code: ada,
    name: 'Former employee',
    address: null,
    dob: null,
    bank_sealed: null,
    emergency_contact: null,
    national_id_sealed: null,
    national_id_index: null,
    tax_id_sealed: null,
    user_id: null,
    status: 'left',
  });
  expect(row!['erased_at']).toBeTruthy();
});

test('erases earlier on a legal basis, and records the basis', async () => {
  await endEmploymentOn('2026-05-31');
  expect(await erase({ force_legal_basis: 'Art. 17 GDPR' })).toMatchObject({ status: 200 });
  expect(await serving.sql`SELECT erasure_basis FROM employees WHERE id = ${ada}`).toEqual([
    { erasure_basis: 'Art. 17 GDPR' },
  ]);
});

test('erases documents and texts as well, without permission to see them', async () => {
  const [{ id: type_id }] = (await acme.owner.get('/api/document-types')).body.data;
  const passport = new FormData();
  passport.set('type_id', type_id);
  passport.set('file', new Blob(['Passport no. 1'], { type: 'text/plain' }), 'passport.txt');
  expect(await acme.owner.upload(`/api/employee/document/${ada}`, passport)).toMatchObject({ status: 201 });
  const [{ id: leave_type_id }] = (await acme.owner.get('/api/leave-types?code=unpaid')).body.data;
  const leave = new FormData();
  const request = { employee_id: ada, leave_type_id, from: '2026-06-22', to: '2026-06-23', reason: 'Operation' };
  for (const [name, value] of Object.entries(request)) leave.set(name, value);
  leave.set('attachment', new Blob(['A doctor says so'], { type: 'text/plain' }), 'note.txt');
  expect(await acme.owner.upload('/api/leave-application/create', leave)).toMatchObject({ status: 201 });
  const worked = { local_date: '2026-06-01', status: 'present', reason: 'Broke her leg' };
  expect(await acme.owner.post('/api/attendance/create', { employee_id: ada, ...worked })).toMatchObject({
    status: 201,
  });
  const warned = { subject: 'Late', severity: 'written', date: '2026-06-01', text: 'Three times in May.' };
  expect(await acme.owner.post('/api/warning/create', { employee_id: ada, ...warned })).toMatchObject({ status: 201 });
  await endEmploymentOn('2010-06-14');
  const hrUser = acme.member({ can: ['employee.view', 'employee.delete'] });
  expect(await erase({}, hrUser)).toMatchObject({ status: 200, body: { data: { name: 'Former employee' } } });
  const { sql } = serving;
  const count = async (rows: Promise<unknown[]>) => (await rows).length;
  expect([
    await count(sql`SELECT id FROM employee_documents WHERE employee_id = ${ada}`),
    await count(sql`SELECT id FROM warnings WHERE employee_id = ${ada}`),
    await count(sql`SELECT key FROM discarded_files WHERE workspace_id = ${acme.workspace}`),
  ]).toEqual([0, 0, 2]);
  expect(
    await sql`SELECT reason, attachment_name, days::text FROM leave_applications WHERE employee_id = ${ada}`,
  ).toEqual([{ reason: null, attachment_name: null, days: '2.00' }]);
  expect(await sql`SELECT reason, status FROM attendances WHERE employee_id = ${ada}`).toEqual([
    { reason: null, status: 'present' },
  ]);
  expect((await acme.owner.get('/api/employees?q=Lovelace')).body.data).toEqual([]);
});

test('can erase an employee again after rehiring', async () => {
  await serving.sql`UPDATE employments SET joining_date = '2010-01-01', exit_date = '2016-06-14' WHERE employee_id = ${ada}`;
  await endEmploymentOn('2016-06-14');
  expect(await erase()).toMatchObject({ status: 200 });
  expect(await acme.owner.post(`/api/employee/rehire/${ada}`, { joining_date: '2026-06-15' })).toMatchObject({
    status: 200,
  });
  await acme.owner.post(`/api/employee/update/${ada}`, { name: 'Ada King' });
  expect(await erase({ force_legal_basis: 'Art. 17 GDPR' })).toMatchObject({ status: 409 });
  await endEmploymentOn('2026-06-15');
  expect(await erase({ force_legal_basis: 'Art. 17 GDPR' })).toMatchObject({
    body: { data: { name: 'Former employee' } },
  });
});

test('requires the permission to delete employees', async () => {
  await endEmploymentOn('2010-06-14');
  expect(await erase({}, acme.member({ can: ['employee.view', 'employee.update'] }))).toMatchObject({ status: 403 });
  expect(await erase({}, (await company()).owner)).toMatchObject({ status: 404 });
});
