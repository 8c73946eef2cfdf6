import {
  Actions,
  choice,
  Currency,
  Day,
  Id,
  foreignId,
  input,
  list,
  Money,
  MoneyOut,
  record,
  refTo,
  ShortText,
} from '@suite/chassis';
import { z } from 'zod';
import { EmployeeLabel } from '../employees/employee.schema.ts';
import { loanStates } from './loan.rules.ts';

/** Money that was lent to somebody, and comes back with each payslip. */
export const EmployeeLoan = record({
  employee_id: Id,
  amount: MoneyOut,
  currency: Currency.describe('It comes back from payslips in this currency.'),
  instalment: MoneyOut.describe('Kept back with each payslip, as far as there is money.'),
  left: MoneyOut.describe('What has not come back yet.'),
  first_period: Day.describe('It comes back from the payroll on in whose period this day lies.'),
  paid_from: Id.nullable().describe('The bank account that the money came from, where finance has paid it out.'),
  paid_on: Day.nullable(),
  journal_id: Id.nullable().describe('The journal entry of finance.'),
  status: choice('open', 'settled', 'cancelled'),
  reason: z.string().nullable().describe('Why it was cancelled.'),
  allowed_actions: Actions(loanStates),
  employee: EmployeeLabel.nullable().optional(),
}).meta({ id: 'EmployeeLoan' });

export const EmployeeLoanFilter = list(EmployeeLoan, {
  filter: ['employee_id', 'status', 'first_period', 'created_at', 'updated_at'],
  sort: ['first_period', 'created_at', 'updated_at'],
  expand: ['employee'],
});

export const EmployeeLoanInput = input({
  employee_id: refTo('employees'),
  amount: Money,
  instalment: Money,
  first_period: Day,
  currency: Currency.optional().describe(
    'That of the salary on the day of `first_period`, if it is not said; without a salary that of the workspace.',
  ),
  paid_from: foreignId('finance.bank_account')
    .nullish()
    .describe('A bank account: finance pays the money out of it. It is handed over otherwise, if none is named.'),
});

export const LoanCancellation = input({
  rest: choice('recover', 'waive')
    .default('recover')
    .describe(
      'What has not come back is kept back by the next payslips as far as there is money, or is not asked for.',
    ),
  reason: ShortText().min(1).optional(),
});

export type EmployeeLoanInput = z.output<typeof EmployeeLoanInput>;
export type LoanCancellation = z.output<typeof LoanCancellation>;
