/** Metrics of the tasks and bugs of a project. */
import { sql } from '@suite/chassis/database';
import { many } from '@suite/chassis/lists';
import type { AccessibleProject } from '../work/access/access.ts';
import type { Db } from '../operations.ts';
import { assigneesOfMany, LATE } from '../work/work-items/card.view.ts';
import type { WorkItemKind } from '../work/work-items/card.rules.ts';
import type { ProjectReport } from './report.schema.ts';

/** Maximum number of tasks listed in a part of the report. */
const LISTED_MAX = 100;

type ItemKinds = readonly WorkItemKind[];

interface StageRow {
  kind: WorkItemKind;
  stage_id: string;
  name: string;
  color: string;
  group: ProjectReport['stages']['tasks'][number]['group'];
  count: number;
  estimate_minutes: number;
  tracked_minutes: number;
  remaining_seconds: number;
  unestimated: number;
}

/** Returns the stages with the number of their cards and the estimates of their tasks, in one statement. */
export async function readStageMetrics(db: Db, project_id: string, kinds: ItemKinds) {
  const rows = await db.rows<StageRow>(sql`
    SELECT stages.kind, stages.id AS stage_id, name, color, "group", coalesce(cards.count, 0) AS count,
      coalesce(estimate_minutes, 0)::int AS estimate_minutes, (coalesce(tracked_seconds, 0) / 60)::int AS tracked_minutes,
      coalesce(remaining_seconds, 0)::bigint AS remaining_seconds, coalesce(unestimated, 0) AS unestimated
    FROM stages LEFT JOIN (
      SELECT stage_id, count(*) AS count, sum(estimate_minutes) AS estimate_minutes, sum(tracked_seconds) AS tracked_seconds,
        sum(greatest(0, estimate_minutes * 60 - tracked_seconds)) AS remaining_seconds,
        count(*) FILTER (WHERE estimate_minutes IS NULL) AS unestimated
      FROM work_items WHERE project_id = ${project_id}::uuid AND kind = ANY(${kinds}::text[]) GROUP BY stage_id) AS cards
      ON cards.stage_id = stages.id
    WHERE stages.project_id = ${project_id}::uuid AND stages.kind = ANY(${kinds}::text[]) ORDER BY "order"`);
  const planned = { planned_minutes: 0, remaining_minutes: 0, unestimated: 0 };
  let remaining_seconds = 0;
  for (const { kind, group, ...row } of rows) {
    if (kind !== 'task' || group === 'cancelled') continue;
    planned.planned_minutes += row.estimate_minutes;
    planned.unestimated += row.unestimated;
    if (group !== 'completed') remaining_seconds += row.remaining_seconds;
  }
  planned.remaining_minutes = Math.floor(remaining_seconds / 60);
  const countsOfKind = (kind: WorkItemKind) =>
    rows
      .filter((row) => row.kind === kind)
      .map(({ kind: _, remaining_seconds: __, unestimated: ___, ...metrics }) => metrics);
  return { planned, stages: { tasks: countsOfKind('task'), bugs: countsOfKind('bug') } };
}

/** Returns the tasks that took longer than estimated. */
export async function readOverrunTasks(db: Db, { id, code }: AccessibleProject, kinds: ItemKinds) {
  if (!kinds.includes('task')) return [];
  return await db.rows<ProjectReport['planned_tracked']['over'][number]>(sql`
    SELECT id, ${code} || '-' || number AS key, title, estimate_minutes, tracked_seconds / 60 AS tracked_minutes
    FROM work_items
    WHERE project_id = ${id}::uuid AND kind = 'task' AND tracked_seconds > estimate_minutes * 60
    ORDER BY tracked_seconds - estimate_minutes * 60 DESC, id LIMIT ${LISTED_MAX}`);
}

/** Returns the overdue tasks, oldest first. */
export async function readOverdue(
  db: Db,
  { id, code }: AccessibleProject,
  day: string,
  kinds: ItemKinds,
): Promise<ProjectReport['overdue']> {
  if (!kinds.includes('task')) return { total: 0, tasks: [] };
  const tasks = await db.rows<Record<string, unknown>>(sql`
    SELECT id, ${code} || '-' || number AS key, title, due_date, ${day}::date - due_date AS days_late FROM work_items
    WHERE project_id = ${id}::uuid AND ${LATE} AND due_date < ${day}::date ORDER BY due_date, id LIMIT ${LISTED_MAX}`);
  await many('item_id', assigneesOfMany(db))(tasks, 'assignees');
  const [counted] =
    tasks.length < LISTED_MAX
      ? [{ total: tasks.length }]
      : await db.rows<{ total: number }>(sql`
          SELECT count(*) AS total FROM work_items
          WHERE project_id = ${id}::uuid AND ${LATE} AND due_date < ${day}::date`);
  return { total: counted!.total, tasks: tasks as ProjectReport['overdue']['tasks'] };
}

/** Returns bug metrics: created, closed and open bugs, and the time to resolve one. */
export async function readBugMetrics(db: Db, project_id: string): Promise<NonNullable<ProjectReport['bugs']>> {
  const [found] = await db.rows<{ opened: number; closed: number; median: number | null } & Record<string, number>>(sql`
    SELECT count(*) AS opened, count(*) FILTER (WHERE is_over) AS closed,
      count(*) FILTER (WHERE NOT is_over AND severity = 'minor') AS minor,
      count(*) FILTER (WHERE NOT is_over AND severity = 'major') AS major,
      count(*) FILTER (WHERE NOT is_over AND severity = 'critical') AS critical,
      count(*) FILTER (WHERE NOT is_over AND severity = 'blocker') AS blocker,
      round(percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) FILTER (WHERE is_over))::bigint AS median
    FROM (
      SELECT severity, "group" IN ('completed', 'cancelled') AS is_over,
        extract(epoch FROM coalesce(completed_at, stage_since) - created_at) AS seconds
      FROM work_items WHERE project_id = ${project_id}::uuid AND kind = 'bug') AS bugs`);
  const { opened, closed, median, ...open } = found!;
  return { opened, closed, open: open as never, median_seconds_to_resolve: median };
}
