/** Handing over the work of a user who has left for good. */
import { clock, type Sql, sql } from '@suite/chassis';
import type { RecordKind } from '../board/board.ts';
import type { ActivityType } from '../board/timeline.ts';
import type { Db } from '../operations.ts';
import { columnNamed, type Table, tableNamed } from '../tables.ts';

/** Chooses an owner of the workspace who takes over; one who can sign in comes first. */
async function heirOf(db: Db, user_id: string): Promise<string> {
  const [owner] = await db.rows<{ id: string }>(sql`
    SELECT id FROM users WHERE kind = 'owner' AND status <> 'former' AND id <> ${user_id}::uuid
    ORDER BY status = 'active' DESC, id LIMIT 1`);
  if (!owner) throw new Error('No owner of the workspace is known who could take over.');
  return owner.id;
}

/** Gives the rows that name them to the heir, who is only looked for when there are any. Returns the rows. */
async function passOn(db: Db, user_id: string, table: Table, column: Sql, which: Sql): Promise<{ id: string }[]> {
  const theirs = sql`${column} = ${user_id}::uuid AND ${which}`;
  const some = await db.rows(sql`SELECT id FROM ${tableNamed(table)} WHERE ${theirs} LIMIT 1`);
  if (some.length === 0) return [];
  const heir = await heirOf(db, user_id);
  return await db.rows(sql`UPDATE ${tableNamed(table)} SET ${column} = ${heir}::uuid WHERE ${theirs} RETURNING id`);
}

/** Writes one line into the timelines of several records. */
async function addActivities(
  db: Db,
  kind: RecordKind,
  rows: { id: string }[],
  type: ActivityType,
  payload: object,
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  await db.rows(sql`
    INSERT INTO activities (id, ${columnNamed(`${kind}_id`)}, type, payload)
    SELECT suite_uuid7(), id, ${type}, ${JSON.stringify(payload)}::jsonb FROM unnest(${ids}::uuid[]) AS id`);
}

/** Takes them off the records of a kind that were shared with them. */
async function leave(db: Db, kind: RecordKind, user_id: string): Promise<void> {
  const rows = await db.rows<{ id: string }>(sql`
    DELETE FROM ${tableNamed(`${kind}_users`)} WHERE user_id = ${user_id}::uuid RETURNING ${columnNamed(`${kind}_id`)} AS id`);
  await addActivities(db, kind, rows, 'user_removed', { user_id });
}

/**
 * Hands somebody's leads, opportunities, open tasks and planned calls to an owner of the workspace, and takes them off what was shared
 * with them. Deals keep their clients: they say with whom the deal was made.
 * Chosen: tasks that are done and calls that were made keep who did it; they are history.
 * @throws an Error when there is something to hand over and no owner is known yet; the event is then tried again
 */
export async function handOver(db: Db, user_id: string): Promise<void> {
  // Waits for transactions that assign work to the user at this moment: their foreign keys lock the row.
  await db.rows(sql`SELECT id FROM users WHERE id = ${user_id}::uuid FOR UPDATE`);
  const leads = await passOn(db, user_id, 'leads', sql`owner_id`, sql`TRUE`);
  await addActivities(db, 'lead', leads, 'updated', { fields: ['owner_id'] });
  await passOn(db, user_id, 'opportunities', sql`owner_id`, sql`TRUE`);
  await passOn(db, user_id, 'widgets', sql`owner_id`, sql`TRUE`);
  await passOn(db, user_id, 'tasks', sql`assignee_id`, sql`status = 'todo'`);
  await passOn(db, user_id, 'calls', sql`assignee_id`, sql`at > ${clock.now().toISOString()}::timestamptz`);
  await leave(db, 'lead', user_id);
  await leave(db, 'deal', user_id);
}
