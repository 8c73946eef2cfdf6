import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openPaymentDay } from '../../../test/payments.ts';
import { markAbsences } from '../../attendance/attendance-jobs/mark-absences.ts';

const { serving, acme, clock, hire } = await openPaymentDay();
const SEPTEMBER = { period_start: '2026-09-01', period_end: '2026-09-30', pay_date: '2026-09-30' };
type RequestBody = Record<string, unknown>;

/** Returns the initial leave types of a workspace, by code. */
async function types(): Promise<Record<string, string>> {
  const { body } = await acme.owner.get('/api/leave-types');
  return Object.fromEntries(body.data.map(({ code, id }: { code: string; id: string }) => [code, id]));
}

/** Creates and approves a leave request for one or more days. */
async function grantLeave(employee_id: string, code: string, days: RequestBody): Promise<string> {
  const leave_type_id = (await types())[code];
  const created = await acme.owner.post('/api/leave-application/create', { employee_id, leave_type_id, ...days });
  expect([created.status, created.body.code]).toEqual([201, undefined]);
  const path = `/api/leave-application/update-status/${created.body.data.id}`;
  const approved = await acme.approver.post(path, { action: 'approve' });
  expect([approved.status, approved.body.code]).toEqual([200, undefined]);
  return created.body.data.id;
}
const cancel = (id: string, more: RequestBody = {}) =>
  acme.approver.post(`/api/leave-application/update-status/${id}`, { action: 'cancel', remark: 'By mistake', ...more });
const half = (day: string, half_day: 'first' | 'second') => ({ from: day, to: day, half_day });
const wholeDays = (from: string, to = from) => ({ from, to });
const settings = (choices: RequestBody) => acme.owner.post('/api/hrm-settings/update', choices);

/** Returns the payslip of an employee in a separate run. */
async function payslipOf(employee_id: string, period: RequestBody = SEPTEMBER) {
  const run = await acme.run(await acme.draft(period));
  const payslip = await acme.slip(run, employee_id);
  await acme.owner.post(`/api/payroll/cancel/${run.id}`, { reason: 'Tried' });
  return payslip;
}

describe('two half days of leave on one day', () => {
  test.each([
    ['sick', 'annual', '22', '2200.00'],
    ['sick', 'unpaid', '21.5', '2150.00'],
    ['unpaid', 'unpaid', '21', '2100.00'],
  ])('result in paid days for %s and %s leave: %s', async (first, second, payment_days, gross) => {
    clock.goTo('2026-10-01T12:00:00Z');
    const ada = await hire('Ada', '2200.00');
    await grantLeave(ada, first, half('2026-09-16', 'first'));
    await grantLeave(ada, second, half('2026-09-16', 'second'));
    const payslip = await payslipOf(ada);
    expect(payslip).toMatchObject({ working_days: '22', payment_days, gross, absent_days: '0' });
    expect(payslip.leave.reduce((all: number, { days }: { days: string }) => all + Number(days), 0)).toBe(1);
  });

  test('are both shown, and cancelling one leaves the other unchanged', async () => {
    clock.goTo('2026-10-01T12:00:00Z');
    const ada = await hire('Ada', '2200.00');
    const morning = await grantLeave(ada, 'sick', half('2026-09-16', 'first'));
    const afternoon = await grantLeave(ada, 'unpaid', half('2026-09-16', 'second'));
    const list = async () => (await acme.owner.get(`/api/attendances?employee_id=${ada}`)).body.data;
    const [one, other] = [
      { leave_application_id: morning, part: 'first' },
      { leave_application_id: afternoon, part: 'second' },
    ];
    expect(await list()).toMatchObject([{ status: 'on_leave', expected_minutes: 0, leaves: [one, other] }]);
    const month = (await acme.owner.get(`/api/attendance/month?employee_id=${ada}&month=2026-09`)).body.data;
    expect(month.days[15]).toMatchObject({ status: 'on_leave', leaves: [one, other] });
    await cancel(morning);
    expect(await list()).toMatchObject([{ expected_minutes: 240, leave_id: afternoon, leaves: [other] }]);
    expect(await payslipOf(ada)).toMatchObject({ payment_days: '21.5', lop_days: '0.5' });
    expect((await cancel(afternoon)).body.data.attendance_days).toEqual([]);
    expect(await list()).toEqual([]);
    expect(await payslipOf(ada)).toMatchObject({ payment_days: '22', leave: [] });
  });

  test('can share a day if one request ends at midday and another begins then', async () => {
    clock.goTo('2026-10-01T12:00:00Z');
    const ada = await hire('Ada', '2200.00');
    await grantLeave(ada, 'sick', { from: '2026-09-15', to: '2026-09-16', ends_midday: true });
    await grantLeave(ada, 'unpaid', { from: '2026-09-16', to: '2026-09-17', starts_midday: true });
    expect(await payslipOf(ada)).toMatchObject({ payment_days: '20.5', lop_days: '1.5' });
  });
});

