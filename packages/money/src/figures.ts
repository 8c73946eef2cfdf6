import { minorUnits } from './currency.ts';
import { type Decimal, readPositive, sumOf, write } from './decimal.ts';
import { type Place, placesOf, type Tax } from './tax.ts';

/** A tax with its amount: `amount` of `base`, both in the document's currency. */
export type TaxFigures<T extends Tax = Tax> = T & {
  /** The net; for a compound tax, with the taxes before it. For a fixed tax, what it stands beside. */
  readonly base: string;
  readonly amount: string;
};

/**
 * The figures of a line, as amounts of the document's currency, none of them negative.
 * `gross − discount − header_discount` is what the line costs: the net, and the taxes that the price includes.
 */
export interface LineFigures<T extends Tax = Tax> {
  /** Quantity × price, as priced: with the inclusive taxes, before discounts. */
  readonly gross: string;
  readonly discount: string;
  /** Its share of the document's discount. */
  readonly header_discount: string;
  readonly net: string;
  /** All taxes, inclusive and exclusive. */
  readonly tax: string;
  /** Net and tax: what is owed. */
  readonly total: string;
  readonly taxes: readonly TaxFigures<T>[];
}

/** The lines of a document added up, column by column: every figure is exactly the sum of the lines'. */
export interface Sums<T extends Tax = Tax> {
  /** The gross of the lines, before any discount. */
  readonly subtotal: string;
  /** Both the lines' own discounts and the document's. */
  readonly discount_total: string;
  readonly net_total: string;
  readonly tax_total: string;
  /** Net and tax: what is owed. */
  readonly total: string;
  /** One per tax, in the order of first appearance. */
  readonly taxes: readonly TaxFigures<T>[];
}

/** The parts of a line's figures, each rounded. */
export interface Parts {
  readonly gross: Decimal;
  readonly discount: Decimal;
  readonly header_discount: Decimal;
  /** Of each tax, in the line's order. */
  readonly amounts: readonly Decimal[];
}

/** The price of a line after its discounts, inclusive taxes included. */
export const costOf = ({ gross, discount, header_discount }: Omit<Parts, 'amounts'>): Decimal =>
  gross.minus(discount).minus(header_discount);

type Column = 'gross' | 'discount' | 'header_discount' | 'net' | 'tax' | 'total';
type TaxColumn = 'base' | 'amount';

/** The figures of a line as numbers to go on with. */
type Amounts = Readonly<Record<Column, Decimal>> & {
  readonly taxes: readonly Readonly<Record<TaxColumn, Decimal>>[];
};

/** The figures of a line from its parts. Net is what remains of the cost, so that an inclusive price never changes. */
export function amountsOf({ amounts, ...parts }: Parts, taxes: readonly Tax[]): Amounts {
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

/** The same as they are written. */
export function lineFigures<T extends Tax>(amounts: Amounts, taxes: readonly T[], currency: string): LineFigures<T> {
  const written = (name: Column): string => write(amounts[name], currency);
  return {
    gross: written('gross'),
    discount: written('discount'),
    header_discount: written('header_discount'),
    net: written('net'),
    tax: written('tax'),
    total: written('total'),
    taxes: taxes.map((one, at) => ({
      ...one,
      base: write(amounts.taxes[at]!.base, currency),
      amount: write(amounts.taxes[at]!.amount, currency),
    })),
  };
}

/** The totals of columns. @param of adds up a column of all lines, or of a tax where it stands */
function sumColumns<T extends Tax>(
  lines: readonly { readonly taxes: readonly T[] }[],
  currency: string,
  of: { column(name: Column): Decimal; taxColumn(places: readonly Place[], name: TaxColumn): Decimal },
): Sums<T> {
  const taxes = [...placesOf(lines).values()].map((places) => {
    const [first] = places;
    return {
      ...lines[first!.line]!.taxes[first!.at]!,
      base: write(of.taxColumn(places, 'base'), currency),
      amount: write(of.taxColumn(places, 'amount'), currency),
    };
  });
  return {
    subtotal: write(of.column('gross'), currency),
    discount_total: write(of.column('discount').plus(of.column('header_discount')), currency),
    net_total: write(of.column('net'), currency),
    tax_total: write(of.column('tax'), currency),
    total: write(of.column('total'), currency),
    taxes,
  };
}

/** The figures of a document whose lines were just computed. */
export const sumAmounts = <T extends Tax>(
  amounts: readonly Amounts[],
  lines: readonly { readonly taxes: readonly T[] }[],
  currency: string,
): Sums<T> =>
  sumColumns(lines, currency, {
    column: (name) => sumOf(amounts.map((line) => line[name])),
    taxColumn: (places, name) => sumOf(places.map(({ line, at }) => amounts[line]!.taxes[at]![name])),
  });

/**
 * The figures of a document from those of its lines: of an invoice as of a return.
 * @throws AmountRefused (`lines.0.net`) when a figure is no amount of the currency; (`lines.1.taxes.0.id`) when two lines
 * mean different taxes by the same id
 */
export function sumLines<T extends Tax>(lines: readonly LineFigures<T>[], currency: string): Sums<T> {
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
