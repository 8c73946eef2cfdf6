import { Decimal, ONE, readPositive, ZERO } from './decimal.ts';
import { AmountRefused } from './amount-refused.ts';

/** A tax as copied to a document (finance: tax snapshot). Other fields of the snapshot are returned unchanged. */
export interface Tax {
  readonly id: string;
  readonly name: string;
  /** Percent: `19` is 19 %. Fixed: an amount per unit of the line's quantity. At most six decimals. */
  readonly rate: string;
  readonly kind: 'percent' | 'fixed';
  /** A flag for taxes that the price includes. */
  readonly inclusive: boolean;
  /** True if it is levied on the net and on the line's taxes before it. No effect for a fixed tax. */
  readonly compound: boolean;
}

/** Tax on an unknown net amount: a share of the net, and a fixed amount. */
interface Levy {
  readonly share: Decimal;
  readonly fixed: Decimal;
}

const NOTHING: Levy = { share: ZERO, fixed: ZERO };

/** Adds two levies. Most lines have only one tax. */
const addLevies = (left: Levy, right: Levy): Levy =>
  left === NOTHING ? right : { share: left.share.plus(right.share), fixed: left.fixed.plus(right.fixed) };

/** Returns a percentage of the net and of the taxes before it. */
function percentOf(before: Levy, rate: Decimal): Levy {
  if (before === NOTHING) return { share: rate.div(100), fixed: ZERO };
  return { share: before.share.plus(ONE).times(rate).div(100), fixed: before.fixed.times(rate).div(100) };
}

/**
 * Returns each tax of a line as a levy. Levies are linear in the net, compound ones too, so that a net can be computed
 * from a gross price.
 */
function levies(taxes: readonly Tax[], qty: Decimal, field: string): Levy[] {
  let before = NOTHING;
  return taxes.map((tax, at) => {
    const rate = readPositive(tax.rate, `${field}.${at}.rate`, 6);
    const levy =
      tax.kind === 'fixed' ? { share: ZERO, fixed: rate.times(qty) } : percentOf(tax.compound ? before : NOTHING, rate);
    before = addLevies(before, levy);
    return levy;
  });
}

/**
 * Returns the amount of each tax of a line before rounding.
 * @param amount the price of the line after its discounts, including inclusive taxes
 * @param field the field of the line's taxes: `lines.0.taxes`
 * @throws AmountRefused if a rate is invalid, or if fixed taxes exceed the price that includes them
 */
export function exactTaxes(amount: Decimal, qty: Decimal, taxes: readonly Tax[], field: string): Decimal[] {
  const owed = levies(taxes, qty, field);
  const included = owed.filter((_, at) => taxes[at]!.inclusive).reduce(addLevies, NOTHING);
  if (included === NOTHING) return owed.map(({ share, fixed }) => amount.times(share).plus(fixed));
  const taxable = amount.minus(included.fixed);
  if (taxable.lt(0)) throw new AmountRefused(field, 'The fixed taxes are more than the price that includes them.');
  // The division is last, so that exact results stay exact.
  return owed.map(({ share, fixed }) => taxable.times(share).div(included.share.plus(ONE)).plus(fixed));
}

/** The position of a tax: its line, and its index in the line. */
export interface TaxPosition {
  readonly line: number;
  readonly at: number;
}

/**
 * Returns the positions of each tax of a document by its ID, in the order of first appearance.
 * @throws AmountRefused if a line has a tax twice, or if two lines mean different taxes by the same ID
 */
export function placesOf(lines: readonly { readonly taxes: readonly Tax[] }[]): Map<string, TaxPosition[]> {
  const found = new Map<string, TaxPosition[]>();
  for (const [line, { taxes }] of lines.entries()) {
    for (const [at, tax] of taxes.entries()) {
      const places = found.get(tax.id);
      if (!places) {
        found.set(tax.id, [{ line, at }]);
        continue;
      }
      const first = places[0]!;
      const field = () => `lines.${line}.taxes.${at}.id`;
      if (places.at(-1)!.line === line) throw new AmountRefused(field(), 'This line has the tax twice.');
      if (!isSame(lines[first.line]!.taxes[first.at]!, tax)) {
        throw new AmountRefused(field(), 'Another line has this tax with another rate.');
      }
      places.push({ line, at });
    }
  }
  return found;
}

const isSame = (one: Tax, other: Tax): boolean =>
  (one.rate === other.rate || new Decimal(one.rate).eq(other.rate)) &&
  one.kind === other.kind &&
  one.inclusive === other.inclusive &&
  one.compound === other.compound;
