import { minorUnits } from './currency.ts';
import { type Decimal, readPositive, sumOf, write } from './decimal.ts';
import { placesOf, type Tax } from './tax.ts';

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

/** The figures of a line from its parts. Net is what remains of the cost, so that an inclusive price never changes. */
export function lineFigures<T extends Tax>(parts: Parts, taxes: readonly T[], currency: string): LineFigures<T> {
  const { gross, discount, header_discount, amounts } = parts;
  const included = amounts.filter((_, at) => taxes[at]!.inclusive);
  const net = costOf(parts).minus(sumOf(included));
  const tax = sumOf(amounts);
  const baseOf = (at: number): Decimal => {
    const { kind, compound } = taxes[at]!;
    return kind === 'percent' && compound ? net.plus(sumOf(amounts.slice(0, at))) : net;
  };
  return {
    gross: write(gross, currency),
    discount: write(discount, currency),
    header_discount: write(header_discount, currency),
    net: write(net, currency),
    tax: write(tax, currency),
    total: write(net.plus(tax), currency),
    taxes: taxes.map((one, at) => ({
      ...one,
      base: write(baseOf(at), currency),
      amount: write(amounts[at]!, currency),
    })),
  };
}

/**
 * The figures of a document from those of its lines: of an invoice as of a return.
 * @throws AmountRefused (`lines.0.net`) when a figure is no amount of the currency; (`lines.1.taxes.0.id`) when two lines
 * mean different taxes by the same id
 */
export function sumLines<T extends Tax>(lines: readonly LineFigures<T>[], currency: string): Sums<T> {
  const decimals = minorUnits(currency);
  const column = (name: 'gross' | 'discount' | 'header_discount' | 'net' | 'tax' | 'total'): Decimal =>
    sumOf(lines.map((line, at) => readPositive(line[name], `lines.${at}.${name}`, decimals)));
  const taxes = [...placesOf(lines).values()].map((places) => {
    const taxColumn = (name: 'base' | 'amount'): Decimal =>
      sumOf(
        places.map(({ line, at }) =>
          readPositive(lines[line]!.taxes[at]![name], `lines.${line}.taxes.${at}.${name}`, decimals),
        ),
      );
    const [first] = places;
    return {
      ...lines[first!.line]!.taxes[first!.at]!,
      base: write(taxColumn('base'), currency),
      amount: write(taxColumn('amount'), currency),
    };
  });
  return {
    subtotal: write(column('gross'), currency),
    discount_total: write(column('discount').plus(column('header_discount')), currency),
    net_total: write(column('net'), currency),
    tax_total: write(column('tax'), currency),
    total: write(column('total'), currency),
    taxes,
  };
}
