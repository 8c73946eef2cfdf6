/**
 * The order of cards in a column. A card has a rank, not a position. Dragging a card changes only that card, not the
 * version, audit trail and `updated_at` of all cards below it. A column shows positions: from 0, without gaps.
 */
import { raw, type Sql } from '@prisma/client/runtime/client';
import { sql } from '../database/sql.ts';

export { rankAfter } from './rank.rules.ts';
export { rankBelow } from './stored-column.ts';

/** Number of cards of a column that have a position. Users do not drag through more. */
export const POSITIONS = 1_000;

/**
 * Returns the position of a row of `cards` in its stage, from 0, among the rows that the caller sees. Null after the
 * first `POSITIONS`. The first rows are read in order from an index and then compared: row-level security keeps an
 * index from comparing ranks, so that all cards of a stage would be read.
 * @param cards table of the outer statement, with `workspace_id`, `stage_id`, `rank` and `id`
 * @param shown condition for the rows that a column shows
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
