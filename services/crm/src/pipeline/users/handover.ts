/** Reassignment of the records of a former user. */
import { type Sql, sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import type { RecordKind } from '../board/board.ts';
import type { ActivityType } from '../board/timeline.ts';
import { columnNamed, type Db, type Table, tableNamed } from '../../operations.ts';

/** Chooses a workspace owner as the successor, preferring an owner who can sign in. */
async function findSuccessor(db: Db, user_id: string): Promise<string> {
  const [owner] = await db.rows<{ id: string }>(sql`
    SELECT id FROM users WHERE kind = 'owner' AND status <> 'former' AND id <> ${user_id}::uuid
    ORDER BY status = 'active' DESC, id LIMIT 1`);
  if (!owner) throw new Error('No workspace owner is available to take over.');
  return owner.id;
}

/** Assigns the user's rows to the successor, who is looked up only if there are any. Returns the rows. */
async function reassignRows(db: Db, user_id: string, table: Table, column: Sql, which: Sql): Promise<{ id: string }[]> {
  const condition = sql`${column} = ${user_id}::uuid AND ${which}`;
  const some = await db.rows(sql`SELECT id FROM ${tableNamed(table)} WHERE ${condition} LIMIT 1`);
  if (some.length === 0) return [];
  const heir = await findSuccessor(db, user_id);
  return await db.rows(sql`UPDATE ${tableNamed(table)} SET ${column} = ${heir}::uuid WHERE ${condition} RETURNING id`);
}

/** Adds an entry to the timelines of several records. */
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

/** Removes the user from the shared records of a kind. */
async function leaveRecords(db: Db, kind: RecordKind, user_id: string): Promise<void> {
  const rows = await db.rows<{ id: string }>(sql`
    DELETE FROM ${tableNamed(`${kind}_users`)} WHERE user_id = ${user_id}::uuid RETURNING ${columnNamed(`${kind}_id`)} AS id`);
  await addActivities(db, kind, rows, 'user_removed', { user_id });
}

/**
 * Reassigns the leads, opportunities, open tasks and planned calls of a user to an owner of the workspace. Removes the
 * user from records that were shared with them. Deals keep their clients, because they document the customer of the
 * deal. Chosen: completed tasks and past calls keep their user, because they are history.
 * @throws an Error if there are records to reassign and no owner is known yet; the event is then retried
 */
export async function transferRecords(db: Db, user_id: string): Promise<void> {
  // Waits for concurrent transactions that assign work to the user: their foreign keys lock the row.
  await db.rows(sql`SELECT id FROM users WHERE id = ${user_id}::uuid FOR UPDATE`);
  const leads = await reassignRows(db, user_id, 'leads', sql`owner_id`, sql`TRUE`);
  await addActivities(db, 'lead', leads, 'updated', { fields: ['owner_id'] });
  await reassignRows(db, user_id, 'opportunities', sql`owner_id`, sql`TRUE`);
  await reassignRows(db, user_id, 'widgets', sql`owner_id`, sql`TRUE`);
  await reassignRows(db, user_id, 'tasks', sql`assignee_id`, sql`status = 'todo'`);
  await reassignRows(db, user_id, 'calls', sql`assignee_id`, sql`at > ${clock.now().toISOString()}::timestamptz`);
  await leaveRecords(db, 'lead', user_id);
  await leaveRecords(db, 'deal', user_id);
}
