import { randomUUIDv7 } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { openEncryption } from '@suite/field-encryption';
import { freezeClock } from '@suite/testing';
import { openPayroll, type PayrollFixture } from '../../../test/payroll.ts';
import { payDay } from '../payroll-facts/day-facts.rules.ts';
import { monthsAfter, paymentsLeft, taxYearOf } from '../payroll-facts/tax-year.rules.ts';
import type { WorkDay } from '../../time/days/day.rules.ts';

const { payroll, tools } = await openPayroll();
let acme: PayrollFixture;
beforeEach(async () => {
  freezeClock('2026-06-30T12:00:00Z');
  acme = await payroll();
});

/** Creates a debt of an employee. */
const createDebt = (
  employee_id: string,
  table: 'employee_loans' | 'recoveries',
  amounts: Record<string, string>,
  since: string,
  currency = 'EUR',
) =>
  acme.write(async (db) => {
    const cipher = await openEncryption(db, tools.keys.master);
    const id = randomUUIDv7();
    const columns = Object.fromEntries(
      Object.entries(amounts).map(([column, amount]) => [column, cipher.seal({ table, column, id }, amount)]),
    );
    if (table === 'employee_loans')
      return await db.employeeLoan.create({
        data: {
          id,
          employee_id,
          currency,
          first_period: new Date(since),
          ...(columns as { amount_sealed: string; instalment_sealed: string }),
        },
      });
    const { id: loan_id } = await db.employeeLoan.create({
      data: {
        employee_id,
        currency,
        first_period: new Date(since),
        status: 'cancelled',
        amount_sealed: 'v1',
        instalment_sealed: 'v1',
      },
    });
    return await db.recovery.create({
      data: { id, employee_id, loan_id, ...(columns as { amount_sealed: string; left_sealed: string }) },
    });
  });

describe('a debt of an employee', () => {
  test('is deducted last, limited to the remaining net pay', async () => {
    const ids = await acme.components([
      { code: 'pension', kind: 'deduction', calc: 'percent_of_basic', percent: '9.3', pre_tax: true, position: 1 },
      { code: 'health', kind: 'deduction', calc: 'percent_of_basic', percent: '7.3', pre_tax: true, position: 2 },
      { code: 'car', kind: 'deduction', calc: 'fixed', amount: '200.00', position: 3 },
    ]);
    const components = Object.values(ids).map((component_id) => ({ component_id }));
    const ada = await acme.hire({ salary: { basis: 'monthly', amount: '310.00', components } });
    await createDebt(ada, 'employee_loans', { amount_sealed: '900.00', instalment_sealed: '150.00' }, '2026-06-01');
    const payslip = await acme.slip(await acme.run(await acme.draft()), ada);
    expect(payslip.deductions.map(({ code, amount }: { code: string; amount: string }) => [code, amount])).toEqual([
      ['pension', '28.83'],
      ['health', '22.63'],
      ['car', '200.00'],
      ['loan', '58.54'],
    ]);
    expect(payslip).toMatchObject({ gross: '310.00', net: '0.00' });
  });

  test('is repaid from the first period of the loan, after recoveries', async () => {
    const ada = await acme.hire();
    await createDebt(
      ada,
      'employee_loans',
      { amount_sealed: '900.00', instalment_sealed: '150.00', left_sealed: '40.00' },
      '2026-06-01',
    );
    await createDebt(ada, 'employee_loans', { amount_sealed: '900.00', instalment_sealed: '100.00' }, '2026-07-01');
    await createDebt(ada, 'recoveries', { amount_sealed: '75.00', left_sealed: '70.00' }, '2026-01-01');
    const run = await acme.run(await acme.draft());
    const { deductions } = await acme.slip(run, ada);
    expect(deductions).toMatchObject([
      { code: 'recovery', amount: '70.00' },
      { code: 'loan', amount: '40.00' },
    ]);
    const advances = run.journal_preview.find(({ role }: { role: string }) => role === 'employee_advances');
    expect(advances).toMatchObject({ credit: expect.any(String) });
  });
});

