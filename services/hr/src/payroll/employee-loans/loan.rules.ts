/** Statuses and limits of a loan. */
import { fault, invalid } from '@suite/chassis/faults';
import { lifecycle } from '@suite/chassis/operations';
import { Decimal } from 'decimal.js';

export const loanStates = lifecycle(
  'employee loan',
  { open: { cancel: 'cancelled' }, settled: {}, cancelled: {} },
  {
    actions: { cancel: 'payroll.run' },
    derived: { among: ['open', 'settled'], from: 'the repayments deducted by payslips' },
  },
);

export const FirstPeriodOutOfRange = fault(
  422,
  'first_period_out_of_range',
  'The first repayment must fall within the employment and the next five years. Choose another month.',
);

export const LoanPending = fault(
  409,
  'loan_pending',
  'An entry of this loan is being posted or reversed. Try again in a moment.',
  { retryable: true },
);

const YEARS_AHEAD = 5;

interface LoanAmounts {
  amount: string;
  instalment: string;
}

/**
 * Rejects amounts that cannot be repaid. @param places decimals of the currency @throws a 422 fault that names the
 * field
 */
export function assertAmounts({ amount, instalment }: LoanAmounts, places: number): void {
  for (const [field, value] of Object.entries({ amount, instalment })) {
    if (!new Decimal(value).gt(0)) throw invalid(field, 'Enter an amount greater than zero.');
    if (new Decimal(value).decimalPlaces() > places)
      throw invalid(field, `Enter an amount with at most ${places} decimals.`);
  }
  if (new Decimal(instalment).gt(amount)) throw invalid('instalment', 'An instalment cannot exceed the loan amount.');
}

/** @throws FirstPeriodOutOfRange */
export function assertFirstPeriod(first_period: string, joining_date: string, day: string): void {
  const latest = `${Number(day.slice(0, 4)) + YEARS_AHEAD}${day.slice(4)}`;
  if (first_period < joining_date || first_period > latest) throw FirstPeriodOutOfRange({ field: 'first_period' });
}

/**
 * Returns the outstanding amount of a loan after a deduction, or after the refund of a reversed payslip.
 * @throws RangeError if the deduction exceeds the outstanding amount, or the refund exceeds the loan
 */
export function outstandingAfter({ amount, left }: { amount: string; left: string }, taken: string): string {
  const rest = new Decimal(left).minus(taken);
  if (rest.lt(0) || rest.gt(amount))
    throw new RangeError('The deduction exceeds the outstanding loan, or the refund exceeds the loan.');
  return rest.toFixed(Math.max(2, rest.decimalPlaces()));
}

/** Returns the amount that a reversed payslip refunds to a cancelled loan. @throws RangeError for a deduction */
export function refundAmount(before: string, after: string): string {
  const more = new Decimal(after).minus(before);
  if (!more.gt(0)) throw new RangeError('A cancelled loan has no deductions.');
  return more.toFixed(Math.max(2, more.decimalPlaces()));
}
