import { asSeen, InUse, NotFound, raw, remove, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';

/**
 * Deletes a label or a source that is on no lead and on no deal. It is held first, so that nobody puts it on one meanwhile.
 * Chosen: one that is in use stays, since taking it off everything at once cannot be undone.
 * @throws NotFound, InUse
 */
export async function removeUnused(db: Db, noun: 'label' | 'source', id: string): Promise<{ id: string }> {
  const [held] = await db.rows(sql`SELECT id FROM ${raw(`${noun}s`)} WHERE id = ${id}::uuid FOR UPDATE`);
  if (!held) throw NotFound();
  const uses = (kind: string) =>
    sql`(SELECT count(*)::int FROM ${raw(`${kind}_${noun}s`)} WHERE ${raw(`${noun}_id`)} = ${id}::uuid)`;
  const count = () =>
    db.rows<{ leads: number; deals: number }>(sql`SELECT ${uses('lead')} AS leads, ${uses('deal')} AS deals`);
  const [used] = await count();
  // It counts what the caller sees: a count must not tell of others.
  if (used && used.leads + used.deals > 0) throw InUse((await asSeen(count))[0]);
  return await remove(noun === 'label' ? db.label : (db.source as never), id);
}
