/**
 * The order of cards in a column. A card has a rank, not a position: dragging a card changes that card alone, and not the
 * version, the audit trail and the `updated_at` of every card below it. Positions, from 0 and without gaps, are what a column shows.
 */
import { raw, type Sql, sql } from '@suite/chassis';

export { behind } from './rank.rules.ts';
export { rankBelow } from './stored-column.ts';

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
