/** View of the project history, without changed fields that the caller must not see. */
import { join, type Sql, sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { type ListRequest, one, type Page, paginate } from '@suite/chassis/lists';
import { userLabels } from '@suite/user-copies';
import { hasRole, visibleKinds } from '../access/access.ts';
import type { Db } from '../../operations.ts';

/** Amounts and rates, visible to managers only. */
const MONEY = ['budget', 'cost', 'hourly_rate', 'cost_rate'];
/** Fields that are never shown to clients. */
const INNER = [
  ...MONEY,
  'health',
  'tags',
  'billable',
  'currency',
  'customer_id',
  'visibility',
  'wip_policy',
  'external_id',
  'client_visible',
  'estimate_minutes',
  'blocked_by',
  'watchers',
];
const RECENT = 20;

function visibleDiff(caller: Caller): Sql {
  if (caller.kind === 'client') return sql`activities.diff - ${INNER}::text[]`;
  return sql`CASE WHEN ${hasRole(caller, sql`activities.project_id`, 'manager')} THEN activities.diff
    ELSE activities.diff - ${MONEY}::text[] END`;
}

const object = sql`json_build_object(
  'type', activities.object_type, 'id', activities.object_id, 'label', activities.object_label)`;

/**
 * Returns SQL for the history entries that the caller can read. Entries about tasks, bugs and milestones, and about
 * their comments and files, require the permission to see them. Entries about time are as visible as the time itself.
 */
function readableActivities(caller: Caller): Sql {
  const { permissions, user_id } = caller;
  const kinds = visibleKinds(caller);
  const conditions: Sql[] = [sql`TRUE`];
  if (kinds.length < 2) {
    const isShown = sql`kind = ANY(${kinds}::text[])`;
    const items = sql`SELECT FROM work_items WHERE ${isShown} AND work_items.id`;
    conditions.push(sql`CASE activities.object_type
      WHEN 'task' THEN ${kinds.includes('task')}::boolean
      WHEN 'bug' THEN ${kinds.includes('bug')}::boolean
      WHEN 'comment' THEN EXISTS (${items} = (SELECT item_id FROM comments WHERE comments.id = activities.object_id))
      WHEN 'file' THEN EXISTS (
        SELECT FROM files WHERE files.id = activities.object_id AND (files.item_id IS NULL OR EXISTS (${items} = files.item_id))
          AND (files.comment_id IS NULL OR EXISTS (
            ${items} = (SELECT item_id FROM comments WHERE comments.id = files.comment_id))))
      ELSE TRUE END`);
  }
  if (!permissions.includes('milestone.view')) conditions.push(sql`activities.object_type <> 'milestone'`);
  if (!permissions.includes('time.view_all'))
    conditions.push(sql`(activities.object_type <> 'time_entry' OR activities.actor_id = ${user_id}::uuid
      OR EXISTS (SELECT FROM time_entries WHERE time_entries.id = activities.object_id))`);
  return join(conditions, ' AND ');
}

/** Returns a page of a project's history. @throws NotFound if it does not exist or the caller cannot see it */
export async function listActivities(db: Db, caller: Caller, request: ListRequest, project_id: string): Promise<Page> {
  if (!(await db.project.findFirst({ where: { id: project_id }, select: { id: true } }))) throw NotFound();
  const filters = request.filters.map((filter) =>
    filter.column === 'object' ? { ...filter, column: 'object_type' } : filter,
  );
  const found = await paginate(
    db,
    { ...request, filters },
    {
      table: 'activities',
      where: sql`activities.project_id = ${project_id}::uuid AND ${readableActivities(caller)}`,
      compute: { object, diff: visibleDiff(caller), actor: sql`NULL`, updated_at: sql`activities.at` },
    },
  );
  await one('actor_id', userLabels(db))(found.rows as never, 'actor');
  return found;
}

/** Returns the latest history of several projects, at most `limit` visible entries per project. */
export async function recentActivities(db: Db, caller: Caller, ids: readonly string[], limit = RECENT) {
  const rows = await db.rows<Record<string, unknown>>(sql`
    SELECT activities.id, project_id, actor_id, verb, at, ${object} AS object, ${visibleDiff(caller)} AS diff
    FROM unnest(${ids}::uuid[]) AS project (id) CROSS JOIN LATERAL (
      SELECT * FROM activities WHERE activities.project_id = project.id AND ${readableActivities(caller)} ORDER BY at DESC, id DESC LIMIT ${limit}) AS activities
    ORDER BY at DESC, id DESC`);
  await one('actor_id', userLabels(db))(rows, 'actor');
  return rows;
}

/** Returns the latest history entries of all projects visible to the caller, without their actors. */
export const latestActivities = (db: Db, caller: Caller, limit: number): Promise<Record<string, unknown>[]> =>
  db.rows(sql`
    SELECT activities.id, actor_id, verb, at, ${object} AS object, ${visibleDiff(caller)} AS diff
    FROM activities WHERE ${readableActivities(caller)} ORDER BY at DESC, id DESC LIMIT ${limit}`);
