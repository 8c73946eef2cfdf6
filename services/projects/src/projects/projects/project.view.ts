/** Views of projects. Only managers see budget and rates. Counts include what the caller sees. */
import { asCaller, join, type Sql, sql } from '@suite/chassis/database';
import type { FileLinks } from '@suite/chassis/files';
import type { Caller } from '@suite/chassis/identity';
import { type Expansion, type ListRequest, many, type Page, paginate, readOne } from '@suite/chassis/lists';
import { today } from '@suite/chassis/runtime';
import type { z } from 'zod';
import { findProject, hasRole, readWholeProjects, visibleKinds } from '../../work/access/access.ts';
import { isClosed, projectStates } from '../../work/access/project.rules.ts';
import { recentActivities } from '../../work/activities/activity.view.ts';
import { PENDING } from '../../billing/billing/draft-request.ts';
import { clientsOf } from '../../work/clients/client.view.ts';
import { projectCostOf } from '../../billing/costs/cost.view.ts';
import { filesOf } from '../../work/files/file.view.ts';
import { membersOf } from '../members/member.view.ts';
import { milestonesOf } from '../milestones/milestone.view.ts';
import type { Db } from '../../operations.ts';
import { stagesOf } from '../../work/stages/stage.view.ts';
import { isClosedGroup, type WorkItemKind } from '../../work/work-items/card.rules.ts';
import { LATE } from '../../work/work-items/card.view.ts';
import { type ChangedProject, Project, type ProjectDetails, ProjectStatus } from './project.schema.ts';

/** Caller of a project response, with the links for its files. */
export interface ProjectReader {
  caller: Caller;
  links: FileLinks;
}

/** Returns the computed fields of a project. */
function computedFields(caller: Caller): Record<string, Sql> {
  const isManager = hasRole(caller, sql`projects.id`, 'manager');
  return {
    is_overdue: sql`projects.status NOT IN ('finished', 'cancelled')
      AND coalesce(projects.end_date < ${today(caller.timezone)}::date, FALSE)`,
    budget: sql`CASE WHEN ${isManager} THEN projects.budget END`,
    hourly_rate: sql`CASE WHEN ${isManager} THEN projects.hourly_rate END`,
    allowed_actions: sql`CASE WHEN ${isManager} THEN ${projectStates.shownTo(caller, 'projects')} ELSE '{}'::text[] END`,
  };
}

const expansions = (db: Db, { caller, links }: ProjectReader): Record<string, Expansion> => ({
  members: membersOf(db, caller),
  clients: clientsOf(db, caller),
  milestones: milestonesOf(db, caller),
  stages: stagesOf(db, caller),
  files: filesOf(db, caller, links),
  activity: many('project_id', (ids) => recentActivities(db, caller, ids)),
});

