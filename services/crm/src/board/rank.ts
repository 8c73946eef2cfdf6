/**
 * The order of cards in a column. A card has a rank, not a position: whoever drags a card changes that card alone, and not
 * the version, the audit trail and the `updated_at` of every card below it. Positions, from 0 and without gaps, are what
 * a column shows.
 */
import { asSeen, sql } from '@suite/chassis';
import { Decimal } from 'decimal.js';
import type { Db } from '../operations.ts';
import { type Board, namesOf } from './board.ts';
import { tableNamed } from '../tables.ts';

const ExactDecimal = Decimal.clone({ precision: 5_000 });

/** The shortest decimal that lies strictly between two ranks, so that ranks stay short however often people drag. */
export function between(before: string, after: string): string {
  const middle = new ExactDecimal(before).plus(after).dividedBy(2);
  for (let places = 0; ; places += 1) {
    const rank = middle.toDecimalPlaces(places);
    if (rank.gt(before) && rank.lt(after)) return rank.toFixed();
  }
}

/**
 * The rank of a card that is put at a position of a column, counted over the cards that the caller sees there.
 * The column's stage must be locked.
 */
export async function rankAt(
  db: Db,
  board: Board,
  { stage_id, card_id, position }: { stage_id: string; card_id: string; position: number },
): Promise<string> {
  const cards = tableNamed(namesOf(board).cards);
  const others = sql`${cards}.stage_id = ${stage_id}::uuid AND ${cards}.id <> ${card_id}::uuid AND ${board.onShow}`;
  const [above] = await asSeen(() =>
    db.rows<{ rank: string }>(sql`
      SELECT max(rank) AS rank FROM (
        SELECT rank FROM ${cards} WHERE ${others} ORDER BY rank, id LIMIT ${position}
      ) AS visible_above`),
  );
  if (!above?.rank) return await topRank(db);
  const [below] = await db.rows<{ rank: string }>(sql`
    SELECT rank FROM ${cards} WHERE ${others} AND rank > ${above.rank}::numeric ORDER BY rank LIMIT 1`);
  return below ? between(above.rank, below.rank) : new ExactDecimal(above.rank).floor().plus(1).toFixed();
}

/** A rank above all others: what new cards get by themselves. */
export async function topRank(db: Db): Promise<string> {
  const [top] = await db.rows<{ rank: string }>(sql`SELECT (- nextval('board_rank'))::numeric AS rank`);
  return (top as { rank: string }).rank;
}
