/** Ranks of cards in a stage. */
import { asCaller, sql } from '@suite/chassis/database';
import { rankAfter, rankBelow } from '@suite/chassis/ranks';
import { type Db, tableNamed } from '../../operations.ts';
import { type Board, namesOf } from './board.ts';

/**
 * Returns the rank for a position in a column, counted over the cards visible to the caller. The stage must be locked.
 */
export async function rankAt(
  db: Db,
  board: Board,
  { stage_id, card_id, position }: { stage_id: string; card_id: string; position: number },
): Promise<string> {
  const cards = tableNamed(namesOf(board).cards);
  const others = sql`${cards}.stage_id = ${stage_id}::uuid AND ${cards}.id <> ${card_id}::uuid AND ${board.onShow}`;
  const [above] = await asCaller(() =>
    db.rows<{ id: string }>(sql`
      SELECT id FROM (
        SELECT rank, id FROM ${cards} WHERE ${others} ORDER BY rank, id LIMIT ${position}
      ) AS visible_above ORDER BY rank DESC, id DESC LIMIT 1`),
  );
  return above ? await rankBelow({ db, cards, others }, above.id, rankAfter) : await topRank(db);
}

/** Returns a rank above all others, the default for new cards. */
export async function topRank(db: Db): Promise<string> {
  const [top] = await db.rows<{ rank: string }>(sql`SELECT (- nextval('board_rank'))::numeric AS rank`);
  return (top as { rank: string }).rank;
}
