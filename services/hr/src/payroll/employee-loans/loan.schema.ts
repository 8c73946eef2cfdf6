import {
  choice,
  Currency,
  Day,
  Id,
  foreignId,
  input,
  Money,
  MoneyOut,
  record,
  refTo,
  ShortText,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { searchedEmployee } from '../../organisation/setup/employee-search.ts';
import { EmployeeLabel } from '../../employees/employees/employee.schema.ts';
import { loanStates } from './loan.rules.ts';

/** Loan to an employee, repaid through payslips. */
export const EmployeeLoan = record({
  employee_id: Id,
  amount: MoneyOut,
  currency: Currency.describe('Currency of the payslips that repay the loan.'),
  instalment: MoneyOut.describe('Instalment deducted from each payslip, limited to the net pay.'),
  left: MoneyOut.describe('Amount not repaid yet.'),
  first_period: Day.describe('Day in the first payroll period that repays the loan.'),
  paid_from: Id.nullable().describe('ID of the bank account that paid the loan.'),
  paid_on: Day.nullable(),
  journal_id: Id.nullable().describe('ID of the journal entry of the payout in finance.'),
  waiver_journal_id: Id.nullable().describe('ID of the journal entry of the waived amount in finance.'),
  status: choice('open', 'settled', 'cancelled'),
  reason: z.string().nullable().describe('Reason for the cancellation.'),
  allowed_actions: Actions(loanStates),
  employee: EmployeeLabel.nullable().optional(),
}).meta({ id: 'EmployeeLoan' });

export const EmployeeLoanFilter = list(EmployeeLoan, {
  filter: ['employee_id', 'status', 'first_period', 'created_at', 'updated_at'],
  sort: ['first_period', 'created_at', 'updated_at'],
  search: searchedEmployee,
  expand: ['employee'],
});

export const EmployeeLoanInput = input({
  employee_id: refTo('employees'),
  amount: Money,
  instalment: Money,
  first_period: Day,
  currency: Currency.optional().describe(
    'Defaults to the currency of the salary on the first day of `first_period`, or of the workspace without a salary.',
  ),
  paid_from: foreignId('finance.bank_account')
    .nullish()
    .describe(
      'ID of the bank account of the payout, which finance posts. Omit it if the money is paid outside the suite.',
    ),
});

export const LoanCancellation = input({
  rest: choice('recover', 'waive')
    .default('recover')
    .describe('Whether the remaining amount is recovered from the next payslips or waived.'),
  reason: ShortText().min(1).optional(),
});

export type EmployeeLoanInput = z.output<typeof EmployeeLoanInput>;
export type LoanCancellation = z.output<typeof LoanCancellation>;