/** Returns the condition of a tag filter: projects with any of the tags. */
function tagCondition({ operator, values }: ListRequest['filters'][number]): Sql {
  if (operator === 'null') return sql`(projects.tags = '{}') = ${values[0]}`;
  if (operator === 'like')
    return sql`array_to_string(projects.tags, ' ') ILIKE ${`%${String(values[0]).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`;
  if (operator === 'ne') return sql`NOT projects.tags @> ${values}::text[]`;
  return sql`projects.tags && ${values}::text[]`;
}

/**
 * Returns a page of the projects that the caller sees. Archived projects and templates are excluded unless requested.
 */
export function listProjects(db: Db, context: ProjectReader, request: ListRequest): Promise<Page> {
  const { filters } = request;
  const isFilteredBy = (name: string) => filters.some(({ column }) => column === name);
  const conditions = filters.filter(({ column }) => column === 'tags').map(tagCondition);
  if (!isFilteredBy('active')) conditions.push(sql`projects.active`);
  if (!isFilteredBy('is_template')) conditions.push(sql`NOT projects.is_template`);
  return paginate(
    db,
    { ...request, filters: filters.filter(({ column }) => column !== 'tags') },
    {
      table: 'projects',
      where: join([sql`TRUE`, ...conditions], ' AND '),
      compute: computedFields(context.caller),
      expand: expansions(db, context),
    },
  );
}

/** Returns the projects to choose from: projects that accept tasks or time from the caller, or all visible ones. */
export function pickProjects(db: Db, caller: Caller, request: ListRequest): Promise<Page> {
  const { filters, columns } = request;
  const purposes = filters.filter(({ column }) => column === 'for').flatMap(({ values }) => values);
  // An index reads listed statuses only, in the order of the list.
  const statuses = ProjectStatus.options.filter((status) => !isClosed({ status }));
  const open = sql`projects.active AND NOT projects.is_template AND projects.status = ANY(${statuses}::text[])`;
  const where = purposes.includes('view') ? open : sql`${open} AND ${hasRole(caller, sql`projects.id`, 'member')}`;
  return paginate(
    db,
    {
      ...request,
      filters: filters.filter(({ column }) => column !== 'for'),
      columns: columns.filter((name) => name !== 'for'),
    },
    { table: 'projects', where },
  );
}

interface GroupTotals {
  kind: WorkItemKind;
  group: string;
  count: number;
  estimate_minutes: number;
}

/** Counts the tasks and bugs of a project that are visible to the caller. */
async function countsIn(db: Db, caller: Caller, id: string) {
  const kinds = visibleKinds(caller);
  const groups = await db.rows<GroupTotals>(sql`
    SELECT kind, "group", count(*) AS count, coalesce(sum(estimate_minutes), 0)::int AS estimate_minutes
    FROM work_items WHERE project_id = ${id}::uuid AND kind = ANY(${kinds}::text[]) GROUP BY kind, "group"`);
  const [late] = await db.rows<{ count: number }>(sql`
    SELECT count(*) AS count FROM work_items
    WHERE project_id = ${id}::uuid AND ${LATE} AND due_date < ${today(caller.timezone)}::date`);
  const counts = {
    tasks: 0,
    open_tasks: 0,
    overdue_tasks: kinds.includes('task') ? late!.count : 0,
    bugs: 0,
    open_bugs: 0,
  };
  let planned_minutes = 0;
  for (const { kind, group, count, estimate_minutes } of groups) {
    counts[`${kind}s`] += count;
    if (!isClosedGroup(group)) counts[`open_${kind}s`] += count;
    if (kind === 'task' && group !== 'cancelled') planned_minutes += estimate_minutes;
  }
  return { counts, planned_minutes };
}

const minutesOf = (seconds: number): number => Math.floor(seconds / 60);

/** Returns the caller's own time in a project: the seconds of finished entries, and the running timer. */
async function readOwnTime(db: Db, { user_id }: Caller, id: string) {
  const [own] = await db.rows<{ mine_seconds: number; running: string | null }>(sql`
    SELECT coalesce((
        SELECT tracked_seconds FROM member_time
        WHERE project_id = ${id}::uuid AND user_id = ${user_id}::uuid), 0)::bigint AS mine_seconds,
      (SELECT id FROM time_entries
        WHERE project_id = ${id}::uuid AND user_id = ${user_id}::uuid AND status = 'running') AS running`);
  const { mine_seconds, running } = own!;
  return { mine_minutes: minutesOf(mine_seconds), running };
}

/** Returns the metrics of a project. Only its managers get amounts of money. */
async function metricsOf(db: Db, caller: Caller, id: string) {
  const { counts, planned_minutes } = await readWholeProjects(() => countsIn(db, caller, id));
  const { tracked_seconds, billable_seconds, cost, used_percent, over_budget } = await projectCostOf(db, id);
  const { role } = await findProject({ db, caller }, id);
  const money = role === 'manager' ? { cost, used_percent, over_budget } : NO_MONEY;
  const spent = { tracked_minutes: minutesOf(tracked_seconds), billable_minutes: minutesOf(billable_seconds) };
  return { counts, time: { planned_minutes, ...spent, ...(await readOwnTime(db, caller, id)) }, ...money };
}
const NO_MONEY = { cost: null, used_percent: null, over_budget: null };

/** Returns the unfinished requests to finance. */
async function pendingEffectsOf(db: Db, id: string): Promise<string[]> {
  const [row] = await db.rows<{ pending: string[] }>(
    sql`SELECT ${PENDING} AS pending FROM projects WHERE id = ${id}::uuid`,
  );
  return row?.pending ?? [];
}

/** Returns a project with all details. @throws NotFound if it does not exist or the caller cannot see it */
export const showProject = (db: Db, context: ProjectReader, id: string): Promise<z.input<typeof ProjectDetails>> =>
  asCaller(async () => {
    const view = { table: 'projects', compute: computedFields(context.caller), expand: expansions(db, context) };
    const project = await readOne(db, Project, id, view);
    const pending_effects = await pendingEffectsOf(db, id);
    return { ...project, pending_effects, ...(await metricsOf(db, context.caller, id)) } as z.input<
      typeof ProjectDetails
    >;
  });

const changed = (Project as z.ZodObject).omit({ milestones: true, stages: true, files: true, activity: true });

/** Returns a project after a change. @throws NotFound */
export async function readProject(db: Db, caller: Caller, id: string): Promise<z.input<typeof ChangedProject>> {
  const expand = { members: membersOf(db, caller), clients: clientsOf(db, caller) };
  const compute = { ...computedFields(caller), open_tasks: sql`projects.countable_tasks - projects.completed_tasks` };
  return (await readOne(db, changed.extend({ open_tasks: Project.shape.progress }), id, {
    table: 'projects',
    compute,
    expand,
  })) as z.input<typeof ChangedProject>;
}
