/** Rank arithmetic. */
import { Decimal } from 'decimal.js';

/** Returns a decimal type with one digit more than these ranks, so that their middle is exact. */
const exactFor = (...ranks: readonly string[]) =>
  Decimal.clone({ precision: ranks.reduce((sum, { length }) => sum + length, 20), toExpPos: 1e6, toExpNeg: -1e6 });

/** Returns the shortest decimal strictly between two ranks, so that ranks stay short after many drags. */
export function rankBetween(before: string, after: string): string {
  const Exact = exactFor(before, after);
  const gap = new Exact(after).minus(before);
  if (gap.lte(0)) throw new Error('The first rank is not below the second one.');
  const middle = new Exact(before).plus(gap.dividedBy(2));
  // No decimal with fewer places fits in this gap, so at most three numbers are tried.
  for (let places = Math.max(0, -gap.e - 1); ; places += 1) {
    const rank = middle.toDecimalPlaces(places);
    if (rank.gt(before) && rank.lt(after)) return rank.toFixed();
  }
}

/** A card with its rank. */
export interface RankedCard {
  id: string;
  rank: string;
}

/**
 * Returns the ranks between which cards are spread. The ends of a column may move outwards to the next whole number.
 */
function endsOf(cards: readonly RankedCard[], { begins, ends }: { begins: boolean; ends: boolean }) {
  const [first, last] = [cards[0]!.rank, cards.at(-1)!.rank];
  const Exact = exactFor(first, last);
  const low = begins ? new Exact(first).floor() : new Exact(first);
  const high = ends ? new Exact(last).ceil() : new Exact(last);
  // All cards of the column have one rank. New cards get whole numbers, so none gets a rank this close.
  return { low, high: begins && ends && low.gte(high) ? low.plus('0.5') : high };
}

/**
 * Spreads cards evenly between the first and the last card.
 * @param column whether the column begins with the first card and ends with the last one. The other ends stay unchanged
 * @param places maximum number of digits after the decimal point in the new ranks
 * @returns the cards with new ranks. Undefined if the ranks have no room
 */
export function spreadRanks(
  cards: readonly RankedCard[],
  column: { begins: boolean; ends: boolean },
  places: number,
): RankedCard[] | undefined {
  const { low, high } = endsOf(cards, column);
  if (low.gte(high) || low.decimalPlaces() > places || high.decimalPlaces() > places) return undefined;
  const step = high.minus(low).dividedBy(Math.max(1, cards.length - 1));
  const digits = Math.max(0, 1 - step.e);
  if (digits > places) return undefined;
  const rankAt = (at: number) => (at === cards.length - 1 ? high : low.plus(step.times(at)).toDecimalPlaces(digits));
  return cards
    .map(({ id, rank }, at) => ({ id, rank: rankAt(at).toFixed(), before: rank }))
    .filter(({ rank, before }) => !new Decimal(before).eq(rank))
    .map(({ id, rank }) => ({ id, rank }));
}

/** Returns a rank after the last one. */
export const rankAfter = (before: string): string => new (exactFor(before))(before).floor().plus(1).toFixed();
