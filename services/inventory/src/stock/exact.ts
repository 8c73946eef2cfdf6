import { Decimal as Library } from 'decimal.js';

/** Quantities and costs to compute with: exact for every product of what the tables hold, with room for quotients. */
export const Decimal = Library.clone({ precision: 60, rounding: Library.ROUND_HALF_UP });
export type Decimal = Library;

export const ZERO = new Decimal(0);

/** The sum of what is picked from each. */
export const sumOf = <T>(all: readonly T[], pick: (one: T) => Decimal): Decimal =>
  all.reduce((sum, one) => sum.plus(pick(one)), ZERO);
