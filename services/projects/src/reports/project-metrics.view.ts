/** Metrics of many projects. */
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { type ListRequest, type Page, paginate } from '@suite/chassis/lists';
import { today } from '@suite/chassis/runtime';
import { hasRole, readWholeProjects, visibleKinds } from '../work/access/access.ts';
import { costsOf, costSums } from '../billing/costs/cost.view.ts';
import type { Db } from '../operations.ts';
import { LATE } from '../work/work-items/card.view.ts';
import { assertInside } from './report.view.ts';

interface ProjectCounts {
  id: string;
  planned_minutes: number;
  overdue: number;
  open_bugs: number;
}

/** Returns counts of the cards in some projects, each from a dedicated index. */
const cardMetrics = (db: Db, caller: Caller, ids: readonly string[]): Promise<ProjectCounts[]> =>
  db.rows<ProjectCounts>(sql`
    SELECT cards.id, planned_minutes, open_bugs, coalesce(late.count, 0) AS overdue FROM (
      SELECT project_id AS id,
        coalesce(sum(estimate_minutes) FILTER (WHERE kind = 'task' AND "group" <> 'cancelled'), 0)::int AS planned_minutes,
        count(*) FILTER (WHERE kind = 'bug' AND "group" NOT IN ('completed', 'cancelled')) AS open_bugs
      FROM work_items WHERE project_id = ANY(${ids}::uuid[]) AND kind = ANY(${visibleKinds(caller)}::text[])
      GROUP BY project_id) AS cards
    LEFT JOIN (
      SELECT project_id AS id, count(*) FROM work_items
      WHERE project_id = ANY(${ids}::uuid[]) AND ${LATE} AND kind = ANY(${visibleKinds(caller)}::text[])
        AND due_date < ${today(caller.timezone)}::date
      GROUP BY project_id) AS late USING (id)`);

/** Adds the metrics to the rows of a page. */
async function addMetrics(db: Db, caller: Caller, rows: Record<string, unknown>[]): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map((row) => row['id'] as string);
  const costs = new Map((await costsOf(db, ids)).map((metrics) => [metrics.id, metrics]));
  const cards = new Map((await cardMetrics(db, caller, ids)).map(({ id, ...metrics }) => [id, metrics]));
  for (const row of rows) {
    const { tracked_seconds, budget, cost, used_percent } = costs.get(row['id'] as string)!;
    const money = row['is_manager'] ? { budget, cost, used_percent } : { budget: null, cost: null, used_percent: null };
    const none = { planned_minutes: 0, overdue: 0, open_bugs: 0 };
    const metrics = cards.get(row['id'] as string) ?? none;
    Object.assign(row, money, metrics, { tracked_minutes: Math.floor(tracked_seconds / 60) });
  }
}

/**
 * Returns a page of the projects that the caller sees, with their metrics. Archived projects appear only on request,
 * and templates never. The sums contain the money of all listed projects that the caller manages, by currency.
 */
export async function listMetrics(db: Db, caller: Caller, request: ListRequest): Promise<Page> {
  assertInside(caller);
  const isManager = hasRole(caller, sql`projects.id`, 'manager');
  const isAsked = request.filters.some(({ column }) => column === 'active');
  const zero = sql`0`;
  const found = await paginate(
    db,
    { ...request, columns: [...request.columns, 'is_manager'] },
    {
      table: 'projects',
      where: isAsked ? sql`NOT projects.is_template` : sql`NOT projects.is_template AND projects.active`,
      compute: {
        project: sql`json_build_object('id', projects.id, 'code', projects.code, 'name', projects.name)`,
        is_manager: isManager,
        planned_minutes: zero,
        tracked_minutes: zero,
        overdue: zero,
        open_bugs: zero,
        budget: sql`NULL`,
        cost: sql`NULL`,
        used_percent: sql`NULL`,
      },
      sums: { managed: sql`array_agg(projects.id) FILTER (WHERE ${isManager})` },
    },
  );
  const { managed } = found.sums as { managed: string[] | null };
  return await readWholeProjects(async () => {
    await addMetrics(db, caller, found.rows as Record<string, unknown>[]);
    return { ...found, sums: { by_currency: await costSums(db, managed ?? []) } };
  });
}
