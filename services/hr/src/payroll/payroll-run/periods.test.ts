import { beforeEach, describe, expect, test } from '@jest/globals';
import { pagesOf, freezeClock } from '@suite/testing';
import { openPayroll, type PayrollFixture } from '../../../test/payroll.ts';

const { payroll, serving } = await openPayroll();
let acme: PayrollFixture;
let clock: ReturnType<typeof freezeClock>;
beforeEach(async () => {
  clock = freezeClock('2026-06-30T12:00:00Z');
  acme = await payroll();
});
const july = { period_start: '2026-07-01', period_end: '2026-07-31', pay_date: '2026-07-31' };
const monthlySalary = (amount: string, more: object = {}) => ({ basis: 'monthly', amount, ...more });

describe('a payslip', () => {
  test('has 15 of 21 days for an employee hired on the 10th', async () => {
    await acme.holiday('2026-06-04');
    const ada = await acme.hire({ joining_date: '2026-06-10' });
    const payslip = await acme.slip(await acme.run(await acme.draft()), ada);
    expect(payslip).toMatchObject({ working_days: '21', payment_days: '15', gross: '2142.86' });
  });

  test('uses the salary of each day if the salary changed on the 15th', async () => {
    await acme.holiday('2026-06-04');
    const ada = await acme.hire();
    await acme.owner.post(`/api/employee/update/${ada}`, {
      salary: monthlySalary('3300.00'),
      effective_from: '2026-06-15',
    });
    const payslip = await acme.slip(await acme.run(await acme.draft()), ada);
    expect(payslip).toMatchObject({ payment_days: '21', gross: '3171.43' });
  });

  test('pays each component for its days in the salary, by the amount of each day', async () => {
    await acme.holiday('2026-06-04');
    const extra = (code: string) => ({ code, kind: 'earning', calc: 'fixed', amount: '210.00' });
    const { raised, taken, given } = await acme.components(['raised', 'taken', 'given'].map(extra));
    const salaryWith = (...ids: unknown[]) =>
      monthlySalary('3000.00', { components: ids.map((component_id) => ({ component_id })) });
    const ada = await acme.hire({ salary: salaryWith(raised, taken) });
    const changes = { effective_from: '2026-06-15' };
    await acme.owner.post(`/api/salary-component/update/${raised}`, { amount: '420.00', ...changes });
    await acme.owner.post(`/api/employee/update/${ada}`, { salary: salaryWith(raised, given), ...changes });
    const { earnings } = await acme.slip(await acme.run(await acme.draft()), ada);
    expect(earnings.map(({ code, amount }: Record<string, string>) => [code, amount])).toEqual([
      ['basic', '3000.00'],
      ['raised', '330.00'],
      ['taken', '90.00'],
      ['given', '120.00'],
    ]);
  });

  test('ends on the last day of a leaving employee, and former employees have none', async () => {
    const [ada, bob] = [await acme.hire(), await acme.hire({ name: 'Bob' })];
    for (const [id, exit_date] of [
      [ada, '2026-06-12'],
      [bob, '2026-05-29'],
    ] as const) {
      clock.goTo(exit_date === '2026-05-29' ? '2026-05-20T12:00:00Z' : '2026-06-10T12:00:00Z');
      await acme.owner.post(`/api/employee/end-employment/${id}`, { exit_date, cause: 'resigned' });
    }
    clock.goTo('2026-06-30T12:00:00Z');
    const run = await acme.run(await acme.draft());
    expect(run).toMatchObject({ employee_count: 1, gross: '1363.64' });
    expect(await acme.slip(run, ada)).toMatchObject({ working_days: '22', payment_days: '10' });
  });

  test('pays approved project hours, and never attendance hours in addition', async () => {
    const user_id = acme.member().caller.user_id;
    const ada = await acme.hire({ salary: { basis: 'hourly', amount: '20.00', hourly_source: 'projects' } });
    await serving.sql`INSERT INTO users (id, workspace_id, name, kind) VALUES (${user_id}, ${acme.workspace}, 'Ada', 'staff')`;
    await serving.sql`UPDATE employees SET user_id = ${user_id} WHERE id = ${ada}`;
    const insertProjectTime = (day: string, seconds: number, approved: boolean) =>
      serving.sql`INSERT INTO project_times (id, workspace_id, user_id, local_date, seconds, approved, as_of)
        VALUES (gen_random_uuid(), ${acme.workspace}, ${user_id}, ${day}, ${seconds}, ${approved}, 1)`;
    await insertProjectTime('2026-06-02', 5_430, true);
    await insertProjectTime('2026-06-02', 1_800, true);
    await insertProjectTime('2026-06-03', 3_600, false);
    await insertProjectTime('2026-07-01', 3_600, true);
    await acme.attend(ada, '2026-06-05', {
      first_in: '2026-06-05T09:00:00+02:00',
      last_out: '2026-06-05T17:30:00+02:00',
    });
    expect(await acme.slip(await acme.run(await acme.draft()), ada)).toMatchObject({ gross: '40.00' });
  });

  test('pays arrears for a raise entered late, once', async () => {
    const { housing } = await acme.components([
      { code: 'housing', kind: 'earning', calc: 'percent_of_basic', percent: '10', position: 1 },
    ]);
    const components = [{ component_id: housing }];
    const ada = await acme.hire({ salary: monthlySalary('4250.00', { components }) });
    await acme.holiday('2026-05-01');
    await acme.holiday('2026-05-14');
    await acme.holiday('2026-05-25');
    await acme.leave(ada, '2026-05-06', { paid: false });
    const may = { period_start: '2026-05-01', period_end: '2026-05-31', pay_date: '2026-05-31' };
    const before = await acme.run(await acme.draft(may));
    expect(await acme.slip(before, ada)).toMatchObject({ working_days: '18', payment_days: '17' });
    await acme.finalise(before.id);
    await acme.owner.post(`/api/employee/update/${ada}`, {
      salary: monthlySalary('4400.00', { components }),
      effective_from: '2026-05-01',
    });
    const run = await acme.run(await acme.draft());
    const payslip = await acme.slip(run, ada);
    const of_payroll_entry_id = before.entries[0].id;
    const source = { of_payroll_entry_id, of_period: { from: '2026-05-01', to: '2026-05-31' } };
    const isArrears = (line: object) => 'of_payroll_entry_id' in line;
    expect(payslip.earnings.filter(isArrears)).toMatchObject([
      { code: 'basic', amount: '141.67', ...source },
      { code: 'housing', amount: '14.17', ...source },
    ]);
    expect(payslip.explain.filter(isArrears)).toMatchObject([
      { component: 'basic', result: '141.67', ...source },
      { component: 'housing', result: '14.17', ...source },
    ]);
    const pdf = await acme.owner.get(`/api/payslip/${payslip.id}`, { headers: { accept: 'application/pdf' } });
    const text = (await pagesOf(pdf.content)).join(' ');
    expect(text).toMatch(/May 1, 2026|1 May 2026|2026-05-01/);
    expect(text).toMatch(/May 31, 2026|31 May 2026|2026-05-31/);
    expect(run.differences).toMatchObject([{ employee_id: ada, causes: expect.arrayContaining(['basic']) }]);
    await acme.finalise(run.id);
    const after = await acme.slip(await acme.run(await acme.draft(july)), ada);
    expect(after.gross).toBe('4840.00');
  });
});
