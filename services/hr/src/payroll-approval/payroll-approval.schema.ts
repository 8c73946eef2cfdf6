import { BusinessDay, choice, Currency, Day, Id, input, MoneyOut, Qty } from '@suite/chassis';
import { z } from 'zod';
import { Payroll } from '../payrolls/payroll.schema.ts';

const Line = z.object({
  account_id: Id.nullable(),
  role: z.string().nullable().describe('The use of the account, where none is named.'),
  memo: z.string(),
  currency: Currency.describe(
    'Currency of the line: the base currency on approval, the currency of the run on payment.',
  ),
  debit: MoneyOut,
  credit: MoneyOut,
});

/** The lines of a journal with the currency of their amounts. */
export const linesIn = <Line extends object>(
  currency: string,
  lines: readonly Line[],
): (Line & { currency: string })[] => lines.map((line) => ({ ...line, currency }));

/** A run with the journal of what was done to it, or would be. */
export const PayrollBooked = Payroll.extend({
  journal: z
    .array(Line)
    .optional()
    .describe('Left out where it would tell what one or two people earn to whoever may not see salaries.'),
}).meta({ id: 'PayrollBooked' });

export const PayrollApproval = input({
  journal_date: BusinessDay.optional().describe(
    'The day of the journal entry; the end of the period, if it is not said.',
  ),
  rate: Qty.optional().describe(
    'What one of the run’s currency is worth in that of the workspace; needed where they differ, and only there.',
  ),
});

export const PayrollReversalInput = input({
  reason: z.string().trim().min(1, 'Enter a reason.').max(10_000),
  money: choice('returned', 'to_recover')
    .optional()
    .describe('What becomes of money that was paid: it is back, or people owe it. Needed once anybody was paid.'),
  journal_date: BusinessDay.optional().describe(
    'The day of the reversal; those of the entries themselves, if it is not said, or the first ones after them that are open.',
  ),
});

/** A run that was taken back. */
export const PayrollReversed = PayrollBooked.extend({
  reversal_dates: z
    .array(z.object({ journal_id: Id, date: Day }))
    .describe('The entries that are reversed, each with the day of its reversal.'),
}).meta({ id: 'PayrollReversed' });

export type PayrollReversalInput = z.output<typeof PayrollReversalInput>;
