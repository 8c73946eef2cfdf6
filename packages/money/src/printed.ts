import { Decimal, readPositive, sumOf, formatDecimal } from './decimal.ts';
import { minorUnits } from './currency.ts';
import type { LineAmounts, TaxAmount } from './line-amounts.ts';
import type { Tax } from './tax.ts';

/**
 * The sums of a document in printing order. The line amounts add up to the subtotal. The subtotal less the discount is
 * the price. The price with the added taxes is the total. Inclusive taxes are printed separately, because the amounts
 * already contain them.
 */
export interface PrintedTotals<T extends Tax = Tax> {
  /** The amount of each line: quantity × price less the line's own discount, including inclusive taxes. */
  readonly amounts: readonly string[];
  readonly subtotal: string;
  /** The document's own discount. */
  readonly discount: string;
  readonly price: string;
  readonly added: readonly TaxAmount<T>[];
  readonly total: string;
  readonly included: readonly TaxAmount<T>[];
  /** The total without taxes. */
  readonly net: string;
}

/**
 * Calculates the amounts of a printed document from the amounts of its lines.
 * @throws AmountRefused (`lines.0.gross`) if a value is not an amount of the currency
 */
export function printedTotals<T extends Tax>(lines: readonly LineAmounts<T>[], currency: string): PrintedTotals<T> {
  const decimals = minorUnits(currency);
  const column = (name: 'gross' | 'discount' | 'header_discount' | 'net') =>
    lines.map((line, at) => readPositive(line[name], `lines.${at}.${name}`, decimals));
  const discounts = column('discount');
  const amounts = column('gross').map((gross, at) => gross.minus(discounts[at]!));
  const subtotal = sumOf(amounts);
  const discount = sumOf(column('header_discount'));
  const price = subtotal.minus(discount);
  const taxes = taxColumns(lines, currency);
  const added = taxes.filter(({ inclusive }) => !inclusive);
  const total = price.plus(sumOf(added.map(({ amount }) => new Decimal(amount))));
  return {
    amounts: amounts.map((amount) => formatDecimal(amount, currency)),
    subtotal: formatDecimal(subtotal, currency),
    discount: formatDecimal(discount, currency),
    price: formatDecimal(price, currency),
    added,
    total: formatDecimal(total, currency),
    included: taxes.filter(({ inclusive }) => inclusive),
    net: formatDecimal(sumOf(column('net')), currency),
  };
}

/** Returns the total of each tax over all lines, in the order of first appearance. */
function taxColumns<T extends Tax>(lines: readonly LineAmounts<T>[], currency: string): TaxAmount<T>[] {
  const levied = lines.flatMap(({ taxes }, line) =>
    taxes.map((tax, at) => ({ tax, field: `lines.${line}.taxes.${at}` })),
  );
  const same = Map.groupBy(levied, ({ tax }) => `${tax.id} ${tax.rate} ${tax.inclusive}`);
  return [...same.values()].map((places) => {
    const column = (name: 'base' | 'amount') =>
      sumOf(places.map(({ tax, field }) => readPositive(tax[name], `${field}.${name}`, minorUnits(currency))));
    return {
      ...places[0]!.tax,
      base: formatDecimal(column('base'), currency),
      amount: formatDecimal(column('amount'), currency),
    };
  });
}
