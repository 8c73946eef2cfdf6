import { BusinessDay, choice, Currency, Day, Id, input, MoneyOut, Qty } from '@suite/chassis/fields';
import { z } from 'zod';
import { Payroll } from '../payrolls/payroll.schema.ts';

const Line = z.object({
  account_id: Id.nullable(),
  role: z.string().nullable().describe('Purpose of the account, if no account is named.'),
  memo: z.string(),
  currency: Currency.describe(
    'Currency of the line: the base currency on approval, the currency of the run on payment.',
  ),
  debit: MoneyOut,
  credit: MoneyOut,
});

/** Returns journal lines with the currency of their amounts. */
export const linesInCurrency = <Line extends object>(
  currency: string,
  lines: readonly Line[],
): (Line & { currency: string })[] => lines.map((line) => ({ ...line, currency }));

/** Payroll run with the journal of an action, or of its dry run. */
export const PayrollBooked = Payroll.extend({
  journal: z
    .array(Line)
    .optional()
    .describe(
      'Requires the record scope `all`, and `employee.salary` for one or two employees and for a payment of a part of the run.',
    ),
}).meta({ id: 'PayrollBooked' });

export const PayrollApproval = input({
  journal_date: BusinessDay.optional().describe('Date of the journal entry. Defaults to the end of the period.'),
  rate: Qty.optional().describe(
    'Exchange rate to the base currency. Required if the currencies differ, and rejected if not.',
  ),
});

export const PayrollReversalInput = input({
  reason: z.string().trim().min(1, 'Enter a reason.').max(10_000),
  money: choice('returned', 'to_recover')
    .optional()
    .describe('Whether paid money has been returned or is to be recovered. Required if any payslip was paid.'),
  journal_date: BusinessDay.optional().describe(
    'Date of the reversal. Defaults to the dates of the entries, or the next open days.',
  ),
});

/** Reversed payroll run. */
export const PayrollReversed = PayrollBooked.extend({
  reversal_dates: z
    .array(z.object({ journal_id: Id, date: Day }))
    .describe('Reversed journal entries, each with its reversal date.'),
}).meta({ id: 'PayrollReversed' });

export type PayrollReversalInput = z.output<typeof PayrollReversalInput>;
