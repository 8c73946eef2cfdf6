/**
 * The order of cards in a column. A card has a rank, not a position: dragging a card changes that card alone, and not the
 * version, the audit trail and the `updated_at` of every card below it. Positions, from 0 and without gaps, are what a column shows.
 */
import { raw, type Sql, sql } from '@suite/chassis';
import { Decimal } from 'decimal.js';

/** Numbers in which the middle of these ranks is exact: it has one digit more than they have. */
const exactFor = (...ranks: readonly string[]) =>
  Decimal.clone({ precision: ranks.reduce((sum, { length }) => sum + length, 20), toExpPos: 1e6, toExpNeg: -1e6 });

/** Returns the shortest decimal strictly between two ranks, so that ranks stay short after many drags. */
export function between(before: string, after: string): string {
  const Exact = exactFor(before, after);
  const gap = new Exact(after).minus(before);
  if (gap.lte(0)) throw new Error('The first rank is not before the second one.');
  const middle = new Exact(before).plus(gap.dividedBy(2));
  // No decimal with fewer places lies in so small a gap, so that at most three numbers are tried.
  for (let places = Math.max(0, -gap.e - 1); ; places += 1) {
    const rank = middle.toDecimalPlaces(places);
    if (rank.gt(before) && rank.lt(after)) return rank.toFixed();
  }
}

/** A rank behind another one, when there is none behind it. */
export const behind = (before: string): string => new (exactFor(before))(before).floor().plus(1).toFixed();

/** So many cards of a column have a position: nobody drags through more. */
export const POSITIONS = 1_000;

/**
 * The position of a row of `cards` in its stage, from 0, among those that the caller sees; null behind the first `POSITIONS`. These are
 * read in their order from an index, and compared then: row-level security keeps an index from comparing ranks, so that all cards
 * of a stage would be read.
 * @param cards their table, in whose statements it is computed, with `workspace_id`, `stage_id`, `rank` and `id`
 * @param shown the condition for those that a column shows
 */
export const positionIn = (cards: Sql, shown: Sql = sql`TRUE`): Sql => {
  const most = raw(String(POSITIONS));
  return sql`
    SELECT nullif(count(*), ${most})::int FROM (
      SELECT rank, id FROM (SELECT workspace_id, stage_id, rank, id FROM ${cards} WHERE ${shown}) AS other
      WHERE other.workspace_id = ${cards}.workspace_id AND other.stage_id = ${cards}.stage_id
      ORDER BY rank, id LIMIT ${most}) AS first
    WHERE (first.rank, first.id) < (${cards}.rank, ${cards}.id)`;
};
