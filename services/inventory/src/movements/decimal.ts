import { invalid } from '@suite/chassis/faults';
import { roundTo } from '@suite/money';
import { Decimal as Library } from 'decimal.js';

/** Decimals for quantities and costs: exact for products of any two stored values, with extra digits for quotients. */
export const Decimal = Library.clone({ precision: 60, rounding: Library.ROUND_HALF_UP });
export type Decimal = Library;

export const ZERO = new Decimal(0);

/** Returns the sum of a value picked from each element. */
export const sumOf = <T>(all: readonly T[], pick: (one: T) => Decimal): Decimal =>
  all.reduce((sum, one) => sum.plus(pick(one)), ZERO);

/** Exclusive upper limit of NUMERIC(19,4) amounts. */
const CEILING = new Decimal('1e15');

/** Rounds a stock value to whole minor units. @throws a 422 fault if the amount is too large to store */
export function worthOf(amount: Decimal, currency: string): Decimal {
  if (amount.abs().gte(CEILING)) throw invalid('qty', 'The resulting amount is too large. Enter a smaller value.');
  return new Decimal(roundTo(amount.toFixed(20), currency));
}
