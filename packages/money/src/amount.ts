import { minorUnits } from './currency.ts';
import { Decimal, readDecimal, readPositive, sumOf, toMinor, formatDecimal } from './decimal.ts';
import { AmountRefused } from './amount-refused.ts';

/**
 * The highest number of decimals in a compared or rounded amount: a quantity (6) times a price (4) times a rate (10).
 */
const ANY = 20;

/**
 * Rounds an amount to the currency's minor unit, half away from zero: `1.005` EUR is `1.01`, `-2.5` JPY is `-3`.
 * @throws AmountRefused (`amount`) if it is not a decimal string
 */
export const roundTo = (amount: string, currency: string): string =>
  formatDecimal(toMinor(readDecimal(amount, 'amount', ANY), currency), currency);

/**
 * Checks whether an amount has more decimals than its currency. Trailing zeros do not count.
 * @throws AmountRefused (`amount`) if it is not a decimal string
 */
export const isOverPrecise = (amount: string, currency: string): boolean =>
  readDecimal(amount, 'amount', ANY).decimalPlaces() > minorUnits(currency);

/**
 * Returns the sum of amounts of one currency; zero for an empty list.
 * @throws AmountRefused (`amounts.2`) if one of the amounts is not valid in that currency
 */
export function sum(amounts: readonly string[], currency: string): string {
  const values = amounts.map((amount, at) => readDecimal(amount, `amounts.${at}`, minorUnits(currency)));
  return formatDecimal(sumOf(values), currency);
}

/**
 * Subtracts from an amount. The result can be negative.
 * @throws AmountRefused (`amount`, `taken`) if one of the amounts is not valid in that currency
 */
export function subtract(amount: string, taken: string, currency: string): string {
  const whole = readDecimal(amount, 'amount', minorUnits(currency));
  return formatDecimal(whole.minus(readDecimal(taken, 'taken', minorUnits(currency))), currency);
}

/**
 * Compares two decimals by value, for sorting: `compare('1.5', '1.50')` is 0.
 * @throws AmountRefused (`left`, `right`) if one is not a decimal string
 */
export const compare = (left: string, right: string): -1 | 0 | 1 =>
  readDecimal(left, 'left', ANY).comparedTo(readDecimal(right, 'right', ANY)) as -1 | 0 | 1;

/**
 * Returns a decimal string with at least this many decimals, and without further zeros at the end: `5.1000` with two
 * decimals is `5.10`.
 */
export function formatWithDecimals(decimal: string, least: number): string {
  const [whole = '', decimals = ''] = decimal.split('.');
  let length = decimals.length;
  // A regular expression such as `/0+$/` takes quadratic time.
  while (length > least && decimals[length - 1] === '0') length -= 1;
  const shown = decimals.slice(0, length).padEnd(least, '0');
  return shown ? `${whole}.${shown}` : whole;
}

/** Checks whether an amount is zero. @throws AmountRefused (`amount`) if it is not a decimal string */
export const isZero = (amount: string): boolean => readDecimal(amount, 'amount', ANY).isZero();

const HOUR_S = 3_600;

function readSeconds(seconds: number): Decimal {
  if (!Number.isSafeInteger(seconds) || seconds < 0) throw new AmountRefused('seconds', 'Write whole seconds.');
  return new Decimal(seconds);
}

/**
 * Returns the price of worked time: seconds ÷ 3600 × the hourly rate, rounded once, half up to the minor unit.
 * @param rate at most four decimals
 * @throws AmountRefused (`seconds`, `rate`)
 */
export function priceOfTime(seconds: number, rate: string, currency: string): string {
  const exact = readSeconds(seconds)
    .times(readPositive(rate, 'rate', 4))
    .div(HOUR_S);
  return formatDecimal(toMinor(exact, currency), currency);
}

/** Returns worked time as hours, to six decimals, half up. @throws AmountRefused (`seconds`) */
export const hoursOf = (seconds: number): string => readSeconds(seconds).div(HOUR_S).toDecimalPlaces(6).toFixed();
