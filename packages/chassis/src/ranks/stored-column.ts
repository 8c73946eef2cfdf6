/** The cards of a column in the database. */
import { raw, type Sql } from '@prisma/client/runtime/client';
import type { RowReader } from '../database/database.ts';
import { setLocally } from '../database/running.ts';
import { sql } from '../database/sql.ts';
import { type ColumnCards, rankBelowIn } from './place.ts';
import type { RankedCard } from './rank.rules.ts';

/** A column of cards. Callers must lock it against other moves into it. */
export interface RankedColumn {
  db: RowReader;
  /** The table of the cards, with `id` and `rank`. */
  cards: Sql;
  /** The condition for the cards of the column, without the card that moves. */
  others: Sql;
}

const placeOf = (cards: Sql, id: string): Sql =>
  sql`(SELECT rank, id FROM ${cards} AS middle WHERE middle.id = ${id}::uuid)`;

async function adjacentCards({ db, cards, others }: RankedColumn, id: string, most: number) {
  const limit = raw(Number.isFinite(most) ? `LIMIT ${most + 1}` : '');
  const rows = await db.rows<RankedCard & { is_above: boolean }>(sql`
    (SELECT id, rank, TRUE AS is_above FROM ${cards} WHERE ${others} AND (rank, id) <= ${placeOf(cards, id)}
      ORDER BY rank DESC, id DESC ${limit})
    UNION ALL
    (SELECT id, rank, FALSE FROM ${cards} WHERE ${others} AND (rank, id) > ${placeOf(cards, id)} ORDER BY rank, id ${limit})`);
  const above = rows.filter(({ is_above }) => is_above).toReversed();
  const below = rows.filter(({ is_above }) => !is_above);
  return { cards: [...above, ...below], begins: above.length <= most, ends: below.length <= most };
}

/** Stores ranks. The versions of the cards stay the same because nothing that users see has changed. */
async function storeRank({ db, cards }: RankedColumn, moved: readonly RankedCard[]): Promise<void> {
  const [ids, ranks] = [moved.map(({ id }) => id), moved.map(({ rank }) => rank)];
  await setLocally({ reorders: 'on' });
  await db.rows(sql`
    UPDATE ${cards} SET rank = moved.rank FROM unnest(${ids}::uuid[], ${ranks}::numeric[]) AS moved (id, rank)
    WHERE ${cards}.id = moved.id`);
  await setLocally({ reorders: 'off' });
}

const storedCards = (column: RankedColumn): ColumnCards => ({
  async rankOf(id) {
    const [card] = await column.db.rows<{ rank: string }>(sql`SELECT rank FROM ${column.cards} WHERE id = ${id}::uuid`);
    return card!.rank;
  },
  async below(id) {
    const { db, cards, others } = column;
    const [card] = await db.rows<RankedCard>(sql`
      SELECT id, rank FROM ${cards} WHERE ${others} AND (rank, id) > ${placeOf(cards, id)} ORDER BY rank, id LIMIT 1`);
    return card;
  },
  around: (id, most) => adjacentCards(column, id, most),
  write: (moved) => storeRank(column, moved),
});

/**
 * Returns the rank directly below a card of a column. Spreads the cards around it if necessary, in the same transaction.
 * @param above the ID of the card
 * @param last makes the rank below the last card
 */
export const rankBelow = (
  column: RankedColumn,
  above: string,
  last: (rank: string) => string | Promise<string>,
): Promise<string> => rankBelowIn(storedCards(column), above, last);
