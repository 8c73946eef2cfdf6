import { CEILING, type Decimal, readDecimal, readPositive, sumOf, toMinor, formatDecimal } from './decimal.ts';
import { AmountRefused } from './amount-refused.ts';

const readRate = (rate: string): Decimal => {
  const value = readPositive(rate, 'rate', 10);
  if (value.isZero()) throw new AmountRefused('rate', 'This must be more than zero.');
  return value;
};

function convert(amount: string, field: string, rate: Decimal, base_currency: string): Decimal {
  const converted = toMinor(readDecimal(amount, field, 4).times(rate), base_currency);
  if (converted.abs().gte(CEILING))
    throw new AmountRefused(field, 'The resulting amount is too large. Enter a smaller value.');
  return converted;
}

/**
 * Converts an amount to base currency, rounded half away from zero.
 * @param rate exchange rate to the base currency, fixed at posting; at most ten decimals
 * @throws AmountRefused (`amount`, `rate`)
 */
export const toBase = (amount: string, rate: string, base_currency: string): string =>
  formatDecimal(convert(amount, 'amount', readRate(rate), base_currency), base_currency);

/**
 * Converts the amounts of a balanced journal to the base currency, debits positive and credits negative, each
 * separately. Also returns what is missing for balance. Chosen: the difference is returned for the rounding account,
 * and not hidden in one of the amounts. The receivable must stay as invoiced, or the ledger and the open invoices drift
 * apart.
 * @returns the amounts in their order, and the `difference` that brings their sum to zero
 * @throws AmountRefused (`amounts.1`, `rate`); `amounts` if they do not balance
 */
export function journalToBase(
  amounts: readonly string[],
  rate: string,
  base_currency: string,
): { amounts: string[]; difference: string } {
  const factor = readRate(rate);
  const unbalanced = sumOf(amounts.map((amount, at) => readDecimal(amount, `amounts.${at}`, 4)));
  if (!unbalanced.isZero()) throw new AmountRefused('amounts', 'Debits and credits do not balance.');
  const converted = amounts.map((amount, at) => convert(amount, `amounts.${at}`, factor, base_currency));
  return {
    amounts: converted.map((amount) => formatDecimal(amount, base_currency)),
    difference: formatDecimal(sumOf(converted).negated(), base_currency),
  };
}
