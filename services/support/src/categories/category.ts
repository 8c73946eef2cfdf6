/** Deletes categories: what is sorted under one goes to another, or keeps it. */
import { InUse, invalid, remove, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';

/** @throws InUse with how much is sorted under it, unless `move_to` takes that over */
export async function removeCategory(db: Db, id: string, move_to: string | undefined): Promise<{ id: string }> {
  if (move_to === id) throw invalid('move_to', 'Choose another category.');
  if (move_to) {
    await db.rows(sql`UPDATE tickets SET category_id = ${move_to}::uuid WHERE category_id = ${id}::uuid`);
    await db.rows(sql`UPDATE canned_replies SET category_id = ${move_to}::uuid WHERE category_id = ${id}::uuid`);
    return await remove(db.category, id);
  }
  const tickets = await db.ticket.count({ where: { category_id: id } });
  const canned_replies = await db.cannedReply.count({ where: { category_id: id } });
  if (tickets + canned_replies > 0) throw InUse({ tickets, canned_replies });
  return await remove(db.category, id);
}
