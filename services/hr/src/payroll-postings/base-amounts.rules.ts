/** Amounts of a run in the currency of the workspace: by the rate that whoever approves it gives. */
import { invalid } from '@suite/chassis';
import { compare, journalToBase, roundTo, subtract, sum, toBase } from '@suite/money';

/** The worth of one of the run's currency, and in which currency that is. */
export interface Rate {
  rate: string;
  base_currency: string;
}

/** The amounts of some payments, in the currency of their run and in that of the workspace. */
export interface Paid {
  amount: string;
  base: string;
}

/**
 * The worth of a payment: with those before it as much as all of them together, so that no cent of what is owed is left after the
 * last one.
 */
export const partInBase = (before: Paid, amount: string, currency: string, { rate, base_currency }: Rate): string =>
  subtract(
    toBase(sum([roundTo(before.amount, currency), amount], currency), rate, base_currency),
    roundTo(before.base, base_currency),
    base_currency,
  );

/** @throws a 422 for a rate that is missing, or that nobody needs */
export function assertRate(rate: string | undefined, currency: string, base_currency: string): void {
  if (currency === base_currency && rate !== undefined)
    throw invalid('rate', `The run is already in ${base_currency}. Leave this out.`);
  if (currency !== base_currency && rate === undefined)
    throw invalid('rate', `Enter the exchange rate: ${base_currency} per ${currency}.`);
}

/** A line of a journal: one of its sides is nothing. */
interface Sides {
  debit: string;
  credit: string;
}

const signed = ({ debit, credit }: Sides, currency: string): string => subtract(debit, credit, currency);

/**
 * A journal in the currency of the workspace. It balances: what rounding leaves is on the largest cost, so that what is owed to
 * people and to others is what it says.
 */
export function journalInBase<Line extends Sides>(
  lines: readonly Line[],
  currency: string,
  { rate, base_currency }: Rate,
): Line[] {
  const { amounts, difference } = journalToBase(
    lines.map((line) => signed(line, currency)),
    rate,
    base_currency,
  );
  const largest = amounts.reduce((best, amount, at) => (compare(amount, amounts[best]!) > 0 ? at : best), 0);
  const zero = sum([], base_currency);
  return lines.flatMap((line, at) => {
    const amount = at === largest ? sum([amounts[at]!, difference], base_currency) : amounts[at]!;
    if (compare(amount, '0') === 0) return [];
    const [debit, credit] = compare(amount, '0') > 0 ? [amount, zero] : [zero, subtract('0', amount, base_currency)];
    return [{ ...line, debit, credit }];
  });
}
