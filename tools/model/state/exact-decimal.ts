/**
 * Exact decimals for the model alone. It must not share its arithmetic with the tested code, or both could be wrong in
 * the same way.
 */
import { Decimal } from 'decimal.js';

export const ExactDecimal = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP });
export type ExactDecimal = Decimal;

export const NOTHING = new ExactDecimal(0);
const CENT = new ExactDecimal('0.01');

/** A quotient such as a third has no end. A value this close to a half counts as a half. */
const trimZeros = (value: ExactDecimal): ExactDecimal => value.toDecimalPlaces(25);

/** Rounds to the cent, half away from zero. */
export const cents = (value: ExactDecimal): ExactDecimal => trimZeros(value).toDecimalPlaces(2);

export const total = (values: readonly ExactDecimal[]): ExactDecimal =>
  values.reduce((sum, value) => sum.plus(value), NOTHING);

/** Formats an amount for responses: `12.50`. */
export const money = (value: ExactDecimal): string => value.toFixed(2);

/** Formats a quantity for responses: `2.5`. */
export const toPlainText = (value: ExactDecimal): string => value.toFixed();

/** Formats a unit cost for responses, with two to six decimals. */
export function unitCost(value: ExactDecimal): string {
  const rounded = trimZeros(value).toDecimalPlaces(6);
  return rounded.toFixed(Math.max(2, rounded.decimalPlaces()));
}

/** Returns the value of a part of a whole, after earlier parts. The rounded parts add up to the whole. */
export const step = (value: ExactDecimal, whole: ExactDecimal, before: ExactDecimal, now: ExactDecimal): ExactDecimal =>
  cents(value.times(before.plus(now)).div(whole)).minus(cents(value.times(before).div(whole)));

/**
 * Divides cents by weights, rounded down. The remaining cents go to the largest remainders. Among equal remainders, the
 * first gets the cent.
 */
export function divide(amount: ExactDecimal, weights: readonly ExactDecimal[]): ExactDecimal[] {
  const whole = total(weights);
  const quotas = weights.map((weight) =>
    trimZeros((whole.isZero() ? amount.div(weights.length) : amount.times(weight).div(whole)).div(CENT)),
  );
  const shares = quotas.map((quota) => quota.floor());
  const order = [...quotas.keys()].toSorted((one, other) => {
    const [left, right] = [quotas[one]!.minus(shares[one]!), quotas[other]!.minus(shares[other]!)];
    return right.comparedTo(left) || one - other;
  });
  const missing = amount.div(CENT).minus(total(shares)).toNumber();
  const lucky = new Set(order.slice(0, missing));
  return shares.map((share, at) => share.plus(lucky.has(at) ? 1 : 0).times(CENT));
}
