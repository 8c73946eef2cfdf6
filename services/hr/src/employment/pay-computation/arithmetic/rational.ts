/** Exact fractions of whole numbers: a division never rounds. */
import { Fraction } from 'fraction.js';

export type Rational = Fraction;

const LITERAL = /^-?\d{1,15}(\.\d{1,20})?$/;

/**
 * Parses a decimal string or a whole number. @throws RangeError for other values, or more than 15 digits before the
 * point
 */
export function rational(value: string | number): Rational {
  const text = String(value);
  if (!LITERAL.test(text)) throw new RangeError(`"${text}" is not a plain decimal.`);
  return new Fraction(text);
}

/** Parses a decimal of any length that a calculation has produced. @throws RangeError if it is not a decimal */
export function formatExact(text: string): Rational {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new RangeError(`"${text}" is not a plain decimal.`);
  return new Fraction(text);
}

export const ZERO: Rational = new Fraction(0);
export const ONE: Rational = new Fraction(1);

/** The upper limit for money, hours and days. */
export const CEILING: Rational = new Fraction('1000000000000000');

export const total = (values: readonly Rational[]): Rational => values.reduce((sum, value) => sum.add(value), ZERO);
export const least = (one: Rational, other: Rational): Rational => (one.lte(other) ? one : other);
export const greatest = (one: Rational, other: Rational): Rational => (one.gte(other) ? one : other);

/** Rounds to this many decimals, a half away from zero. */
export function round(value: Rational, places: number): Rational {
  const scale = 10n ** BigInt(places);
  const units = (2n * value.n * scale + value.d) / (2n * value.d);
  return new Fraction(value.s * units, scale);
}

/** Formats with exactly this many decimals. The value must not have further decimals. */
export function formatFixed(value: Rational, places: number): string {
  const digits = ((value.n * 10n ** BigInt(places)) / value.d).toString().padStart(places + 1, '0');
  const sign = value.lt(ZERO) ? '-' : '';
  return places === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** Returns the number of decimals, or undefined for a repeating decimal. */
function decimalsOf({ d }: Rational): number | undefined {
  let [rest, twos, fives] = [d, 0, 0];
  for (; rest % 2n === 0n; rest /= 2n) twos += 1;
  for (; rest % 5n === 0n; rest /= 5n) fives += 1;
  return rest === 1n ? Math.max(twos, fives) : undefined;
}

/**
 * Formats a number so that a line of arithmetic reads the same value: a finite decimal as such, others as `(5 / 6)`.
 */
export function formatNumber(value: Rational): string {
  const places = decimalsOf(value);
  if (places !== undefined) return formatFixed(value, places);
  return `(${value.s * value.n} / ${value.d})`;
}
