import { CEILING, type Decimal, read, readPositive, sumOf, toMinor, write } from './decimal.ts';
import { AmountRefused } from './refusal.ts';

const readRate = (rate: string): Decimal => {
  const value = readPositive(rate, 'rate', 10);
  if (value.isZero()) throw new AmountRefused('rate', 'This must be more than zero.');
  return value;
};

function convert(amount: string, field: string, rate: Decimal, base_currency: string): Decimal {
  const converted = toMinor(read(amount, field, 4).times(rate), base_currency);
  if (converted.abs().gte(CEILING))
    throw new AmountRefused(field, 'The resulting amount is too large. Enter a smaller value.');
  return converted;
}

/**
 * An amount in the base currency, rounded half away from zero.
 * @param rate how much of the base currency one unit of the amount's is worth, frozen at posting; at most ten decimals
 * @throws AmountRefused (`amount`, `rate`)
 */
export const toBase = (amount: string, rate: string, base_currency: string): string =>
  write(convert(amount, 'amount', readRate(rate), base_currency), base_currency);

/**
 * The amounts of a balanced journal in the base currency, debits positive and credits negative, each converted on its
 * own; and what they lack to balance again.
 * Chosen: the difference is handed out, for the account of roundings, and not hidden in one of the amounts: the receivable
 * must stay what the invoice says it is, or the ledger and the open invoices drift apart.
 * @returns the amounts in their order, and the `difference` that brings their sum to zero
 * @throws AmountRefused (`amounts.1`, `rate`); `amounts` when they do not balance
 */
export function journalToBase(
  amounts: readonly string[],
  rate: string,
  base_currency: string,
): { amounts: string[]; difference: string } {
  const factor = readRate(rate);
  const unbalanced = sumOf(amounts.map((amount, at) => read(amount, `amounts.${at}`, 4)));
  if (!unbalanced.isZero()) throw new AmountRefused('amounts', 'Debits and credits do not balance.');
  const converted = amounts.map((amount, at) => convert(amount, `amounts.${at}`, factor, base_currency));
  return {
    amounts: converted.map((amount) => write(amount, base_currency)),
    difference: write(sumOf(converted).negated(), base_currency),
  };
}
