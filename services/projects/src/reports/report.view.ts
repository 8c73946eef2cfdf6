/** Report of a project. Each part needs one or two statements over indexed rows. */
import { sql } from '@suite/chassis/database';
import { Forbidden } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { today } from '@suite/chassis/runtime';
import { type AccessibleProject, findProject, readWholeProjects, visibleKinds } from '../work/access/access.ts';
import { projectCostOf } from '../billing/costs/cost.view.ts';
import type { Db } from '../operations.ts';
import { burnUpOf, type BurnUpSpan, type ProjectDates, type ScopeChange, burnUpSpanOf } from './burn-up.rules.ts';
import { readBugMetrics, readOverdue, readStageMetrics, readOverrunTasks } from './card-metrics.view.ts';
import { readMembers } from './member-metrics.view.ts';
import type { ProjectReport } from './report.schema.ts';

const minutesOf = (seconds: number): number => Math.floor(seconds / 60);

/** Rejects callers outside the team. Reports are for the team only, regardless of permissions. @throws Forbidden */
export function assertInside({ kind }: Caller): void {
  if (kind !== 'owner' && kind !== 'staff') throw Forbidden({ permission: 'report.view' });
}

async function datesOf(db: Db, { timezone }: Caller, id: string): Promise<ProjectDates> {
  const [dates] = await db.rows<ProjectDates>(sql`
    SELECT start_date::text, end_date::text, (created_at AT TIME ZONE ${timezone})::date::text AS created_on,
      status IN ('finished', 'cancelled') AS is_over
    FROM projects WHERE id = ${id}::uuid`);
  return dates!;
}

/** Returns the scope changes up to a day, by days of the workspace's time zone. */
const scopeChanges = (db: Db, { timezone }: Caller, id: string, { to }: BurnUpSpan): Promise<ScopeChange[]> =>
  db.rows<ScopeChange>(sql`
    SELECT (at AT TIME ZONE ${timezone})::date AS day, sum(scope)::int AS scope, sum(completed)::int AS completed
    FROM scope_changes WHERE project_id = ${id}::uuid AND at < (${to}::date + 1)::timestamp AT TIME ZONE ${timezone}
    GROUP BY 1 ORDER BY 1`);

/** Returns the billable value of a project's time, for its manager. */
async function readBilling(db: Db, id: string) {
  const [billing] = await db.rows<{ billable_amount: string; invoiced_amount: string }>(sql`
    SELECT coalesce(sum(amount) FILTER (WHERE status <> 'invoiced'), 0) AS billable_amount,
      coalesce(sum(invoiced_amount) FILTER (WHERE status = 'invoiced'), 0) AS invoiced_amount
    FROM time_entries
    WHERE project_id = ${id}::uuid AND billable AND status IN ('stopped', 'submitted', 'approved', 'invoiced')`);
  return billing!;
}

const NO_MONEY = {
  budget: null,
  time_cost: null,
  expenses: null,
  unconverted_expenses: null,
  cost: null,
  billable_amount: null,
  invoiced_amount: null,
  variance: null,
  used_percent: null,
  over_budget: null,
};

/** Returns the cost of a project. Callers who do not manage it get only the currency. */
async function readCost(db: Db, { id, role }: AccessibleProject) {
  const { id: _, tracked_seconds, billable_seconds: __, ...metrics } = await projectCostOf(db, id);
  const { currency } = metrics;
  const cost = role === 'manager' ? { ...metrics, ...(await readBilling(db, id)) } : { ...NO_MONEY, currency };
  return { tracked_minutes: minutesOf(tracked_seconds), cost };
}

/**
 * Returns all parts of the report. Chosen: `from` and `to` limit only the burn-up. Budgets, estimates and stages have
 * no days, so the other parts cover the whole project.
 * @throws NotFound, Forbidden, and a 422 for `to`
 */
export async function showReport(
  { db, caller }: { db: Db; caller: Caller },
  project_id: string,
  input: { from?: string | undefined; to?: string | undefined },
): Promise<ProjectReport> {
  assertInside(caller);
  const project = await findProject({ db, caller }, project_id);
  const day = today(caller.timezone);
  const dates = await datesOf(db, caller, project_id);
  const span = burnUpSpanOf(dates, input, day);
  const kinds = visibleKinds(caller);
  return await readWholeProjects(async () => {
    const { tracked_minutes, cost } = await readCost(db, project);
    const { stages, planned } = await readStageMetrics(db, project_id, kinds);
    const over = await readOverrunTasks(db, project, kinds);
    const { id, code, name, status } = project;
    return {
      project: { id, code, name, status: status as ProjectReport['project']['status'] },
      today: day,
      ...span,
      planned_tracked: { ...planned, tracked_minutes, over },
      cost,
      stages,
      members: await readMembers(db, caller, project, day),
      overdue: await readOverdue(db, project, day, kinds),
      burn_up: burnUpOf(await scopeChanges(db, caller, project_id, span), span, dates, day),
      bugs: kinds.includes('bug') ? await readBugMetrics(db, project_id) : null,
    };
  });
}
