/** Views of milestones. Only managers see the cost. */
import { asCaller, type Sql, sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { type Expansion, type ListRequest, many, type Page, paginate } from '@suite/chassis/lists';
import { today } from '@suite/chassis/runtime';
import type { z } from 'zod';
import { hasRole } from '../../work/access/access.ts';
import { isInActiveProject } from '../../work/access/project-actions.ts';
import type { Db } from '../../operations.ts';
import { milestoneStates } from './milestone.rules.ts';
import type { ChangedMilestone } from './milestone.schema.ts';

/** Returns the computed fields of a milestone. */
function computedFields(caller: Caller): Record<string, Sql> {
  const isManager = hasRole(caller, sql`milestones.project_id`, 'manager');
  return {
    is_overdue: sql`milestones.status = 'incomplete' AND coalesce(milestones.end_date < ${today(caller.timezone)}::date, FALSE)`,
    cost: sql`CASE WHEN ${isManager} THEN milestones.cost END`,
    allowed_actions: sql`CASE WHEN ${isManager} AND ${isInActiveProject(sql`milestones.project_id`)} THEN ${milestoneStates.shownTo(caller, 'milestones')} ELSE '{}'::text[] END`,
  };
}

/** Returns a page of the milestones visible to the caller. */
export const listMilestones = (db: Db, caller: Caller, request: ListRequest): Promise<Page> =>
  paginate(db, request, { table: 'milestones', compute: computedFields(caller) });

function readMilestones(db: Db, caller: Caller, condition: Sql) {
  const { is_overdue, cost, allowed_actions } = computedFields(caller);
  return db.rows<z.input<typeof ChangedMilestone>>(sql`
    SELECT id, project_id, title, summary, start_date, end_date, status, progress, client_visible, created_by, updated_by,
      created_at, updated_at, version, ${is_overdue!} AS is_overdue, ${cost!} AS cost, ${allowed_actions!} AS allowed_actions,
      countable_tasks - completed_tasks AS open_tasks
    FROM milestones WHERE ${condition} ORDER BY end_date NULLS LAST, id`);
}

/** Returns the expansion with the milestones of projects. */
export const milestonesOf = (db: Db, caller: Caller): Expansion =>
  many('project_id', (ids) => readMilestones(db, caller, sql`project_id = ANY(${ids}::uuid[])`));

/** Returns a milestone after a change. @throws NotFound */
export async function readMilestone(db: Db, caller: Caller, id: string) {
  const [row] = await asCaller(() => readMilestones(db, caller, sql`id = ${id}::uuid`));
  if (!row) throw NotFound();
  return row;
}