describe('half a day of leave', () => {
  test.each(['leave', 'attendance'])(
    'does not reduce the pay of the other half with the payroll basis %s',
    async (payroll_basis) => {
      await settings({ payroll_basis });
      clock.goTo('2026-10-01T12:00:00Z');
      const ada = await hire('Ada', '2200.00');
      await grantLeave(ada, 'sick', half('2026-09-16', 'second'));
      expect(await payslipOf(ada)).toMatchObject({ payment_days: '22', absent_days: '0', gross: '2200.00' });
      const entered = { employee_id: ada, local_date: '2026-09-16', reason: 'Worked the morning' };
      const reply = await acme.owner.post('/api/attendance/create', {
        ...entered,
        first_in: '2026-09-16T09:00:00+02:00',
        last_out: '2026-09-16T13:05:00+02:00',
      });
      expect(reply.body.data).toMatchObject({
        status: 'half_day',
        expected_minutes: 240,
        late_minutes: 0,
        early_minutes: 0,
        overtime_minutes: 0,
      });
      expect(await payslipOf(ada)).toMatchObject({ payment_days: '22', gross: '2200.00' });
    },
  );
});

describe('cancelled past leave', () => {
  test('leaves a day as if there had been no leave', async () => {
    clock.goTo('2026-10-01T12:00:00Z');
    const ada = await hire('Ada', '2200.00');
    const before = await payslipOf(ada);
    const reply = await cancel(await grantLeave(ada, 'sick', wholeDays('2026-09-16')));
    expect(reply.body.data.attendance_days).toEqual([]);
    const { payment_days, gross, leave } = await payslipOf(ada);
    expect({ payment_days, gross, leave }).toEqual({ payment_days: '22', gross: '2200.00', leave: before.leave });
  });

  test('results in arrears in a closed month', async () => {
    clock.goTo('2026-10-01T12:00:00Z');
    const ada = await hire('Ada', '2200.00');
    const leave = await grantLeave(ada, 'unpaid', wholeDays('2026-09-16', '2026-09-17'));
    const run = await acme.run(await acme.draft(SEPTEMBER));
    expect(await acme.approver.post(`/api/payroll/approve/${run.id}`, {})).toMatchObject({ status: 200 });
    expect(await cancel(leave, { override: ['payroll_closed'] })).toMatchObject({ status: 200 });
    const october = { period_start: '2026-10-01', period_end: '2026-10-31', pay_date: '2026-10-31' };
    expect((await payslipOf(ada, october)).earnings).toMatchObject([
      { code: 'basic', amount: '2200.00' },
      { code: 'basic', amount: '200.00' },
    ]);
  });
});

describe('the payroll basis', () => {
  const tools = { database: serving.database, log: { error() {} } } as never;
  const absences = async (id: string) => {
    await serving.sql`UPDATE settings SET absences_through = '2026-09-27' WHERE workspace_id = ${acme.workspace}`;
    await serving.sql`UPDATE employments SET created_at = '2026-01-01' WHERE workspace_id = ${acme.workspace}`;
    clock.goTo('2026-10-01T20:00:00Z');
    await markAbsences(tools);
    return (await acme.owner.get(`/api/attendances?employee_id=${id}&status=absent`)).body.data.length;
  };

  test('defaults to leave for a new workspace, so that days without punches are paid', async () => {
    expect((await acme.owner.get('/api/hrm-settings')).body.data.payroll_basis).toBe('leave');
    const ada = await hire('Ada', '2200.00');
    expect(await absences(ada)).toBe(0);
    expect(await payslipOf(ada)).toMatchObject({ payment_days: '22', absent_days: '0' });
  });

  test('can be attendance for the workspace, and differ for a shift or an employee', async () => {
    await settings({ payroll_basis: 'attendance' });
    const [ada, bob] = [await hire('Ada', '2200.00'), await hire('Bob', '2200.00')];
    const shift = { name: 'Salaried', start: '09:00', end: '17:30', days: [1, 2, 3, 4, 5], payroll_basis: 'leave' };
    const { id: shift_id } = (await acme.owner.post('/api/shift/create', shift)).body.data;
    const eve = await acme.hire({ name: 'Eve', shift_id, salary: { basis: 'monthly', amount: '2200.00' } });
    const more = { payroll_basis: 'leave', effective_from: '2026-06-01' };
    expect(await acme.owner.post(`/api/employee/update/${bob}`, more)).toMatchObject({ status: 200 });
    expect([await absences(ada), await absences(bob), await absences(eve)]).toEqual([4, 0, 0]);
    expect(await payslipOf(ada)).toMatchObject({ payment_days: '19', absent_days: '3', gross: '1900.00' });
    for (const id of [bob, eve]) expect(await payslipOf(id)).toMatchObject({ payment_days: '22', gross: '2200.00' });
  });

  test('counts a manually entered absence under both bases', async () => {
    clock.goTo('2026-10-01T12:00:00Z');
    const ada = await hire('Ada', '2200.00');
    await acme.attend(ada, '2026-09-16', { status: 'absent' });
    expect(await payslipOf(ada)).toMatchObject({ payment_days: '21', absent_days: '1', gross: '2100.00' });
  });

  test('marks no absences before the employment was entered if it is attendance', async () => {
    await settings({ payroll_basis: 'attendance' });
    const ada = await hire('Ada', '2200.00');
    await serving.sql`UPDATE settings SET absences_through = '2026-09-27' WHERE workspace_id = ${acme.workspace}`;
    await serving.sql`UPDATE employments SET created_at = '2026-09-30T11:00:00Z' WHERE employee_id = ${ada}`;
    clock.goTo('2026-10-01T20:00:00Z');
    await markAbsences(tools);
    const marked = (await acme.owner.get(`/api/attendances?employee_id=${ada}`)).body.data;
    expect(marked.map(({ local_date }: RequestBody) => local_date)).toEqual(['2026-10-01']);
  });
});

