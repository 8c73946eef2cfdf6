import { expect, test } from '@jest/globals';
import { journalOf } from './payroll-journal.rules.ts';
import type { ComponentTotal } from './payroll-totals.ts';

const pension = 'a1b7c9aa-0000-4000-8000-000000000001';
const total = (
  kind: ComponentTotal['kind'],
  code: string,
  name: string,
  amount: string,
  account_id: string | null = null,
) => ({ kind, code, name, amount, account_id }) satisfies ComponentTotal;

/** Totals of the example payslip and G14 in one run (docs/worked-examples.md). */
const worked = [
  total('earning', 'basic', 'Basic salary', '6589.29'),
  total('earning', 'housing', 'Housing', '394.64'),
  total('earning', 'transport', 'Transport', '120.00'),
  total('earning', 'overtime', 'Overtime', '91.95'),
  total('earning', 'allowance', 'Allowance', '300.00'),
  total('deduction', 'pension', 'Pension', '412.27', pension),
  total('deduction', 'pension_flat', 'Pension of before 2010', '132.14', pension),
  total('deduction', 'health', 'Health', '306.60'),
  total('deduction', 'income_tax', 'Income tax', '1001.75'),
  total('deduction', 'union', 'Union', '15.00'),
  total('deduction', 'loan', 'Loan instalment', '150.00'),
  total('employer', 'pension_employer', 'Pension', '412.27', pension),
  total('employer', 'health_employer', 'Health', '306.60'),
  total('employer', 'accident', 'Accident', '53.20'),
];

test('posts a line for each account and each component', () => {
  const lines = journalOf(worked, '5478.12', 'EUR').map(({ account_id, role, memo, debit, credit }) => [
    account_id ?? role,
    memo,
    Number(debit) > 0 ? debit : `-${credit}`,
  ]);
  expect(lines).toEqual([
    ['salaries_expense', 'Salaries', '7495.88'],
    ['salaries_expense', "Employer's contributions", '772.07'],
    [pension, 'Pension, Pension of before 2010', '-956.68'],
    ['payroll_liabilities', 'Health', '-613.20'],
    ['payroll_liabilities', 'Income tax', '-1001.75'],
    ['payroll_liabilities', 'Union', '-15.00'],
    ['employee_advances', 'Loan instalment', '-150.00'],
    ['payroll_liabilities', 'Accident', '-53.20'],
    ['salaries_payable', 'Net pay', '-5478.12'],
  ]);
});

test('posts an uncovered deduction in full and its shortfall as an employee advance', () => {
  const lines = journalOf(
    [
      total('earning', 'basic', 'Basic salary', '310.00'),
      total('deduction', 'pension', 'Pension', '51.46', pension),
      total('deduction', 'car', 'Car', '158.54'),
      total('deduction', 'recovery', 'Recovery', '100.00'),
      total('left_over', 'car', 'Car', '41.46'),
    ],
    '0.00',
    'EUR',
  );
  expect(lines.map(({ account_id, role, memo, debit, credit }) => [account_id ?? role, memo, debit, credit])).toEqual([
    ['salaries_expense', 'Salaries', '310.00', '0.00'],
    ['employee_advances', 'Car', '41.46', '0.00'],
    [pension, 'Pension', '0.00', '51.46'],
    ['payroll_liabilities', 'Car', '0.00', '200.00'],
    ['employee_advances', 'Recovery', '0.00', '100.00'],
  ]);
});
