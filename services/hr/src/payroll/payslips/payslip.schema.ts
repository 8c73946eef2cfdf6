import { choice, Currency, Day, Id, MoneyOut, Timestamp } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { EmployeeLabel } from '../../employees/employees/employee.schema.ts';
import { payslipStates } from './payslip.rules.ts';

/** Source of a line and of its calculation details. */
const source = {
  of: z
    .string()
    .optional()
    .describe('ID of the one-off, leave ledger entry, loan or recovery that the line results from.'),
  of_payroll_entry_id: Id.optional().describe('ID of the earlier payslip that the line corrects. Arrears only.'),
  of_period: z
    .object({
      from: Day.describe('First day of the period.'),
      to: Day.describe('Last day of the period, inclusive.'),
    })
    .optional()
    .describe('Period of the earlier payslip. Arrears only.'),
};

const Line = z
  .object({
    code: z.string(),
    name: z.string(),
    amount: MoneyOut,
    ...source,
    days: z.string().optional().describe('Days of leave that are paid out or owed.'),
  })
  .meta({ id: 'PayslipLine' });

const Step = z.object({ text: z.string(), value: z.string() });
const PayslipExplanation = z
  .object({
    component: z.string(),
    ...source,
    formula: z.string().optional(),
    inputs: z.record(z.string(), z.string()),
    steps: z.array(Step),
    result: z.string(),
  })
  .meta({ id: 'PayslipExplanation' });

const Leave = z.object({ leave_type_id: Id, name: z.string(), days: z.string(), paid: z.boolean() });
const Bank = z.object({
  bank_name: z.string(),
  holder: z.string().nullable(),
  bank_code: z.string().nullable(),
  account_number: z.object({ last_4: z.string() }),
});
const Status = choice('draft', 'finalised', 'withheld', 'paid', 'cancelled', 'reversed', 'failed');

/** Payslip in the list of the caller. */
export const OwnPayslip = z
  .object({
    id: Id,
    payroll_id: Id,
    number: z.string().nullable(),
    period_start: Day,
    period_end: Day,
    pay_date: Day.nullable(),
    currency: Currency.nullable(),
    status: Status,
    paid_on: Day.nullable(),
    gross: MoneyOut.nullable(),
    total_deductions: MoneyOut.nullable(),
    net: MoneyOut.nullable(),
    allowed_actions: Actions(payslipStates),
    created_at: Timestamp,
    updated_at: Timestamp,
    version: z.int(),
  })
  .meta({ id: 'OwnPayslip' });

/** Encrypted amounts in the list. */
export const LISTED_AMOUNTS = ['gross', 'total_deductions', 'net'] as const;

export const OwnPayslipFilter = list(OwnPayslip, {
  filter: ['status', 'period_start', 'period_end', 'created_at'],
  sort: ['period_start', 'created_at', 'updated_at'],
  order: '-period_start',
});

/** Payslip: pay of an employee for a period, with the calculation of each amount. */
export const Payslip = OwnPayslip.extend({
  employee_id: Id,
  employee: EmployeeLabel.nullable(),
  regular: z.boolean(),
  calculated_at: Timestamp.nullable(),
  failure_code: z.string().nullable(),
  failure_message: z.string().nullable(),
  working_days: z.string().nullable(),
  payment_days: z.string().nullable(),
  lop_days: z.string().nullable().describe('Days not paid because of unpaid leave.'),
  absent_days: z.string().nullable(),
  overtime_minutes: z.int().nullable(),
  employer_cost: MoneyOut.nullable(),
  taxable: MoneyOut.nullable(),
  tax: MoneyOut.nullable(),
  earnings: z.array(Line),
  deductions: z.array(Line),
  employer: z.array(Line).describe('Costs of the employer in addition to the pay.'),
  ytd: z
    .object({ gross: MoneyOut, tax: MoneyOut, net: MoneyOut })
    .nullable()
    .describe('Totals of the tax year, including this payslip.'),
  leave: z.array(Leave).describe('Leave in the period.'),
  bank: Bank.nullable().describe('Bank account at the time of the calculation.'),
  explain: z.array(PayslipExplanation).describe('Calculation of each amount. Each step follows from the previous one.'),
}).meta({ id: 'Payslip' });
