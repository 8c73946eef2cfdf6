import { minorUnits } from './currency.ts';
import { CEILING, Decimal, readPositive, sumOf, toMinor, ZERO } from './decimal.ts';
import {
  amountsOf,
  costOf,
  formatLineAmounts,
  type LineAmounts,
  type LineParts,
  sumAmounts,
  type DocumentSums,
} from './line-amounts.ts';
import { AmountRefused } from './amount-refused.ts';
import { apportion } from './spread.ts';
import { exactTaxes, placesOf, type Tax } from './tax.ts';

/** A discount. `percent`: 0 to 100, at most six decimals. `amount`: for the whole line or document, not per unit. */
export interface Discount {
  readonly type: 'percent' | 'amount';
  readonly value: string;
}

/** A line to compute: a positive quantity (six decimals) and a price of zero or more (four decimals). */
export interface DocumentLine<T extends Tax = Tax> {
  readonly qty: string;
  readonly unit_price: string;
  readonly discount?: Discount | null;
  /** The taxes in the order of application, which matters only for compound taxes. */
  readonly taxes: readonly T[];
}

/** Fields of a quote, order, invoice or receipt that affect its totals. */
export interface TotalsInput<T extends Tax = Tax> {
  readonly currency: string;
  readonly lines: readonly DocumentLine<T>[];
  /** The discount on the whole document, before tax. */
  readonly discount?: Discount | null;
}

/** Totals of a document, and the amounts of each line in the same order. */
export interface DocumentTotals<T extends Tax = Tax> extends DocumentSums<T> {
  readonly lines: readonly LineAmounts<T>[];
}

/** An intermediate line: its parts without taxes, and the amount of each tax before rounding. */
interface Taxable extends Omit<LineParts, 'amounts'> {
  readonly taxes: readonly Tax[];
  readonly exact: readonly Decimal[];
}

/**
 * Computes the totals of a document. Line: round(quantity × price − discount). The document's discount is distributed
 * over the lines in proportion to these amounts, by largest remainder. Each tax is summed over the whole document,
 * rounded once, and distributed the same way. A price that includes taxes stays unchanged, and its net is the price
 * less the taxes. Therefore every total is the exact sum of its lines.
 * @throws AmountRefused with the wrong field: `lines.0.discount.value`, `discount.value`, `lines.2.taxes`
 */
export function documentTotals<T extends Tax>({ currency, lines, discount }: TotalsInput<T>): DocumentTotals<T> {
  const priced = lines.map((line, at) => price(line, `lines.${at}`, currency));
  const costs = priced.map((line) => line.gross.minus(line.discount));
  const all = sumOf(costs);
  const shares = apportion(toMinor(discountOn(all, discount, 'discount', currency), currency), costs, currency);
  const taxable = priced.map(({ qty, ...line }, at) => {
    const { taxes } = lines[at]!;
    const parts = { ...line, header_discount: shares[at]! };
    return { ...parts, taxes, exact: exactTaxes(costOf(parts), qty, taxes, `lines.${at}.taxes`) };
  });
  const amounts = roundTaxes(taxable, currency);
  // No amount of the document exceeds the sum of all prices and taxes.
  if (sumOf([...priced.map(({ gross }) => gross), ...amounts.flat()]).gte(CEILING)) excessError('lines');
  const found = taxable.map(({ gross, discount: own, header_discount }, at) =>
    amountsOf({ gross, discount: own, header_discount, amounts: amounts[at]! }, lines[at]!.taxes),
  );
  const figures = found.map((one, at) => formatLineAmounts(one, lines[at]!.taxes, currency));
  return { ...sumAmounts(found, lines, currency), lines: figures };
}

function price(line: DocumentLine, field: string, currency: string) {
  const qty = readPositive(line.qty, `${field}.qty`, 6);
  if (qty.isZero()) throw new AmountRefused(`${field}.qty`, 'This must be more than zero.');
  const exact = qty.times(readPositive(line.unit_price, `${field}.unit_price`, 4));
  if (exact.gte(CEILING)) excessError(field);
  const gross = toMinor(exact, currency);
  const net = toMinor(exact.minus(discountOn(exact, line.discount, `${field}.discount`, currency)), currency);
  // A discount of the whole rounded gross can slightly exceed the exact gross.
  return { qty, gross, discount: gross.minus(Decimal.max(net, ZERO)) };
}

function excessError(field: string): never {
  throw new AmountRefused(field, 'The resulting amount is too large. Enter a smaller value.');
}

/** Returns the amount of a discount before rounding. */
function discountOn(amount: Decimal, discount: Discount | null | undefined, field: string, currency: string): Decimal {
  if (!discount) return ZERO;
  const isPercent = discount.type === 'percent';
  const value = readPositive(discount.value, `${field}.value`, isPercent ? 6 : minorUnits(currency));
  if (value.gt(isPercent ? 100 : toMinor(amount, currency))) {
    throw new AmountRefused(`${field}.value`, 'The discount is more than what it is taken from.');
  }
  return isPercent ? amount.times(value).div(100) : value;
}

/**
 * Returns each line's taxes. Each tax is rounded once over the document. Chosen: if several inclusive taxes, each
 * rounded up, exceed the amount that includes them, the taxes with the higher IDs are reduced by a unit. Therefore no
 * net is negative, and the order of taxes has no effect.
 */
function roundTaxes(lines: readonly Taxable[], currency: string): Decimal[][] {
  const amounts = lines.map(({ taxes }) => taxes.map(() => ZERO));
  const rooms = lines.map(costOf);
  for (const [, places] of [...placesOf(lines)].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const exact = places.map(({ line, at }) => lines[line]!.exact[at]!);
    const [first] = places;
    const isInclusive = lines[first!.line]!.taxes[first!.at]!.inclusive;
    const limits = isInclusive ? places.map(({ line }) => rooms[line]!) : undefined;
    const shares = apportion(toMinor(sumOf(exact), currency), exact, currency, limits);
    for (const [index, { line, at }] of places.entries()) {
      amounts[line]![at] = shares[index]!;
      if (isInclusive) rooms[line] = rooms[line]!.minus(shares[index]!);
    }
  }
  return amounts;
}
