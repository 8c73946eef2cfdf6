import { Decimal as Library } from 'decimal.js';
import { minorUnits } from './currency.ts';
import { AmountRefused } from './amount-refused.ts';

/**
 * Decimals with 64 digits. Exact for every product of a quantity (18 digits), a price (19) and a few rates, with room
 * for quotients. The library's default of 20 digits would round a large amount too early. Half up means away from zero.
 */
export const Decimal = Library.clone({ precision: 64, rounding: Library.ROUND_HALF_UP });
export type Decimal = Library;

export const ZERO = new Decimal(0);
export const ONE = new Decimal(1);

/** Exclusive upper limit of NUMERIC(19,4) amounts. */
export const CEILING = new Decimal('1e15');

/** Nine digits more than an amount of a document has: sums over all documents of a workspace exceed `CEILING`. */
const LITERAL = /^-?\d{1,24}(\.\d{1,40})?$/;

/**
 * A decimal string as a number to compute with.
 * Zeros behind do not count as decimals, since a NUMERIC(19,4) column writes `53.9700`.
 * @throws AmountRefused if the text is not a plain decimal of at most 24 digits before the point and `decimals` behind it
 */
export function readDecimal(text: string, field: string, decimals: number): Decimal {
  if (!LITERAL.test(text)) throw new AmountRefused(field, 'Write a decimal string such as "1250.00".');
  const value = new Decimal(text);
  if (value.decimalPlaces() > decimals) throw new AmountRefused(field, precisionError(decimals));
  return value;
}

const precisionError = (decimals: number): string =>
  decimals === 0 ? 'This has no decimals.' : `This has at most ${decimals} decimals.`;

/** Parses a decimal string that must not be negative. */
export function readPositive(text: string, field: string, decimals: number): Decimal {
  const value = readDecimal(text, field, decimals);
  if (value.lt(0)) throw new AmountRefused(field, 'This must not be negative.');
  return value;
}

/**
 * Removes the noise of a non-terminating division. Thirds of a cent add up to 0.00999…, and a value just below a half
 * would be rounded down. Thirty decimals are enough to distinguish real halves.
 */
export const limitDecimals = (value: Decimal): Decimal =>
  value.decimalPlaces() > 30 ? value.toDecimalPlaces(30) : value;

/** Rounds to the currency's minor unit, half away from zero. */
export function toMinor(value: Decimal, currency: string): Decimal {
  const decimals = minorUnits(currency);
  return value.decimalPlaces() > decimals ? limitDecimals(value).toDecimalPlaces(decimals) : value;
}

/** Formats an amount with exactly the currency's decimals. */
export const formatDecimal = (value: Decimal, currency: string): string => value.toFixed(minorUnits(currency));

export const sumOf = (values: readonly Decimal[]): Decimal => values.reduce((sum, value) => sum.plus(value), ZERO);
