/** Metrics of the dashboard: the projects that the caller sees. */
import { type Sql, sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { one } from '@suite/chassis/lists';
import { today } from '@suite/chassis/runtime';
import { userLabels } from '@suite/user-copies';
import type { z } from 'zod';
import { isInside, readWholeProjects, visibleKinds } from '../../work/access/access.ts';
import { latestActivities } from '../../work/activities/activity.view.ts';
import type { Db } from '../../operations.ts';
import { LATE } from '../../work/work-items/card.view.ts';
import type { ProjectsHome } from './light-projects.schema.ts';

type Home = z.input<typeof ProjectsHome>;

const RECENT = 5;
const OWN_MAX = 10;
const HISTORY = 10;

const alive = sql`projects.active AND NOT projects.is_template`;

/** Returns the count and the IDs of the active projects visible to the caller. */
async function projectMetrics(db: Db) {
  const [found] = await db.rows<Home['projects'] & { ids: string[] }>(sql`
    SELECT count(*) AS total, count(*) FILTER (WHERE status = 'not_started') AS not_started,
      count(*) FILTER (WHERE status = 'in_progress') AS in_progress, count(*) FILTER (WHERE status = 'on_hold') AS on_hold,
      count(*) FILTER (WHERE status = 'finished') AS finished, count(*) FILTER (WHERE status = 'cancelled') AS cancelled,
      coalesce(array_agg(id), '{}') AS ids
    FROM projects WHERE ${alive}`);
  const { ids, ...metrics } = found!;
  return { ids, metrics };
}

/** Counts the caller's open work. Clients have none, because tasks cannot be assigned to them. */
async function ownMetrics(db: Db, caller: Caller, day: string, inThem: Sql) {
  if (!isInside(caller)) return { mine_open: 0, mine_overdue: 0, my_open_bugs: 0 };
  const [own] = await db.rows<Record<'mine_open' | 'mine_overdue' | 'my_open_bugs', number>>(sql`
    SELECT count(*) FILTER (WHERE kind = 'task') AS mine_open,
      count(*) FILTER (WHERE kind = 'task' AND due_date < ${day}::date) AS mine_overdue,
      count(*) FILTER (WHERE kind = 'bug') AS my_open_bugs
    FROM assigned_cards WHERE ${inThem} AND user_id = ${caller.user_id}::uuid AND side = 'open'`);
  return own!;
}

/** Returns counts of the cards in some projects, each from a dedicated index. */
async function cardMetrics(db: Db, caller: Caller, day: string, ids: readonly string[]) {
  const inThem = sql`project_id = ANY(${ids}::uuid[]) AND kind = ANY(${visibleKinds(caller)}::text[])`;
  const [metrics] = await db.rows<Record<string, number>>(sql`
    SELECT * FROM (
      SELECT count(*) FILTER (WHERE kind = 'task') AS open, count(*) FILTER (WHERE kind = 'bug') AS open_bugs
      FROM work_items WHERE ${inThem} AND "group" IN ('backlog', 'unstarted', 'started')) AS cards
    CROSS JOIN (
      SELECT count(*) AS completed_this_week FROM work_items
      WHERE ${inThem} AND kind = 'task' AND completed_at >= date_trunc('week', ${day}::timestamp) AT TIME ZONE ${caller.timezone}) AS done
    CROSS JOIN (
      SELECT count(*) FILTER (WHERE due_date < ${day}::date) AS overdue, count(*) FILTER (WHERE due_date = ${day}::date) AS due_today
      FROM work_items WHERE ${inThem} AND ${LATE} AND due_date <= ${day}::date) AS late`);
  const mine = await ownMetrics(db, caller, day, inThem);
  const { open_bugs, ...tasks } = metrics!;
  const { my_open_bugs, ...ownTasks } = mine;
  return { tasks: { ...tasks, ...ownTasks }, bugs: { open: open_bugs, mine_open: my_open_bugs } } as Pick<
    Home,
    'tasks' | 'bugs'
  >;
}

const recentProjects = (db: Db): Promise<Home['recent_projects']> =>
  db.rows(sql`
    SELECT id, code, name, status, color, progress FROM projects WHERE ${alive}
    ORDER BY updated_at DESC, id DESC LIMIT ${RECENT}`);

/** Returns the next tasks of the caller in some projects. */
async function myTasks(db: Db, caller: Caller, day: string, ids: readonly string[]): Promise<Home['my_tasks']> {
  if (!isInside(caller) || !visibleKinds(caller).includes('task')) return [];
  return await db.rows(sql`
    SELECT work_items.id, projects.code || '-' || work_items.number AS key, title, work_items.project_id,
      projects.name AS project_name, priority, mine.due_date, coalesce(mine.due_date < ${day}::date, FALSE) AS is_overdue
    FROM assigned_cards AS mine JOIN work_items ON work_items.id = mine.item_id JOIN projects ON projects.id = mine.project_id
    WHERE mine.user_id = ${caller.user_id}::uuid AND mine.kind = 'task' AND mine.side = 'open' AND mine.project_id = ANY(${ids}::uuid[])
    ORDER BY mine.due_date NULLS LAST, mine.item_id LIMIT ${OWN_MAX}`);
}

/** Returns the metrics of the dashboard in eight statements. */
export async function showHome(db: Db, caller: Caller): Promise<Home> {
  const day = today(caller.timezone);
  const activity = await latestActivities(db, caller, HISTORY);
  await one('actor_id', userLabels(db))(activity, 'actor');
  const { ids, metrics } = await projectMetrics(db);
  return {
    today: day,
    projects: metrics,
    ...(await readWholeProjects(() => cardMetrics(db, caller, day, ids))),
    recent_projects: await recentProjects(db),
    my_tasks: await readWholeProjects(() => myTasks(db, caller, day, ids)),
    activity: activity as Home['activity'],
  };
}
