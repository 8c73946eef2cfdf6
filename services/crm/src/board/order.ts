import { type Sql, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';

/**
 * Waits until nobody else orders the same things, and keeps others waiting until the transaction ends.
 * @param of what is ordered: `pipelines`, or the id of the pipeline whose stages are
 */
export async function serializeOn(db: Db, of: string): Promise<void> {
  await db.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(current_setting('suite.workspace_id') || ${of}, 0))`);
}

/** The ids with `id` at `position`, or last when there is no such position. */
export const withPlace = (ids: readonly string[], id: string, position: number | undefined): string[] =>
  ids.filter((other) => other !== id).toSpliced(position ?? ids.length, 0, id);

/** Numbers rows from 0 in the order of the ids, in one statement; only rows that move are changed. */
export async function putInOrder(db: Db, table: Sql, ids: readonly string[]): Promise<void> {
  await db.rows(sql`
    UPDATE ${table} AS target SET position = place.number - 1
    FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS place (id, number)
    WHERE target.id = place.id AND target.position <> place.number - 1`);
}
