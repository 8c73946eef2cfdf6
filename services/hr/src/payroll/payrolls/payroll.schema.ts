import {
  BusinessDay,
  choice,
  Currency,
  Day,
  DryRun,
  encrypted,
  Id,
  inner,
  input,
  LongText,
  MoneyOut,
  Name,
  QtyOut,
  record,
  refTo,
  Timestamp,
  version,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { searchedEmployee } from '../../organisation/setup/employee-search.ts';
import { EmployeeLabel } from '../../employees/employees/employee.schema.ts';
import { payslipStates } from '../payslips/payslip.rules.ts';
import { payrollStates } from './payroll.rules.ts';

/** Permission required in addition to `payroll.view` to see individual amounts. */
export const AMOUNTS_PERMISSION = 'employee.salary';

const Type = choice('regular', 'off_cycle');
const Frequency = choice('monthly', 'fortnightly', 'weekly');
const Status = choice(...(payrollStates.states as [string, ...string[]]));
const sums = MoneyOut.optional().describe(
  'Total of all employees of the run. Requires the record scope `all`, and `employee.salary` for a run of one or two employees.',
);

/** Payroll run: pays employees for a period. */
export const Payroll = record({
  number: z.string().nullable().describe('Run number, assigned at approval.'),
  title: z.string(),
  type: Type.describe('An off-cycle run pays one-offs only, without salaries.'),
  frequency: Frequency,
  period_start: Day,
  period_end: Day,
  pay_date: Day,
  branch_id: refTo('branches').nullable(),
  department_id: refTo('departments').nullable(),
  scope: z
    .object({ branch_id: Id.nullable(), department_id: Id.nullable() })
    .describe('Branch and department that the run is limited to.'),
  exclude_employee_ids: z.array(Id),
  currency: Currency,
  status: Status,
  employee_count: z.int(),
  progress: z.object({ total: z.int(), done: z.int(), failed: z.int() }),
  gross: sums,
  deductions: sums,
  employer_cost: sums,
  net: sums,
  calculation_no: z.int().describe('Number of calculations of the run.'),
  run_by: Id.nullable(),
  run_at: Timestamp.nullable(),
  approved_by: Id.nullable(),
  approved_at: Timestamp.nullable(),
  paid_at: Timestamp.nullable(),
  books_locked_through: Day.nullable().describe(
    'Last locked day of the books, if finance has locked the period of this unapproved run. `null` while the period is open. Approve the run with a later `journal_date`.',
  ),
  rate: QtyOut.nullable().describe('Exchange rate to the base currency, set on approval.'),
  journal_date: Day.nullable(),
  journal_id: Id.nullable().describe('ID of the journal entry in finance.'),
  reason: z.string().nullable().describe('Reason for the cancellation or reversal.'),
  pending_effects: z.array(z.string()).describe('Requests to finance that are not completed yet.'),
  allowed_actions: Actions(payrollStates),
}).meta({ id: 'Payroll' });

/** Payslip in the list of a run. */
export const PayrollEntry = z
  .object({
    id: Id,
    payroll_id: Id,
    employee_id: Id,
    employee: inner(EmployeeLabel.nullable(), AMOUNTS_PERMISSION),
    number: z.string().nullable(),
    status: choice('draft', 'finalised', 'withheld', 'paid', 'cancelled', 'reversed', 'failed'),
    failure_code: z.string().nullable(),
    failure_message: z.string().nullable(),
    calculated_at: Timestamp.nullable(),
    paid_on: Day.nullable(),
    payment_days: inner(z.string().nullable(), AMOUNTS_PERMISSION),
    gross: inner(MoneyOut.nullable(), AMOUNTS_PERMISSION),
    total_deductions: inner(MoneyOut.nullable(), AMOUNTS_PERMISSION),
    employer_cost: inner(MoneyOut.nullable(), AMOUNTS_PERMISSION),
    net: inner(MoneyOut.nullable(), AMOUNTS_PERMISSION).describe('Total net pay. `null` before the calculation.'),
    allowed_actions: Actions(payslipStates),
    created_at: Timestamp,
    updated_at: Timestamp,
    version: z.int(),
  })
  .meta({ id: 'PayrollEntry' });

/** Encrypted fields of a payslip in the list. */
export const ENCRYPTED_AMOUNTS = ['payment_days', 'gross', 'total_deductions', 'employer_cost', 'net'] as const;

export const PayrollFilter = list(Payroll, {
  filter: [
    'status',
    'type',
    'frequency',
    'period_start',
    'period_end',
    'pay_date',
    'branch_id',
    'department_id',
    'created_at',
  ],
  sort: ['period_start', 'pay_date', 'created_at', 'updated_at'],
  order: '-period_start',
});

export const PayrollEntryFilter = list(PayrollEntry, {
  filter: ['employee_id', 'status', 'created_at'],
  sort: ['employee_id', 'created_at', 'updated_at'],
  order: 'employee_id',
  search: searchedEmployee,
});

const ComponentSum = z.object({
  component: z.string(),
  name: z.string(),
  kind: choice('earning', 'deduction', 'employer', 'left_over').describe(
    '`left_over`: deductions that could not be taken, and are recovered later.',
  ),
  amount: MoneyOut,
});
const JournalLine = z.object({
  account_id: Id.nullable(),
  role: z.string().nullable().describe('Role of the account, if the component names no account.'),
  memo: z.string(),
  debit: MoneyOut,
  credit: MoneyOut,
});
const Failure = z.object({ payroll_entry_id: Id, employee_id: Id.optional(), code: z.string(), message: z.string() });
const Warning = z
  .object({
    code: choice('salary_missing', 'other_currency', 'loan_open', 'recovery_open').describe(
      '`salary_missing` and `other_currency`: the run leaves the employee out. `loan_open` and `recovery_open`: a loan or a recovery remains after the last payslip, even if the employee left before the period.',
    ),
    employee_id: Id,
    message: z.string(),
    amount: MoneyOut.nullable().describe('Remaining amount. `null` for other warnings.'),
    currency: Currency.nullable().describe('Currency of the salary or of the amount.'),
  })
  .meta({ id: 'PayrollWarning' });
const Difference = z.object({
  employee_id: Id,
  net_before: MoneyOut.nullable().describe('`null` if the employee was not in the previous run.'),
  net_now: MoneyOut.nullable().describe('`null` if the employee is not in this run.'),
  causes: z.array(z.string()).describe('Codes of the lines that differ, or `joined` or `left`.'),
});
const OneOff = z.object({
  id: Id,
  employee_id: Id,
  component_id: Id,
  amount: MoneyOut,
  note: z.string().nullable(),
});
const RunSettings = z.object({
  working_days_basis: z.string(),
  overtime_pay: z.string(),
  overtime_factor: z.string(),
  recovery_max_percent: z.int(),
  arrears_months: z.int(),
  tax_year_start: z.string(),
});

const one_offs = encrypted(inner(z.array(OneOff), AMOUNTS_PERMISSION));

/** Payroll run as create and update operations return it. */
export const WrittenPayroll = Payroll.extend({ one_offs }).meta({ id: 'WrittenPayroll' });

/** Payroll run with its totals and details. */
export const PayrollDetails = Payroll.extend({
  settings: RunSettings.nullable().describe('Settings used for the calculation.'),
  totals: z.array(ComponentSum).optional(),
  journal_preview: z.array(JournalLine).optional(),
  failures: z.array(Failure),
  warnings: inner(z.array(Warning), AMOUNTS_PERMISSION).describe(
    'Employees whom the run leaves out, and loans that stay open. Empty without the record scope `all`.',
  ),
  one_offs,
  differences: inner(z.array(Difference), AMOUNTS_PERMISSION).describe(
    'Differences from the previous run of the same frequency: the first 100, by employee.',
  ),
  entries: z.array(PayrollEntry).describe('The first 100 payslips. List the payslips for the others.'),
  entries_total: z.int(),
}).meta({ id: 'PayrollDetails' });

/** Response to running a payroll. A dry run includes the payslips. */
export const PayrollDryRunResult = Payroll.extend({
  failures: z.array(Failure).optional(),
  warnings: inner(z.array(Warning), AMOUNTS_PERMISSION).optional(),
  totals: z.array(ComponentSum).optional().describe('Returned if the dry run calculated every payslip.'),
  journal_preview: z.array(JournalLine).optional().describe('Returned if the dry run calculated every payslip.'),
  differences: inner(z.array(Difference), AMOUNTS_PERMISSION)
    .optional()
    .describe('The first 100 differences by employee, if the dry run calculated every payslip.'),
  entries: z.array(PayrollEntry).optional().describe('First payslips of the run, in a dry run.'),
}).meta({ id: 'PayrollTried' });

const AMOUNT = 'Enter an amount as a decimal string such as "1250.00".';
const OneOffInput = input({
  employee_id: refTo('employees'),
  component_id: refTo('salary_components'),
  amount: z
    .string(AMOUNT)
    .regex(/^-?\d{1,15}(\.\d{1,4})?$/, AMOUNT)
    .meta({ example: '250.00' })
    .describe('Amount. Negative to recover money.'),
  note: LongText.max(500).nullish(),
});

const ENTRIES_MAX = 5_000;
const body = {
  title: Name,
  type: Type,
  frequency: Frequency,
  period_start: BusinessDay,
  period_end: BusinessDay,
  pay_date: BusinessDay,
  currency: Currency.describe('Currency of the salaries to pay. Defaults to the base currency of the workspace.'),
  scope: input({ branch_id: refTo('branches').nullish(), department_id: refTo('departments').nullish() }),
  exclude_employee_ids: z.array(refTo('employees')).max(ENTRIES_MAX),
  one_offs: z.array(OneOffInput).max(ENTRIES_MAX),
};

export const PayrollInput = input({
  ...body,
  title: body.title.optional().describe('Defaults to a title made from the period.'),
  type: body.type.default('regular'),
  frequency: body.frequency.default('monthly'),
  scope: body.scope.default({}),
  exclude_employee_ids: body.exclude_employee_ids.default([]),
  one_offs: body.one_offs.default([]),
  currency: body.currency.optional(),
});

export const PayrollChanges = input(body).partial().extend({ version });
export const PayrollCancelling = input({ reason: LongText.min(1), version });
export const PayrollDryRun = { dry_run: DryRun };

export type PayrollInput = z.output<typeof PayrollInput>;
export type PayrollChanges = z.output<typeof PayrollChanges>;
export type OneOffInput = z.output<typeof OneOffInput>;
