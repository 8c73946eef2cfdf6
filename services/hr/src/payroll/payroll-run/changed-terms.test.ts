import { describe, expect, test } from '@jest/globals';
import { openPaymentDay } from '../../../test/payments.ts';
import { markAbsences } from '../../attendance/attendance-jobs/mark-absences.ts';

const { serving, acme, clock, hire } = await openPaymentDay();
const SEPTEMBER = { period_start: '2026-09-01', period_end: '2026-09-30', pay_date: '2026-09-30' };
type RequestBody = Record<string, unknown>;

async function expectSuccess(reply: Promise<{ status: number; body: RequestBody }>): Promise<RequestBody> {
  const { status, body } = await reply;
  expect([status < 300, body['errors'] ?? body['code']]).toEqual([true, undefined]);
  return body['data'] as RequestBody;
}
const post = (path: string, body: RequestBody) => expectSuccess(acme.owner.post(path, body));
const createShift = async (name: string, days: number[], more: RequestBody = {}) =>
  String((await post('/api/shift/create', { name, start: '09:00', end: '17:30', days, ...more }))['id']);
const change = (id: string, effective_from: string, terms: RequestBody) =>
  post(`/api/employee/update/${id}`, { effective_from, ...terms });

/** Creates and approves a leave request. */
async function grantLeave(employee_id: string, code: string, days: RequestBody): Promise<string> {
  const types = (await acme.owner.get('/api/leave-types')).body.data;
  const leave_type_id = types.find((type: RequestBody) => type['code'] === code).id;
  const { id } = await post('/api/leave-application/create', { employee_id, leave_type_id, ...days });
  await expectSuccess(
    acme.approver.post(`/api/leave-application/update-status/${id as string}`, { action: 'approve' }),
  );
  return String(id);
}
const wholeDays = (from: string, to = from) => ({ from, to });

/** Returns the payslip of an employee in a separate run. */
async function payslipOf(employee_id: string, period: RequestBody = SEPTEMBER) {
  const run = await acme.run(await acme.draft(period));
  const payslip = await acme.slip(run, employee_id);
  await acme.owner.post(`/api/payroll/cancel/${run.id}`, { reason: 'Tried' });
  return payslip;
}
const monthly = (amount: string) => ({ salary: { basis: 'monthly', amount } });
const hourly = { salary: { basis: 'hourly', amount: '20.00', hourly_source: 'attendance' } };

