/**
 * The order of cards in a column. A card has a rank, not a position: dragging a card changes that card alone, and not the
 * version, the audit trail and the `updated_at` of every card below it. Positions, from 0 and without gaps, are what a column shows.
 */
import { Decimal } from 'decimal.js';

const ExactDecimal = Decimal.clone({ precision: 5_000 });

/** The shortest decimal that lies strictly between two ranks, so that ranks stay short however often people drag. */
export function between(before: string, after: string): string {
  const middle = new ExactDecimal(before).plus(after).dividedBy(2);
  for (let places = 0; ; places += 1) {
    const rank = middle.toDecimalPlaces(places);
    if (rank.gt(before) && rank.lt(after)) return rank.toFixed();
  }
}

/** A rank behind another one, when there is none behind it. */
export const behind = (before: string): string => new ExactDecimal(before).floor().plus(1).toFixed();
