/** The figures that somebody begins the day with, of what he sees of projects. */
import { type Caller, one, type Sql, sql, today } from '@suite/chassis';
import { userLabels } from '@suite/users';
import type { z } from 'zod';
import { visibleKinds } from '../access/access.ts';
import { latestActivities } from '../activities/activity.view.ts';
import type { Db } from '../operations.ts';
import type { ProjectsHome } from './light-projects.schema.ts';

type Home = z.input<typeof ProjectsHome>;

const RECENT = 5;
const MINE = 10;
const HISTORY = 10;

const alive = sql`projects.active AND NOT projects.is_template`;

async function projectFigures(db: Db): Promise<Home['projects']> {
  const [figures] = await db.rows<Home['projects']>(sql`
    SELECT count(*) AS total, count(*) FILTER (WHERE status = 'not_started') AS not_started,
      count(*) FILTER (WHERE status = 'in_progress') AS in_progress, count(*) FILTER (WHERE status = 'on_hold') AS on_hold,
      count(*) FILTER (WHERE status = 'finished') AS finished, count(*) FILTER (WHERE status = 'cancelled') AS cancelled
    FROM projects WHERE ${alive}`);
  return figures!;
}

/** Tasks and bugs that the caller sees of the projects that count, with whether they are open and the caller's. */
const cards = (caller: Caller): Sql => sql`(
  SELECT work_items.id, work_items.kind, work_items."group" NOT IN ('completed', 'cancelled') AS is_open, due_date, completed_at,
    mine.item_id IS NOT NULL AS is_mine
  FROM work_items JOIN projects ON projects.id = work_items.project_id AND ${alive}
  LEFT JOIN assignees AS mine ON mine.item_id = work_items.id AND mine.user_id = ${caller.user_id}::uuid
  WHERE work_items."group" <> 'cancelled' AND work_items.kind = ANY(${visibleKinds(caller)}::text[]))`;

async function cardFigures(db: Db, caller: Caller, day: string) {
  const { timezone } = caller;
  const [figures] = await db.rows<Record<string, number>>(sql`
    SELECT count(*) FILTER (WHERE kind = 'task' AND is_open) AS open,
      count(*) FILTER (WHERE kind = 'task' AND completed_at >= date_trunc('week', ${day}::timestamp) AT TIME ZONE ${timezone})
        AS completed_this_week,
      count(*) FILTER (WHERE kind = 'task' AND is_open AND due_date < ${day}::date) AS overdue,
      count(*) FILTER (WHERE kind = 'task' AND is_open AND due_date = ${day}::date) AS due_today,
      count(*) FILTER (WHERE kind = 'task' AND is_open AND is_mine) AS mine_open,
      count(*) FILTER (WHERE kind = 'task' AND is_open AND is_mine AND due_date < ${day}::date) AS mine_overdue,
      count(*) FILTER (WHERE kind = 'bug' AND is_open) AS open_bugs,
      count(*) FILTER (WHERE kind = 'bug' AND is_open AND is_mine) AS my_open_bugs
    FROM ${cards(caller)} AS cards`);
  const { open_bugs, my_open_bugs, ...tasks } = figures!;
  return { tasks, bugs: { open: open_bugs, mine_open: my_open_bugs } } as Pick<Home, 'tasks' | 'bugs'>;
}

const recentProjects = (db: Db): Promise<Home['recent_projects']> =>
  db.rows(sql`
    SELECT id, code, name, status, color, progress FROM projects WHERE ${alive}
    ORDER BY updated_at DESC, id DESC LIMIT ${RECENT}`);

async function myTasks(db: Db, caller: Caller, day: string): Promise<Home['my_tasks']> {
  if (!visibleKinds(caller).includes('task')) return [];
  return await db.rows(sql`
    SELECT work_items.id, projects.code || '-' || work_items.number AS key, title, project_id, projects.name AS project_name,
      priority, due_date, coalesce(due_date < ${day}::date, FALSE) AS is_overdue
    FROM assignees JOIN work_items ON work_items.id = assignees.item_id AND work_items.kind = 'task'
      AND work_items."group" NOT IN ('completed', 'cancelled')
    JOIN projects ON projects.id = work_items.project_id AND ${alive}
    WHERE assignees.user_id = ${caller.user_id}::uuid ORDER BY due_date NULLS LAST, work_items.id LIMIT ${MINE}`);
}

/** The figures, in six statements. */
export async function showHome(db: Db, caller: Caller): Promise<Home> {
  const day = today(caller.timezone);
  const activity = await latestActivities(db, caller, HISTORY);
  await one('actor_id', userLabels(db))(activity, 'actor');
  return {
    today: day,
    projects: await projectFigures(db),
    ...(await cardFigures(db, caller, day)),
    recent_projects: await recentProjects(db),
    my_tasks: await myTasks(db, caller, day),
    activity: activity as Home['activity'],
  };
}
