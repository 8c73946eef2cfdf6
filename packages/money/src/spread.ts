import { minorUnits } from './currency.ts';
import { Decimal, ONE, readDecimal, readPositive, limitDecimals, sumOf, formatDecimal, ZERO } from './decimal.ts';
import { AmountRefused } from './amount-refused.ts';

/**
 * Divides an amount in proportion to weights by largest remainder. Each share is rounded down. The remaining units go
 * to the shares with the largest loss, and for equal losses to the lower position. The shares always add up to the
 * amount. Weights that are all zero get equal shares. A negative amount is spread as its opposite.
 * @param weights not negative, at most 20 decimals
 * @throws AmountRefused (`total`, `weights.1`), even if there is something to spread and no weight
 */
export function spread(total: string, weights: readonly string[], currency: string): string[] {
  const amount = readDecimal(total, 'total', minorUnits(currency));
  if (weights.length === 0 && !amount.isZero()) throw new AmountRefused('weights', 'There is nothing to spread over.');
  const parts = weights.map((weight, at) => readPositive(weight, `weights.${at}`, 20));
  const shares = apportion(amount.abs(), parts, currency);
  return shares.map((share) => formatDecimal(amount.lt(0) ? share.negated() : share, currency));
}

/**
 * Distributes a non-negative amount, with numbers instead of texts.
 * @param rooms the highest share of each position. An amount that exceeds all of them is not distributed.
 */
export function apportion(
  amount: Decimal,
  weights: readonly Decimal[],
  currency: string,
  rooms?: readonly Decimal[],
): Decimal[] {
  // Shortcut, because few documents have their own discount.
  if (amount.isZero()) return weights.map(() => ZERO);
  const units = new Decimal(10).pow(minorUnits(currency));
  const whole = sumOf(weights);
  const quotas = whole.isZero()
    ? weights.map(() => amount.div(weights.length))
    : weights.map((weight) => amount.times(weight).div(whole));
  const inUnits = quotas.map((quota) => limitDecimals(quota.times(units)));
  const limits = rooms?.map((room) => room.times(units));
  const shares = inUnits.map((quota, at) => Decimal.min(quota.floor(), limits?.[at] ?? quota));
  distributeUnits(amount.times(units).minus(sumOf(shares)), byRemainder(inUnits), shares, limits);
  return shares.map((share) => share.div(units));
}

/** Returns the positions, largest rounding loss first. Equal positions keep their order. */
const byRemainder = (quotas: readonly Decimal[]): number[] => {
  const remainders = quotas.map((quota) => quota.minus(quota.floor()));
  return [...remainders.keys()].toSorted((a, b) => remainders[b]!.comparedTo(remainders[a]!));
};

/** Gives one unit to each position with room, in rotation, until no unit or no room remains. */
function distributeUnits(
  units: Decimal,
  order: readonly number[],
  shares: Decimal[],
  limits?: readonly Decimal[],
): void {
  let left = units;
  let given = ONE;
  while (left.gt(0) && given.gt(0)) {
    given = ZERO;
    for (const at of order) {
      if (left.isZero() || (limits && shares[at]!.gte(limits[at]!))) continue;
      shares[at] = shares[at]!.plus(1);
      left = left.minus(1);
      given = given.plus(1);
    }
  }
}
