/** People on a task or a bug: those who work on it, and those who watch it. */
import { invalid, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';

/**
 * Makes sure that all of them can work in the project, and that they stay members meanwhile.
 * @throws a 422 for `assignee_ids`
 */
export async function assertAssignable(db: Db, project_id: string, user_ids: readonly string[]): Promise<void> {
  const wanted = new Set(user_ids);
  if (wanted.size === 0) return;
  const found = await db.rows(sql`
    SELECT user_id FROM project_members
    WHERE project_id = ${project_id}::uuid AND role <> 'viewer' AND user_id = ANY(${[...wanted]}::uuid[]) FOR KEY SHARE`);
  if (found.length < wanted.size)
    throw invalid('assignee_ids', 'Only members of the project can be assigned, and not viewers.');
}

/** Makes these people, and nobody else, the assignees. Returns who is new among them, and who is no longer one. */
export async function assign(db: Db, item_id: string, user_ids: readonly string[]) {
  const before = await db.rows<{ user_id: string }>(sql`
    SELECT user_id FROM assignees WHERE item_id = ${item_id}::uuid`);
  const had = new Set(before.map(({ user_id }) => user_id));
  const wanted = new Set(user_ids);
  const gone = [...had].filter((id) => !wanted.has(id));
  const come = [...wanted].filter((id) => !had.has(id));
  if (gone.length > 0)
    await db.rows(sql`DELETE FROM assignees WHERE item_id = ${item_id}::uuid AND user_id = ANY(${gone}::uuid[])`);
  await addAssignees(db, item_id, come);
  return { come, gone };
}

/** The assignees as they are. */
export async function assigneesOf(db: Db, item_id: string): Promise<string[]> {
  const rows = await db.rows<{ user_id: string }>(sql`
    SELECT user_id FROM assignees WHERE item_id = ${item_id}::uuid ORDER BY user_id`);
  return rows.map(({ user_id }) => user_id);
}

/** Puts people on it who are not on it yet. */
export async function addAssignees(db: Db, item_id: string, user_ids: readonly string[]): Promise<void> {
  if (user_ids.length === 0) return;
  await db.rows(sql`
    INSERT INTO assignees (item_id, user_id) SELECT ${item_id}::uuid, unnest(${user_ids}::uuid[]) ON CONFLICT DO NOTHING`);
}

/** Lets people watch it, but for those who have said that they do not want to. */
export async function addWatchers(db: Db, item_id: string, user_ids: readonly (string | null)[]): Promise<void> {
  const people = [...new Set(user_ids.filter((id) => id !== null))];
  if (people.length === 0) return;
  await db.rows(sql`
    INSERT INTO watchers (item_id, user_id)
    SELECT ${item_id}::uuid, id FROM users WHERE id = ANY(${people}::uuid[]) ON CONFLICT DO NOTHING`);
}

/** Those who watch it. */
export async function watchersOf(db: Db, item_id: string): Promise<string[]> {
  const rows = await db.rows<{ user_id: string }>(sql`
    SELECT user_id FROM watchers WHERE item_id = ${item_id}::uuid AND watching`);
  return rows.map(({ user_id }) => user_id);
}