describe('a part of a period', () => {
  test.each([
    ['Sat+Sun', [6, 7], { joining_date: '2026-09-19' }, '800.00', '8', '4', '400.00'],
    ['Mon-Sat', [1, 2, 3, 4, 5, 6], { joining_date: '2026-09-14' }, '2600.00', '26', '15', '1500.00'],
    ['Mon-Wed', [1, 2, 3], { joining_date: '2026-09-16' }, '1800.00', '14', '7', '900.00'],
  ])(
    'is divided by the days of the shift for an employee who joins (%s)',
    async (_, days, more, ...[amount, working_days, payment_days, gross]) => {
      clock.goTo('2026-10-01T12:00:00Z');
      const shift = { name: 'Own', start: '09:00', end: '17:30', days };
      const { id: shift_id } = (await acme.owner.post('/api/shift/create', shift)).body.data;
      const ada = await acme.hire({ name: 'Ada', ...more, shift_id, salary: { basis: 'monthly', amount } });
      expect(await payslipOf(ada)).toMatchObject({ working_days, payment_days, gross });
    },
  );
});

describe('an hourly salary', () => {
  test('pays paid leave and paid holidays at the scheduled hours', async () => {
    clock.goTo('2026-06-30T12:00:00Z');
    const salary = { basis: 'hourly', amount: '20.00', hourly_source: 'attendance' };
    const ada = await acme.hire({ name: 'Ada', joining_date: '2026-03-01', salary });
    await acme.holiday('2026-04-03');
    for (const day of ['2026-03-30', '2026-03-31', '2026-04-01']) await acme.attend(ada, day, { status: 'present' });
    await grantLeave(ada, 'sick', wholeDays('2026-04-02'));
    const week = { frequency: 'weekly', period_start: '2026-03-30', period_end: '2026-04-05', pay_date: '2026-04-05' };
    expect(await payslipOf(ada, week)).toMatchObject({ gross: '800.00' });
  });
});

test('split leave pays the same as undivided leave on every working-days basis', async () => {
  clock.goTo('2026-10-01T12:00:00Z');
  const parts = fc.constantFrom<[number, number]>([14, 25], [14, 16], [18, 22], [7, 30]);
  const bases = ['weekdays_less_holidays', 'weekdays', 'calendar', 'fixed_30'];
  await fc.assert(
    fc.asyncProperty(
      parts,
      fc.integer({ min: 0, max: 3 }),
      fc.constantFrom(...bases),
      async ([from, to], cut, basis) => {
        await settings({ working_days_basis: basis });
        const day = (number: number) => `2026-09-${String(number).padStart(2, '0')}`;
        const [one, other] = [await hire('One', '3000.00'), await hire('Other', '3000.00')];
        await grantLeave(one, 'unpaid', wholeDays(day(from), day(to)));
        const middle = Math.min(from + cut, to - 1);
        await grantLeave(other, 'unpaid', wholeDays(day(from), day(middle)));
        const rest = wholeDays(day(middle + 1), day(to));
        const isFree = [5, 6, 12, 13, 19, 20, 26, 27].includes(middle + 1) && middle + 1 === to;
        if (!isFree) await grantLeave(other, 'unpaid', rest);
        const [whole_slip, split] = [await payslipOf(one), await payslipOf(other)];
        expect(split.gross).toBe(whole_slip.gross);
      },
    ),
    { numRuns: 6 },
  );
});