test('posts an uncovered deduction as an advance, and pays third parties in full', async () => {
  const { car } = await acme.components([
    { code: 'car', name: 'Car', kind: 'deduction', calc: 'fixed', amount: '200.00', position: 1 },
  ]);
  const salary = { basis: 'monthly', amount: '150.00', components: [{ component_id: car }] };
  const ada = await acme.hire({ salary });
  const june = await acme.run(await acme.draft());
  const sidesOf = (run: { journal_preview: { role: string; memo: string; debit: string; credit: string }[] }) =>
    run.journal_preview.map(({ role, memo, debit, credit }) => [role, memo, debit, credit]);
  expect(june.totals).toContainEqual({ component: 'car', name: 'Car', kind: 'left_over', amount: '50.00' });
  expect(sidesOf(june)).toEqual([
    ['salaries_expense', 'Salaries', '150.00', '0.00'],
    ['employee_advances', 'Car', '50.00', '0.00'],
    ['payroll_liabilities', 'Car', '0.00', '200.00'],
  ]);
  expect((await acme.member({ kind: 'owner' }).post(`/api/payroll/approve/${june.id}`, {})).status).toBe(200);
  await acme.owner.post(`/api/employee/update/${ada}`, {
    salary: { ...salary, amount: '1000.00' },
    effective_from: '2026-07-01',
  });
  const july = await acme.run(
    await acme.draft({ period_start: '2026-07-01', period_end: '2026-07-31', pay_date: '2026-07-31' }),
  );
  expect(sidesOf(july)).toContainEqual(['employee_advances', 'Recovery', '0.00', '50.00']);
});

describe('a debt in one currency', () => {
  const JULY = { period_start: '2026-07-01', period_end: '2026-07-31', pay_date: '2026-07-31' };
  const deductionsOf = (payslip: { deductions: { code: string; amount: string }[] }) =>
    payslip.deductions.map(({ code, amount }) => [code, amount]);

  test('is not deducted from pay in another currency after a salary change', async () => {
    const ada = await acme.hire();
    const loan = { amount_sealed: '900.00', instalment_sealed: '100.00' };
    const recovery = { amount_sealed: '75.00', left_sealed: '70.00' };
    await createDebt(ada, 'employee_loans', loan, '2026-01-01');
    await createDebt(ada, 'recoveries', recovery, '2026-01-01');
    await createDebt(ada, 'employee_loans', { ...loan, instalment_sealed: '30.00' }, '2026-01-01', 'USD');
    await createDebt(ada, 'recoveries', { ...recovery, left_sealed: '20.00' }, '2026-01-01', 'USD');
    const june = await acme.run(await acme.draft());
    expect(deductionsOf(await acme.slip(june, ada))).toEqual([
      ['recovery', '70.00'],
      ['loan', '100.00'],
    ]);
    const salary = { basis: 'monthly', amount: '4000.00', currency: 'USD' };
    await acme.owner.post(`/api/employee/update/${ada}`, { salary, effective_from: '2026-07-01' });
    const july = await acme.run(await acme.draft({ ...JULY, currency: 'USD' }));
    const payslip = await acme.slip(july, ada);
    expect(deductionsOf(payslip)).toEqual([
      ['recovery', '20.00'],
      ['loan', '30.00'],
    ]);
    expect(payslip.net).toBe('3950.00');
  });

  test('has the currency of the payslip that caused it', async () => {
    const { car } = await acme.components([
      { code: 'car', kind: 'deduction', calc: 'fixed', amount: '200.00', position: 1 },
    ]);
    const components = [{ component_id: car }];
    const ada = await acme.hire({ salary: { basis: 'monthly', amount: '100.00', components } });
    const june = await acme.run(await acme.draft());
    const approver = acme.member({ kind: 'owner' });
    expect((await approver.post(`/api/payroll/approve/${june.id}`, {})).status).toBe(200);
    const setSalary = async (currency: string) => {
      const salary = { basis: 'monthly', amount: '4000.00', currency };
      await acme.owner.post(`/api/employee/update/${ada}`, { salary, effective_from: '2026-07-01' });
      const id = await acme.draft({ ...JULY, currency });
      const payslip = await acme.slip(await acme.run(id), ada);
      await acme.owner.delete(`/api/payroll/delete/${id}`);
      await acme.owner.post(`/api/payroll/cancel/${id}`, { reason: 'Other pay' });
      return deductionsOf(payslip);
    };
    expect(await setSalary('USD')).toEqual([]);
    expect(await setSalary('EUR')).toEqual([['recovery', '100.00']]);
  });
});

