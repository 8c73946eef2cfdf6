/** Users of a task or a bug: assignees and watchers. */
import { sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { Db } from '../../operations.ts';

/**
 * Checks that all users can work in the project, and locks their memberships.
 * @throws a 422 for `assignee_ids`
 */
export async function assertAssignable(db: Db, project_id: string, user_ids: readonly string[]): Promise<void> {
  const assignees = new Set(user_ids);
  if (assignees.size === 0) return;
  const found = await db.rows(sql`
    SELECT user_id FROM project_members
    WHERE project_id = ${project_id}::uuid AND role <> 'viewer' AND user_id = ANY(${[...assignees]}::uuid[]) FOR KEY SHARE`);
  if (found.length < assignees.size)
    throw invalid('assignee_ids', 'Only members of the project can be assigned, and not viewers.');
}

/** Replaces the assignees with exactly these users. Returns the new and the removed assignees. */
export async function assign(db: Db, item_id: string, user_ids: readonly string[]) {
  const before = await db.rows<{ user_id: string }>(sql`
    SELECT user_id FROM assignees WHERE item_id = ${item_id}::uuid`);
  const had = new Set(before.map(({ user_id }) => user_id));
  const assignees = new Set(user_ids);
  const gone = [...had].filter((id) => !assignees.has(id));
  const come = [...assignees].filter((id) => !had.has(id));
  if (gone.length > 0)
    await db.rows(sql`DELETE FROM assignees WHERE item_id = ${item_id}::uuid AND user_id = ANY(${gone}::uuid[])`);
  await addAssignees(db, item_id, come);
  return { come, gone };
}

/** Returns the current assignees. */
export async function assigneesOf(db: Db, item_id: string): Promise<string[]> {
  const rows = await db.rows<{ user_id: string }>(sql`
    SELECT user_id FROM assignees WHERE item_id = ${item_id}::uuid ORDER BY user_id`);
  return rows.map(({ user_id }) => user_id);
}

/** Adds users who are not yet assigned to an item. */
export async function addAssignees(db: Db, item_id: string, user_ids: readonly string[]): Promise<void> {
  if (user_ids.length === 0) return;
  await db.rows(sql`
    INSERT INTO assignees (item_id, user_id) SELECT ${item_id}::uuid, unnest(${user_ids}::uuid[]) ON CONFLICT DO NOTHING`);
}

/** Makes users watch a card, except users who have opted out. */
export async function addWatchers(db: Db, item_id: string, user_ids: readonly (string | null)[]): Promise<void> {
  const people = [...new Set(user_ids.filter((id) => id !== null))];
  if (people.length === 0) return;
  await db.rows(sql`
    INSERT INTO watchers (item_id, user_id)
    SELECT ${item_id}::uuid, id FROM users WHERE id = ANY(${people}::uuid[]) ON CONFLICT DO NOTHING`);
}

/** Returns the watchers. */
export async function watchersOf(db: Db, item_id: string): Promise<string[]> {
  const rows = await db.rows<{ user_id: string }>(sql`
    SELECT user_id FROM watchers WHERE item_id = ${item_id}::uuid AND watching`);
  return rows.map(({ user_id }) => user_id);
}