describe('the working days of a month', () => {
  test('depend on the shift of each day', async () => {
    clock.goTo('2026-10-01T12:00:00Z');
    const ada = await hire('Ada', '1800.00');
    await change(ada, '2026-09-15', { shift_id: await createShift('Short', [1, 2, 3]) });
    expect(await payslipOf(ada)).toMatchObject({ working_days: '18', payment_days: '18', gross: '1800.00' });
    await grantLeave(ada, 'unpaid', wholeDays('2026-09-14', '2026-09-18'));
    expect(await payslipOf(ada)).toMatchObject({ payment_days: '15', lop_days: '3', gross: '1500.00' });
  });

  test('depend on the calendar of each day across two transfers', async () => {
    clock.goTo('2026-10-01T12:00:00Z');
    const ada = await hire('Ada', '2100.00');
    const { id: branch_id } = await post('/api/branch/create', { name: 'Harbour' });
    const { id: calendar_id } = await post('/api/holiday-calendar/create', { name: 'Harbour', branch_id });
    for (const day of ['2026-09-08', '2026-09-16', '2026-09-24'])
      await post('/api/holiday/create', { name: day, from: day, calendar_id });
    const branches = (await acme.owner.get('/api/branches')).body.data;
    const main = branches.find((branch: RequestBody) => branch['name'] === 'Main').id;
    const transfer = async (effective_date: string, to_branch_id: unknown) => {
      const { id } = await post('/api/employee-transfer/create', { employee_id: ada, effective_date, to_branch_id });
      await expectSuccess(
        acme.approver.post(`/api/employee-transfer/update-status/${id as string}`, { action: 'approve' }),
      );
    };
    await transfer('2026-09-10', branch_id);
    await transfer('2026-09-20', main);
    expect(await payslipOf(ada)).toMatchObject({ working_days: '21', payment_days: '21', gross: '2100.00' });
  });

  test('include both employments of a rehired employee', async () => {
    clock.goTo('2026-09-11T12:00:00Z');
    const ada = await hire('Ada', '2200.00');
    await acme.write(async (db) => {
      const exit_date = new Date('2026-09-10');
      await db.employee.updateMany({ where: { id: ada }, data: { status: 'left', exit_date } });
      await db.employment.updateMany({ where: { employee_id: ada }, data: { exit_date, exit_cause: 'resigned' } });
    });
    await post(`/api/employee/rehire/${ada}`, { joining_date: '2026-09-21', ...monthly('2200.00') });
    clock.goTo('2026-10-01T12:00:00Z');
    expect(await payslipOf(ada)).toMatchObject({ working_days: '22', payment_days: '16', gross: '1600.00' });
  });

  test('are the days on which a night shift begins', async () => {
    clock.goTo('2026-10-02T12:00:00Z');
    const shift_id = await createShift('Night', [5, 6], { start: '22:00', end: '06:00' });
    const ada = await acme.hire({ name: 'Ada', joining_date: '2026-09-12', shift_id, ...monthly('800.00') });
    expect(await payslipOf(ada)).toMatchObject({ working_days: '8', payment_days: '5', gross: '500.00' });
    await grantLeave(ada, 'unpaid', { ...wholeDays('2026-09-19'), half_day: 'second' });
    expect(await payslipOf(ada)).toMatchObject({ payment_days: '4.5', gross: '450.00' });
  });
});

describe('a payroll basis that changes within a month', () => {
  test('counts each day by the basis of that day', async () => {
    await acme.owner.post('/api/hrm-settings/update', { payroll_basis: 'attendance' });
    const ada = await hire('Ada', '2200.00');
    await serving.sql`UPDATE settings SET absences_through = '2026-08-31' WHERE workspace_id = ${acme.workspace}`;
    await serving.sql`UPDATE employments SET created_at = '2026-01-01' WHERE workspace_id = ${acme.workspace}`;
    clock.goTo('2026-10-01T20:00:00Z');
    await markAbsences({ database: serving.database, log: { error() {} } } as never);
    expect(await payslipOf(ada)).toMatchObject({ payment_days: '0', absent_days: '22' });
    await change(ada, '2026-09-16', { payroll_basis: 'leave' });
    expect(await payslipOf(ada)).toMatchObject({ payment_days: '11', absent_days: '11', gross: '1100.00' });
  });
});

