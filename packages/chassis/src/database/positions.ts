/** Positions of rows that people put in order: 0, 1, 2 … without gaps. */
import type { Sql } from '@prisma/client/runtime/client';
import type { Rows } from './database.ts';
import { sql } from './sql.ts';

/** The ids with `id` at a position, or last when there is no such position. */
export const withPlace = (ids: readonly string[], id: string, position: number | undefined): string[] =>
  ids.filter((other) => other !== id).toSpliced(position ?? ids.length, 0, id);

/** Numbers rows from 0 in the order of the ids, in one statement; only rows that move are changed. */
export async function putInOrder(
  db: Rows,
  table: Sql,
  ids: readonly string[],
  position: Sql = sql`position`,
): Promise<void> {
  await db.rows(sql`
    UPDATE ${table} AS target SET ${position} = place.number - 1
    FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS place (id, number)
    WHERE target.id = place.id AND target.${position} <> place.number - 1`);
}
