/** Factory for a workspace with a record of every kind that an operation of hr shows. */
import { randomUUID } from 'node:crypto';
import type { ServiceUnderTest } from '@suite/testing';
import type { TestWorkspace } from './fixture.ts';

/** Creates leave of a manager and of a team member, and a calendar link. */
async function createLeave(acme: TestWorkspace, user_id: string, employee_id: string): Promise<void> {
  const leave_type_id = await acme.leaveType({ days_per_year: '0', paid: false });
  const self = acme.member({ user_id });
  const span = { leave_type_id, from: '2026-06-15', to: '2026-06-16' };
  await self.post('/api/leave-calendar-link/create', { name: 'Telephone' });
  await self.post('/api/hrm/leave-request', span);
  await acme.owner.post('/api/leave-application/create', { employee_id, ...span });
}

/** Publishes an announcement, an event and a document for one employee. */
async function publishOneOfEach({ owner }: TestWorkspace, employee_id: string): Promise<void> {
  const audience = { employee_ids: [employee_id] };
  const publish = async (noun: string, { body }: Awaited<ReturnType<typeof owner.post>>) =>
    await owner.post(`/api/${noun}/update-status/${body.data.id}`, { action: 'publish' });
  const news = { title: 'News', body: 'Read this.', requires_ack: true, audience };
  await publish('announcement', await owner.post('/api/announcement/create', news));
  const party = { title: 'Party', start: '2030-06-20T18:00:00Z', end: '2030-06-20T23:00:00Z', audience };
  await publish('event', await owner.post('/api/event/create', party));
  const form = new FormData();
  form.set('title', 'Rules');
  form.set('type_id', (await owner.get('/api/document-types')).body.data[0].id);
  form.set('audience', JSON.stringify(audience));
  form.set('file', new Blob(['plain text'], { type: 'text/plain' }), 'rules.txt');
  await publish('hrm-document', await owner.upload('/api/hrm-document/create', form));
}

/** Creates an employee document and a change request of the employee. */
async function createOwn(acme: TestWorkspace, user_id: string, employee_id: string): Promise<void> {
  const [{ id: type_id }] = (await acme.owner.get('/api/document-types')).body.data;
  const form = new FormData();
  form.set('type_id', type_id);
  form.set('file', new Blob(['Passport no. 1'], { type: 'text/plain' }), 'passport.txt');
  await acme.owner.upload(`/api/employee/document/${employee_id}`, form);
  await acme.member({ user_id, can: [] }).post('/api/hrm/profile', { tax_id: `T 987 ${user_id}` });
}

/**
 * Creates a record of every kind in a company, and a manager. Returns its workspace.
 * @param user_id user of the manager
 * @param employee_user user of an employee with leave and documents
 */
export async function createOneOfEach(
  acme: TestWorkspace,
  serving: ServiceUnderTest,
  user_id: string,
  employee_user: string = randomUUID(),
): Promise<string> {
  const own = await acme.employ({ name: 'Hedy', user_id: employee_user });
  const led = await acme.employ({ name: 'Lise', manager_id: own });
  await createLeave(acme, employee_user, led);
  await createOwn(acme, employee_user, led);
  const manager_id = await acme.employ({ name: 'Grace', user_id });
  const employee_id = await acme.employ({ name: 'Ada', user_id: randomUUID(), manager_id });
  const [calendar] = (await acme.owner.get('/api/holiday-calendars')).body.data;
  await acme.owner.post('/api/holiday/create', { calendar_id: calendar.id, name: 'New Year', from: '2026-01-01' });
  await acme.owner.post('/api/attendance-device/create', { name: 'Gate' });
  await publishOneOfEach(acme, employee_id);
  for (const one of [manager_id, employee_id])
    await acme.owner.post('/api/attendance/create', {
      employee_id: one,
      local_date: '2026-06-10',
      first_in: '2026-06-10T09:00:00+02:00',
      reason: 'Forgot the card',
    });
  await acme.owner.post('/api/salary-component/create', {
    code: 'car',
    name: 'Car',
    kind: 'earning',
    calc: 'fixed',
    amount: '0.00',
  });
  const salary = { basis: 'monthly', amount: '3000.00' };
  await acme.owner.post(`/api/employee/update/${employee_id}`, { salary, effective_from: '2026-01-01' });
  const drafted = await acme.owner.post('/api/payroll/create', {
    period_start: '2026-06-01',
    period_end: '2026-06-30',
    pay_date: '2026-06-30',
  });
  await serving.sql`UPDATE payroll_entries SET status = 'finalised' WHERE payroll_id = ${drafted.body.data.id}`;
  await serving.sql`
    INSERT INTO payment_files (id, workspace_id, payroll_id, file_no, message_id, format, bank_account_id, execution_date, payslip_count,
      employee_ids, content_hash, content_sealed)
    VALUES (gen_random_uuid(), ${acme.workspace}, ${drafted.body.data.id}, 1, 'PAY-1', 'csv', gen_random_uuid(), '2026-06-30', 1, ${[employee_id]},
      'none', 'none')`;
  await acme.owner.post('/api/employee-loan/create', {
    employee_id,
    amount: '300.00',
    instalment: '100.00',
    first_period: '2026-07-01',
  });
  await writeRecords(acme, { employee_id, manager_id, filer_id: own });
  return acme.workspace;
}

/** Creates one record of each kind about an employee, a termination of their manager, and a complaint. */
async function writeRecords(
  { owner }: TestWorkspace,
  { employee_id, manager_id, filer_id }: { employee_id: string; manager_id: string; filer_id: string },
): Promise<void> {
  const post = (path: string, body: object) => owner.post(`/api/${path}/create`, { employee_id, ...body });
  const [{ id: to_designation_id }] = (await owner.get('/api/designations?name=Managing director')).body.data;
  const { id: to_branch_id } = (await owner.post('/api/branch/create', { name: 'Harbour' })).body.data;
  const effective = { effective_date: '2026-06-01' };
  await post('award', { type: 'month', date: '2026-06-01', title: 'Idea' });
  await post('promotion', { to_designation_id, salary: { basis: 'monthly', amount: '5000' }, ...effective });
  await post('employee-transfer', { to_branch_id, ...effective });
  await post('resignation', { notice_date: '2026-06-01', last_day: '2030-06-30', reason: 'Moves' });
  const termination = { type: 'dismissal', notice_date: '2026-06-01', date: '2030-06-30', reason: 'Closed' };
  await post('termination', { ...termination, employee_id: manager_id });
  await post('warning', { subject: 'Late', severity: 'verbal', date: '2026-06-01', text: 'Late.' });
  const complaint = { subject: 'Noise', date: '2026-06-01', description: 'Every morning.' };
  await owner.post('/api/complaint/create', { ...complaint, from_employee_id: filer_id });
}