describe('the tax year', () => {
  test.each([
    ['2026-06-30', '01-01', { from: '2026-01-01', to: '2026-12-31' }],
    ['2026-04-05', '04-06', { from: '2025-04-06', to: '2026-04-05' }],
    ['2026-04-06', '04-06', { from: '2026-04-06', to: '2027-04-05' }],
  ])('contains %s and starts on %s', (day, start, year) => {
    expect(taxYearOf(day, start)).toEqual(year);
  });

  test('counts the remaining payments, including this one', () => {
    const year = taxYearOf('2026-06-30', '01-01');
    expect([paymentsLeft('2026-06-30', year, 'monthly'), paymentsLeft('2026-12-31', year, 'monthly')]).toEqual([7, 1]);
    expect(paymentsLeft('2026-01-31', year, 'monthly')).toBe(12);
    expect([paymentsLeft('2026-12-18', year, 'fortnightly'), paymentsLeft('2026-12-17', year, 'weekly')]).toEqual([
      1, 3,
    ]);
    expect([monthsAfter('2026-01-31', 1), monthsAfter('2026-03-31', -13)]).toEqual(['2026-02-28', '2025-02-28']);
  });
});

describe('a day', () => {
  const day = { day: '2026-06-10', kind: 'work', is_weekly_off: false, holiday: null } as unknown as WorkDay;
  const attended = {
    status: 'present',
    manual: false,
    worked_minutes: 480,
    overtime_minutes: 60,
    overtime_approved: null,
  } as const;
  const given = {
    attended,
    leave: [],
    project_seconds: 0,
    terms: undefined,
    overtime_pay: 'approved',
    payroll_basis: 'attendance',
    inside_unpaid_leave: false,
  } as const;
  const [first, second] = [
    { part: 'first', paid: false },
    { part: 'second', paid: true },
  ] as const;
  const entered = { status: 'absent', manual: true };
  test.each<[string, object, object, object]>([
    ['absent', { status: 'absent' }, {}, { absent: 2, unpaid_leave: 0 }],
    ['half a day', { status: 'half_day' }, {}, { absent: 1, unpaid_leave: 0 }],
    ['absent where pay follows leave', { status: 'absent' }, { payroll_basis: 'leave' }, { absent: 0 }],
    ['an entered absence where pay follows leave', entered, { payroll_basis: 'leave' }, { absent: 2 }],
    [
      'unpaid half a day, the other half worked',
      { status: 'half_day' },
      { leave: [first] },
      { absent: 0, unpaid_leave: 1 },
    ],
    [
      'unpaid half a day, the other half not recorded',
      { status: 'on_leave' },
      { leave: [first] },
      { absent: 0, unpaid_leave: 1 },
    ],
    [
      'unpaid half a day, the other half entered as absent',
      entered,
      { leave: [first] },
      { absent: 1, unpaid_leave: 1 },
    ],
    ['an unpaid and a paid half', { status: 'on_leave' }, { leave: [first, second] }, { absent: 0, unpaid_leave: 1 }],
    [
      'two unpaid halves',
      { status: 'on_leave' },
      { leave: [first, { ...first, part: 'second' }] },
      { absent: 0, unpaid_leave: 2 },
    ],
    [
      'paid leave over an entered absence',
      entered,
      { leave: [{ part: 'full', paid: true }] },
      { absent: 0, unpaid_leave: 0 },
    ],
    ['overtime without approval', {}, {}, { overtime_minutes: 0 }],
    ['overtime that is approved', { overtime_approved: true }, {}, { overtime_minutes: 60 }],
  ])('counts: %s', (_, more, other, expected) => {
    expect(payDay(day, { ...given, attended: { ...attended, ...more }, ...other })).toMatchObject(expected);
  });

  test('is paid by attendance hours or by project hours', () => {
    const hourly = (hourly_source: 'attendance' | 'projects') =>
      payDay(day, { ...given, project_seconds: 5_459, terms: { basis: 'hourly', hourly_source }, overtime_pay: 'all' });
    expect(hourly('attendance')).toMatchObject({ worked_minutes: 420, overtime_minutes: 60 });
    expect(hourly('projects')).toMatchObject({ worked_minutes: 90, overtime_minutes: 0 });
    expect(payDay(day, given)).toMatchObject({ worked_minutes: 0 });
  });

  test.each([
    ['pays a paid holiday at an hourly rate', false, 480],
    ['pays no holiday inside unpaid leave at an hourly rate', true, 0],
  ])('%s', (_, inside_unpaid_leave, worked_minutes) => {
    const hours = { start: '09:00', end: '17:30', break_minutes: 30, timezone: 'UTC' };
    const holiday = { ...day, kind: 'holiday', holiday: { paid: true }, terms: hours } as unknown as WorkDay;
    const hourly = { ...given, attended: undefined, terms: { basis: 'hourly', hourly_source: 'attendance' } } as const;
    expect(payDay(holiday, { ...hourly, inside_unpaid_leave })).toMatchObject({ worked_minutes });
  });
});
