/** Positions of rows that users arrange: 0, 1, 2 … without gaps. */
import type { Sql } from '@prisma/client/runtime/client';
import type { RowReader } from '../database/database.ts';
import { sql } from '../database/sql.ts';

/** Returns the IDs with `id` at a position, or at the end if the position does not exist. */
export const moveToPosition = (ids: readonly string[], id: string, position: number | undefined): string[] =>
  ids.filter((other) => other !== id).toSpliced(position ?? ids.length, 0, id);

/** Numbers rows from 0 in the order of the IDs, in one statement. Changes only rows that move. */
export async function storePositions(
  db: RowReader,
  table: Sql,
  ids: readonly string[],
  position: Sql = sql`position`,
): Promise<void> {
  await db.rows(sql`
    UPDATE ${table} AS target SET ${position} = place.number - 1
    FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS place (id, number)
    WHERE target.id = place.id AND target.${position} <> place.number - 1`);
}
