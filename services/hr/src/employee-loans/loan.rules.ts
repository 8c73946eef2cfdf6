/** The states of a loan, and its limits. */
import { fault, invalid, lifecycle } from '@suite/chassis';
import { Decimal } from 'decimal.js';

export const loanStates = lifecycle(
  'employee loan',
  { open: { cancel: 'cancelled' }, settled: {}, cancelled: {} },
  {
    actions: { cancel: 'payroll.run' },
    derived: { among: ['open', 'settled'], from: 'what payslips have taken of it' },
  },
);

export const FirstPeriodOutOfRange = fault(
  422,
  'first_period_out_of_range',
  'The first repayment must fall within the employment and the next five years.',
);

const YEARS_AHEAD = 5;

interface Amounts {
  amount: string;
  instalment: string;
}

/** Refuses amounts that cannot come back. @param places the decimals of the currency. @throws a 422 that names the field */
export function assertAmounts({ amount, instalment }: Amounts, places: number): void {
  for (const [field, value] of Object.entries({ amount, instalment })) {
    if (!new Decimal(value).gt(0)) throw invalid(field, 'Enter an amount above zero.');
    if (new Decimal(value).decimalPlaces() > places)
      throw invalid(field, `The currency has ${places} decimals at most.`);
  }
  if (new Decimal(instalment).gt(amount))
    throw invalid('instalment', 'An instalment is at most the amount of the loan.');
}

/** @throws FirstPeriodOutOfRange */
export function assertFirstPeriod(first_period: string, joining_date: string, day: string): void {
  const latest = `${Number(day.slice(0, 4)) + YEARS_AHEAD}${day.slice(4)}`;
  if (first_period < joining_date || first_period > latest) throw FirstPeriodOutOfRange({ field: 'first_period' });
}

/**
 * The rest of a loan when some of it is taken, or given back by a payslip that was reversed.
 * @throws RangeError where more is taken than is left, or more is given back than was lent
 */
export function leftAfter({ amount, left }: { amount: string; left: string }, taken: string): string {
  const rest = new Decimal(left).minus(taken);
  if (rest.lt(0) || rest.gt(amount)) throw new RangeError('A loan comes back once, and not more than was lent.');
  return rest.toFixed(Math.max(2, rest.decimalPlaces()));
}

/** The amount that a payslip that was reversed gives back of a loan that was cancelled. @throws RangeError where one takes of it */
export function givenBack(before: string, after: string): string {
  const more = new Decimal(after).minus(before);
  if (!more.gt(0)) throw new RangeError('Nothing is taken of a loan that was cancelled.');
  return more.toFixed(Math.max(2, more.decimalPlaces()));
}
