import { Decimal, ONE, readPositive, ZERO } from './decimal.ts';
import { AmountRefused } from './refusal.ts';

/** A tax as a document froze it (finance: tax snapshot). What else the snapshot carries comes back untouched. */
export interface Tax {
  readonly id: string;
  readonly name: string;
  /** Percent: `19` is 19 %. Fixed: an amount per unit of the line's quantity. At most six decimals. */
  readonly rate: string;
  readonly kind: 'percent' | 'fixed';
  /** Is it part of the price already? */
  readonly inclusive: boolean;
  /** Is it levied on the net and on the line's taxes before it? Says nothing of a fixed tax. */
  readonly compound: boolean;
}

/** A tax of an unknown net amount: a share of that net, and what is owed whatever it is. */
interface Levy {
  readonly share: Decimal;
  readonly fixed: Decimal;
}

const NOTHING: Levy = { share: ZERO, fixed: ZERO };

/** Mostly there is one tax, and nothing to add it to. */
const plus = (left: Levy, right: Levy): Levy =>
  left === NOTHING ? right : { share: left.share.plus(right.share), fixed: left.fixed.plus(right.fixed) };

/** So many percent of the net and of the taxes before it. */
function percentOf(before: Levy, rate: Decimal): Levy {
  if (before === NOTHING) return { share: rate.div(100), fixed: ZERO };
  return { share: before.share.plus(ONE).times(rate).div(100), fixed: before.fixed.times(rate).div(100) };
}

/** Each tax of a line as a levy. They are linear in the net, compound ones too, so that a gross price can be undone. */
function levies(taxes: readonly Tax[], qty: Decimal, field: string): Levy[] {
  let before = NOTHING;
  return taxes.map((tax, at) => {
    const rate = readPositive(tax.rate, `${field}.${at}.rate`, 6);
    const levy =
      tax.kind === 'fixed' ? { share: ZERO, fixed: rate.times(qty) } : percentOf(tax.compound ? before : NOTHING, rate);
    before = plus(before, levy);
    return levy;
  });
}

/**
 * The amount of each tax of a line, before rounding.
 * @param amount what the line costs after its discounts, inclusive taxes included
 * @param field where the line's taxes stand: `lines.0.taxes`
 * @throws AmountRefused when a rate is none, or when fixed taxes are more than the price that includes them
 */
export function exactTaxes(amount: Decimal, qty: Decimal, taxes: readonly Tax[], field: string): Decimal[] {
  const owed = levies(taxes, qty, field);
  const included = owed.filter((_, at) => taxes[at]!.inclusive).reduce(plus, NOTHING);
  if (included === NOTHING) return owed.map(({ share, fixed }) => amount.times(share).plus(fixed));
  const taxable = amount.minus(included.fixed);
  if (taxable.lt(0)) throw new AmountRefused(field, 'The fixed taxes are more than the price that includes them.');
  // Divided last, so that what has an exact result has it.
  return owed.map(({ share, fixed }) => taxable.times(share).div(included.share.plus(ONE)).plus(fixed));
}

/** The position of a tax: its line, and its place in the line. */
export interface Place {
  readonly line: number;
  readonly at: number;
}

/**
 * Where each tax of a document stands, by its id, in the order of first appearance.
 * @throws AmountRefused when a line has a tax twice, or when two lines mean different taxes by the same id
 */
export function placesOf(lines: readonly { readonly taxes: readonly Tax[] }[]): Map<string, Place[]> {
  const found = new Map<string, Place[]>();
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
