import { describe, expect, test } from '@jest/globals';
import { openPaymentDay } from '../../../test/payments.ts';

const { acme, clock, hire } = await openPaymentDay();
const SEPTEMBER = { period_start: '2026-09-01', period_end: '2026-09-30', pay_date: '2026-09-30' };

/** Ends an employment on a day. */
const endEmployment = (id: string, last_day: string) =>
  acme.write(async (db) => {
    const exit_date = new Date(last_day);
    await db.employee.updateMany({ where: { id }, data: { status: 'on_notice', exit_date } });
    await db.employment.updateMany({ where: { employee_id: id }, data: { exit_date, exit_cause: 'resigned' } });
  });
const createLoan = async (employee_id: string, first_period = '2026-07-01') => {
  const loan = { employee_id, amount: '900.00', instalment: '100.00', first_period };
  const reply = await acme.approver.post('/api/employee-loan/create', loan);
  expect([reply.status, reply.body.errors ?? reply.body.code]).toEqual([201, undefined]);
  return reply.body.data.id;
};

describe('the last payslip', () => {
  test.each([
    ['that began', '2026-07-01'],
    ['that would begin later', '2026-11-01'],
  ])('deducts a loan %s up to the net pay, and the run warns of the remainder', async (_, first_period) => {
    clock.goTo('2026-06-30T12:00:00Z');
    const ada = await hire('Ada', '1000.00');
    await createLoan(ada, first_period);
    await endEmployment(ada, '2026-09-15');
    clock.goTo('2026-09-30T12:00:00Z');
    const run = await acme.run(await acme.draft(SEPTEMBER));
    expect(await acme.slip(run, ada)).toMatchObject({
      gross: '500.00',
      net: '0.00',
      deductions: [{ code: 'loan', amount: '500.00' }],
    });
    const warning = { code: 'loan_open', employee_id: ada, amount: '400.00', currency: 'EUR' };
    expect(run.warnings).toMatchObject([warning]);
    expect(await acme.approver.post(`/api/payroll/approve/${run.id}`, {})).toMatchObject({ status: 200 });
    expect((await acme.show(run.id)).warnings).toMatchObject([warning]);
  });

  test('settles a loan without a warning if the pay is sufficient', async () => {
    const ada = await hire('Ada', '5000.00');
    await createLoan(ada);
    await endEmployment(ada, '2026-09-15');
    clock.goTo('2026-09-30T12:00:00Z');
    const run = await acme.run(await acme.draft(SEPTEMBER));
    expect(await acme.slip(run, ada)).toMatchObject({ deductions: [{ code: 'loan', amount: '900.00' }] });
    expect(run.warnings).toEqual([]);
  });
});

describe('a former employee', () => {
  const OCTOBER = { period_start: '2026-10-01', period_end: '2026-10-31', pay_date: '2026-10-31' };

  test('is named by each later run until the debts are settled', async () => {
    clock.goTo('2026-06-30T12:00:00Z');
    const [ada, bob] = [await hire('Ada', '1000.00'), await hire('Bob', '1000.00')];
    const [id, other] = [await createLoan(ada), await createLoan(ada)];
    await createLoan(bob);
    clock.goTo('2026-09-30T12:00:00Z');
    const september = await acme.run(await acme.draft(SEPTEMBER));
    expect(september.warnings).toEqual([]);
    expect(await acme.approver.post(`/api/payroll/approve/${september.id}`, {})).toMatchObject({ status: 200 });
    await endEmployment(ada, '2026-09-15');
    const cancelled = await acme.approver.post(`/api/employee-loan/cancel/${other}`, { rest: 'recover' });
    expect(cancelled.status).toBe(200);
    clock.goTo('2026-10-31T12:00:00Z');
    const october = await acme.run(await acme.draft(OCTOBER));
    expect(october.entries).toMatchObject([{ employee_id: bob }]);
    expect(october.warnings).toMatchObject([
      { code: 'loan_open', employee_id: ada, amount: '800.00', currency: 'EUR' },
      { code: 'recovery_open', employee_id: ada, amount: '800.00', currency: 'EUR' },
    ]);
    await acme.approver.post(`/api/employee-loan/cancel/${id}`, { rest: 'waive' });
    expect((await acme.show(october.id)).warnings).toMatchObject([{ code: 'recovery_open', employee_id: ada }]);
  });
});

describe('a run', () => {
  test('warns about employees whom it excludes, and does not fail because of them', async () => {
    const ada = await hire('Ada', '1000.00');
    const intern = await acme.hire({ name: 'Ivo', salary: undefined });
    const bob = await acme.hire({ name: 'Bob', salary: { basis: 'monthly', amount: '900.00', currency: 'USD' } });
    const run = await acme.run(await acme.draft());
    expect(run).toMatchObject({
      status: 'calculated',
      employee_count: 1,
      failures: [],
      entries: [{ employee_id: ada }],
    });
    expect(run.warnings).toHaveLength(2);
    expect(run.warnings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ code: 'salary_missing', employee_id: intern }),
        expect.objectContaining({ code: 'other_currency', employee_id: bob, currency: 'USD' }),
      ]),
    );
    expect(await acme.approver.post(`/api/payroll/approve/${run.id}`, {})).toMatchObject({ status: 200 });
  });

  test('shows its journal, warnings and differences in a dry run', async () => {
    const ada = await hire('Ada', '1000.00');
    const june = await acme.run(await acme.draft());
    expect(await acme.approver.post(`/api/payroll/approve/${june.id}`, {})).toMatchObject({ status: 200 });
    const raise = { salary: { basis: 'monthly', amount: '1200.00' }, effective_from: '2026-07-01' };
    await acme.owner.post(`/api/employee/update/${ada}`, raise);
    await acme.hire({ name: 'Ivo', salary: undefined });
    const july = { period_start: '2026-07-01', period_end: '2026-07-31', pay_date: '2026-07-31' };
    const tried = await acme.owner.post(`/api/payroll/run/${await acme.draft(july)}?dry_run=true`, {});
    expect(tried.body.data).toMatchObject({
      journal_preview: [
        { role: 'salaries_expense', debit: '1200.00' },
        { role: 'salaries_payable', credit: '1200.00' },
      ],
      differences: [{ employee_id: ada, net_before: '1000.00', net_now: '1200.00' }],
      warnings: [{ code: 'salary_missing' }],
    });
  });
});
