/** Reads the projects and tasks that a user can track time on. */
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import { hasRole } from '../../work/access/access.ts';
import type { Db } from '../../operations.ts';
import { viewTimeSettings } from '../time-settings/time-settings.ts';
import { readTime } from '../time/time-entry.view.ts';

const PROJECTS_MAX = 200;
const TASKS_MAX = 200;

/** Project with its tasks, as listed in a tracker. */
interface TrackedProject {
  id: string;
  code: string;
  name: string;
  billable: boolean;
  tasks: { id: string; key: string; title: string }[];
}

/**
 * Returns the open projects of the caller as a member or manager. Their open tasks are assigned to the caller or
 * unassigned.
 */
const readProjects = (db: Db, caller: Caller): Promise<TrackedProject[]> =>
  db.rows<TrackedProject>(sql`
    SELECT projects.id, code, name, billable, coalesce(tasks.list, '[]') AS tasks
    FROM projects LEFT JOIN LATERAL (
      SELECT jsonb_agg(jsonb_build_object('id', id, 'key', projects.code || '-' || number, 'title', title)
        ORDER BY is_own DESC, number DESC) AS list
      FROM (
        SELECT work_items.id, number, title, EXISTS (
          SELECT FROM assignees WHERE item_id = work_items.id AND user_id = ${caller.user_id}::uuid) AS is_own
        FROM work_items
        WHERE work_items.project_id = projects.id AND kind = 'task' AND "group" NOT IN ('completed', 'cancelled')
          AND (NOT EXISTS (SELECT FROM assignees WHERE item_id = work_items.id)
            OR EXISTS (SELECT FROM assignees WHERE item_id = work_items.id AND user_id = ${caller.user_id}::uuid))
        ORDER BY is_own DESC, number DESC LIMIT ${TASKS_MAX}) AS open_tasks) AS tasks ON TRUE
    WHERE active AND NOT is_template AND status NOT IN ('finished', 'cancelled')
      AND ${hasRole(caller, sql`projects.id`, 'member')}
    ORDER BY name, projects.id LIMIT ${PROJECTS_MAX}`);

/** Returns the initial choices and state of a tracker. */
export async function readTrackerHome(db: Db, caller: Caller) {
  const [running] = await db.rows<{ id: string }>(sql`
    SELECT id FROM time_entries WHERE user_id = ${caller.user_id}::uuid AND status = 'running'`);
  return {
    server_time: clock.now().toISOString(),
    projects: await readProjects(db, caller),
    running: running ? await readTime(db, caller, running.id) : null,
    settings: await viewTimeSettings(db, caller),
  };
}
