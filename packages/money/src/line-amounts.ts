import { minorUnits } from './currency.ts';
import { type Decimal, readPositive, sumOf, formatDecimal } from './decimal.ts';
import { type TaxPosition, placesOf, type Tax } from './tax.ts';

/** A tax with its amount: `amount` of `base`, both in the document's currency. */
export type TaxAmount<T extends Tax = Tax> = T & {
  /** Net amount. For a compound tax, with the taxes before it. For a fixed tax, the net amount of the line. */
  readonly base: string;
  readonly amount: string;
};

/**
 * Amounts of a line in the document's currency, none negative. `gross − discount − header_discount` is the cost of the
 * line: the net, and the taxes that the price includes.
 */
export interface LineAmounts<T extends Tax = Tax> {
  /** Quantity × price, including inclusive taxes, before discounts. */
  readonly gross: string;
  readonly discount: string;
  /** The line's share of the document's discount. */
  readonly header_discount: string;
  readonly net: string;
  /** All taxes, inclusive and exclusive. */
  readonly tax: string;
  /** Net plus tax: the amount payable. */
  readonly total: string;
  readonly taxes: readonly TaxAmount<T>[];
}

/** Lines of a document added up, column by column: every total is exactly the sum over the lines. */
export interface DocumentSums<T extends Tax = Tax> {
  /** The sum of the lines' `gross`, before any discount. */
  readonly subtotal: string;
  /** The sum of the lines' own discounts and the document's discount. */
  readonly discount_total: string;
  readonly net_total: string;
  readonly tax_total: string;
  /** Net plus tax: the amount payable. */
  readonly total: string;
  /** The total of each tax, in the order of first appearance. */
  readonly taxes: readonly TaxAmount<T>[];
}

/** Parts of a line's amounts, each rounded. */
export interface LineParts {
  readonly gross: Decimal;
  readonly discount: Decimal;
  readonly header_discount: Decimal;
  /** The amount of each tax, in the line's order. */
  readonly amounts: readonly Decimal[];
}

/** Returns the price of a line after its discounts, including inclusive taxes. */
export const costOf = ({ gross, discount, header_discount }: Omit<LineParts, 'amounts'>): Decimal =>
  gross.minus(discount).minus(header_discount);

type Column = 'gross' | 'discount' | 'header_discount' | 'net' | 'tax' | 'total';
type TaxColumn = 'base' | 'amount';

/** Amounts of a line as numbers for further calculation. */
type Amounts = Readonly<Record<Column, Decimal>> & {
  readonly taxes: readonly Readonly<Record<TaxColumn, Decimal>>[];
};

/**
 * Calculates the amounts of a line from its parts. Net is the rest of the cost, so that an inclusive price never
 * changes.
 */
export function amountsOf({ amounts, ...parts }: LineParts, taxes: readonly Tax[]): Amounts {
  const included = amounts.filter((_, at) => taxes[at]!.inclusive);
  const net = costOf(parts).minus(sumOf(included));
  const tax = sumOf(amounts);
  const baseOf = (at: number): Decimal => {
    const { kind, compound } = taxes[at]!;
    return kind === 'percent' && compound ? net.plus(sumOf(amounts.slice(0, at))) : net;
  };
  const taxed = amounts.map((amount, at) => ({ base: baseOf(at), amount }));
  return { ...parts, net, tax, total: net.plus(tax), taxes: taxed };
}

/** Formats the amounts of a line as strings. */
export function formatLineAmounts<T extends Tax>(
  amounts: Amounts,
  taxes: readonly T[],
  currency: string,
): LineAmounts<T> {
  const written = (name: Column): string => formatDecimal(amounts[name], currency);
  return {
    gross: written('gross'),
    discount: written('discount'),
    header_discount: written('header_discount'),
    net: written('net'),
    tax: written('tax'),
    total: written('total'),
    taxes: taxes.map((one, at) => ({
      ...one,
      base: formatDecimal(amounts.taxes[at]!.base, currency),
      amount: formatDecimal(amounts.taxes[at]!.amount, currency),
    })),
  };
}

/** Computes the totals of columns. @param of sums a column over all lines, or over the lines with a tax */
function sumColumns<T extends Tax>(
  lines: readonly { readonly taxes: readonly T[] }[],
  currency: string,
  of: { column(name: Column): Decimal; taxColumn(places: readonly TaxPosition[], name: TaxColumn): Decimal },
): DocumentSums<T> {
  const taxes = [...placesOf(lines).values()].map((places) => {
    const [first] = places;
    return {
      ...lines[first!.line]!.taxes[first!.at]!,
      base: formatDecimal(of.taxColumn(places, 'base'), currency),
      amount: formatDecimal(of.taxColumn(places, 'amount'), currency),
    };
  });
  return {
    subtotal: formatDecimal(of.column('gross'), currency),
    discount_total: formatDecimal(of.column('discount').plus(of.column('header_discount')), currency),
    net_total: formatDecimal(of.column('net'), currency),
    tax_total: formatDecimal(of.column('tax'), currency),
    total: formatDecimal(of.column('total'), currency),
    taxes,
  };
}

/** Calculates the totals of a document from lines that were just computed. */
export const sumAmounts = <T extends Tax>(
  amounts: readonly Amounts[],
  lines: readonly { readonly taxes: readonly T[] }[],
  currency: string,
): DocumentSums<T> =>
  sumColumns(lines, currency, {
    column: (name) => sumOf(amounts.map((line) => line[name])),
    taxColumn: (places, name) => sumOf(places.map(({ line, at }) => amounts[line]!.taxes[at]![name])),
  });

/**
 * Calculates the totals of a document, such as an invoice or a return, from the amounts of its lines.
 * @throws AmountRefused (`lines.0.net`) if a value is not an amount of the currency; (`lines.1.taxes.0.id`) if two
 * lines mean different taxes by the same ID
 */
export function sumLines<T extends Tax>(lines: readonly LineAmounts<T>[], currency: string): DocumentSums<T> {
  const decimals = minorUnits(currency);
  return sumColumns<T>(lines, currency, {
    column: (name) => sumOf(lines.map((line, at) => readPositive(line[name], `lines.${at}.${name}`, decimals))),
    taxColumn: (places, name) =>
      sumOf(
        places.map(({ line, at }) =>
          readPositive(lines[line]!.taxes[at]![name], `lines.${line}.taxes.${at}.${name}`, decimals),
        ),
      ),
  });
}