describe('an hourly salary', () => {
  const week = { frequency: 'weekly', period_start: '2026-03-30', period_end: '2026-04-05', pay_date: '2026-04-05' };
  const hireHourly = async (more: RequestBody = {}) =>
    acme.hire({ name: 'Ada', joining_date: '2026-03-01', ...hourly, ...more });

  test('pays paid half days only', async () => {
    clock.goTo('2026-06-30T12:00:00Z');
    const ada = await hireHourly();
    await grantLeave(ada, 'sick', { ...wholeDays('2026-03-31'), half_day: 'first' });
    await grantLeave(ada, 'unpaid', { ...wholeDays('2026-03-31'), half_day: 'second' });
    await grantLeave(ada, 'unpaid', wholeDays('2026-04-01'));
    expect(await payslipOf(ada, week)).toMatchObject({ gross: '80.00' });
    await acme.holiday('2026-04-02');
    expect(await payslipOf(ada, week)).toMatchObject({ gross: '240.00' });
  });

  test('pays leave and holidays of a night shift by its hours, even on clock changes', async () => {
    clock.goTo('2026-06-30T12:00:00Z');
    const night = { start: '22:00', end: '06:00', timezone: 'Europe/Berlin', break_minutes: 0 };
    const ada = await hireHourly({ shift_id: await createShift('Night', [1, 2, 3, 4, 5, 6, 7], night) });
    await acme.holiday('2026-03-30');
    await grantLeave(ada, 'sick', wholeDays('2026-03-28', '2026-03-29'));
    expect(await payslipOf(ada, { ...week, period_start: '2026-03-24', period_end: '2026-03-30' })).toMatchObject({
      gross: String(((7 + 8 + 8) * 20).toFixed(2)),
    });
  });

  test('pays no unpaid holiday, and none before joining or on a weekly day off', async () => {
    clock.goTo('2026-06-30T12:00:00Z');
    const ada = await hireHourly({ joining_date: '2026-04-01' });
    await acme.holiday('2026-03-31');
    await acme.holiday('2026-04-04');
    await post('/api/holiday/create', { name: 'Unpaid', from: '2026-04-02', paid: false });
    expect(await payslipOf(ada, week)).toMatchObject({ gross: '0.00' });
    await acme.holiday('2026-04-03');
    expect(await payslipOf(ada, week)).toMatchObject({ gross: '160.00' });
  });

  test('pays work on a paid holiday once, and as overtime if approved', async () => {
    clock.goTo('2026-06-30T12:00:00Z');
    const ada = await hireHourly();
    await acme.holiday('2026-04-03');
    const times = { first_in: '2026-04-03T09:00:00+02:00', last_out: '2026-04-03T13:00:00+02:00' };
    const day = await post('/api/attendance/create', {
      employee_id: ada,
      local_date: '2026-04-03',
      reason: 'Stock',
      ...times,
    });
    expect(await payslipOf(ada, week)).toMatchObject({ gross: '160.00' });
    await expectSuccess(
      acme.owner.post(`/api/attendance/update/${day['id'] as string}`, { overtime_approved: true, reason: 'Agreed' }),
    );
    expect(await payslipOf(ada, week)).toMatchObject({ gross: '280.00' });
  });
});

describe('cancelled leave', () => {
  const cancel = (id: string, more: RequestBody = {}) =>
    expectSuccess(
      acme.approver.post(`/api/leave-application/update-status/${id}`, {
        action: 'cancel',
        remark: 'Mistake',
        ...more,
      }),
    );

  test('restores earlier absences and worked days', async () => {
    clock.goTo('2026-10-01T12:00:00Z');
    const ada = await hire('Ada', '2200.00');
    await acme.attend(ada, '2026-09-15', { status: 'absent' });
    await acme.attend(ada, '2026-09-16', {
      first_in: '2026-09-16T09:00:00+02:00',
      last_out: '2026-09-16T17:30:00+02:00',
    });
    const before = (await acme.owner.get(`/api/attendances?employee_id=${ada}&sort=local_date`)).body.data;
    await cancel(await grantLeave(ada, 'unpaid', wholeDays('2026-09-14', '2026-09-17')));
    const after = (await acme.owner.get(`/api/attendances?employee_id=${ada}&sort=local_date`)).body.data;
    const attendanceOf = (days: RequestBody[]) =>
      days.map(({ local_date, status, worked_minutes, leaves }) => ({ local_date, status, worked_minutes, leaves }));
    expect(attendanceOf(after)).toEqual(attendanceOf(before));
    expect(await payslipOf(ada)).toMatchObject({ payment_days: '21', absent_days: '1' });
  });

  test('leaves the earlier days unchanged if it is cancelled in part', async () => {
    clock.goTo('2026-10-01T12:00:00Z');
    const ada = await hire('Ada', '2200.00');
    await cancel(await grantLeave(ada, 'unpaid', { ...wholeDays('2026-09-14', '2026-09-18'), starts_midday: true }), {
      from: '2026-09-16',
    });
    expect(await payslipOf(ada)).toMatchObject({ payment_days: '20.5', lop_days: '1.5' });
  });
});
