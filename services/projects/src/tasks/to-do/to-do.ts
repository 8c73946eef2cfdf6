/** Tasks for external to-do lists of users. Platform synchronises both sides. */
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import type { ToDoLine, ToDoMark, ToDoTask } from '@suite/proto/projects/v1/projects';
import type { Db } from '../../operations.ts';

/** Modules that show tasks. A user needs one. */
const MODULES = ['projects', 'lightproj'];
// Chosen: at most this number of tasks is returned. Beyond the limit, only the oldest tasks are returned.
const TASKS_MAX = 5_000;

/** Checks that a user may see tasks. */
export const seesTasks = ({ modules, permissions }: Caller): boolean =>
  MODULES.some((module) => modules.includes(module)) && permissions.includes('task.view');

/** Returns a mark for each user that differs after any of their tasks is added, removed or changed. */
export const toDoMarks = (db: Db, user_ids: readonly string[]): Promise<ToDoMark[]> =>
  db.rows<ToDoMark>(sql`
    SELECT asked.user_id, count(work_items.id) || '.' || coalesce(sum(hashtextextended(
        work_items.id::text || work_items.version || work_items."group" || projects.active, 0)), 0) AS mark
    FROM unnest(${user_ids}::uuid[]) AS asked (user_id)
      LEFT JOIN assignees ON assignees.user_id = asked.user_id
      LEFT JOIN work_items ON work_items.id = assignees.item_id AND work_items.kind = 'task'
      LEFT JOIN projects ON projects.id = work_items.project_id
    GROUP BY asked.user_id`);

/**
 * Returns the open tasks of a user and the known closed ones, limited to what the user sees. Tasks of archived projects
 * are not to-dos.
 */
export async function toDoLines(db: Db, caller: Caller, known: readonly string[]): Promise<ToDoLine[]> {
  if (!seesTasks(caller)) return [];
  return await db.rows<ToDoLine>(sql`
    SELECT work_items.id AS task_id, work_items.version, work_items."group"
    FROM assignees JOIN work_items ON work_items.id = assignees.item_id
      JOIN projects ON projects.id = work_items.project_id AND projects.active AND NOT projects.is_template
    WHERE assignees.user_id = ${caller.user_id}::uuid AND work_items.kind = 'task'
      AND (work_items."group" NOT IN ('completed', 'cancelled') OR work_items.id = ANY(${known}::uuid[]))
    ORDER BY work_items.id LIMIT ${TASKS_MAX}`);
}

/** Returns tasks assigned to a user, limited to what the user sees. */
export async function toDoTasks(db: Db, caller: Caller, ids: readonly string[]): Promise<ToDoTask[]> {
  if (!seesTasks(caller)) return [];
  return await db.rows<ToDoTask>(sql`
    SELECT work_items.id AS task_id, version, title, coalesce(description, '') AS description,
      coalesce(due_date::text, '') AS due_date, priority, "group", updated_at
    FROM assignees JOIN work_items ON work_items.id = assignees.item_id
    WHERE assignees.user_id = ${caller.user_id}::uuid AND assignees.item_id = ANY(${ids}::uuid[]) AND kind = 'task'
    ORDER BY work_items.id`);
}
