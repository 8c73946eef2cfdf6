/** Amounts of a payroll run in base currency, at the exchange rate given on approval. */
import { invalid } from '@suite/chassis/faults';
import { compare, journalToBase, roundTo, subtract, sum, toBase } from '@suite/money';

/** Exchange rate: base currency per unit of the run's currency. */
export interface BaseRate {
  rate: string;
  base_currency: string;
}

/** Amounts of some payments, in the currency of their run and in base currency. */
export interface PaidAmounts {
  amount: string;
  base: string;
}

/**
 * Returns a payment in base currency. Rounding differences between partial payments are balanced, so that no cent
 * remains after the last one.
 */
export const paymentInBase = (
  before: PaidAmounts,
  amount: string,
  currency: string,
  { rate, base_currency }: BaseRate,
): string =>
  subtract(
    toBase(sum([roundTo(before.amount, currency), amount], currency), rate, base_currency),
    roundTo(before.base, base_currency),
    base_currency,
  );

/** Checks the exchange rate. @throws a 422 for a missing or unnecessary rate */
export function assertRate(rate: string | undefined, currency: string, base_currency: string): void {
  if (currency === base_currency && rate !== undefined)
    throw invalid('rate', `The run is already in ${base_currency}. Omit the exchange rate.`);
  if (currency !== base_currency && rate === undefined)
    throw invalid('rate', `Enter the exchange rate: ${base_currency} per ${currency}.`);
}

/** Journal line: either the debit or the credit is zero. */
interface JournalSides {
  debit: string;
  credit: string;
}

const signedAmount = ({ debit, credit }: JournalSides, currency: string): string => subtract(debit, credit, currency);

/**
 * Returns a journal in base currency. The journal balances: the largest cost line takes rounding differences, so that
 * liabilities are exact.
 */
export function journalInBase<Line extends JournalSides>(
  lines: readonly Line[],
  currency: string,
  { rate, base_currency }: BaseRate,
): Line[] {
  const { amounts, difference } = journalToBase(
    lines.map((line) => signedAmount(line, currency)),
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
