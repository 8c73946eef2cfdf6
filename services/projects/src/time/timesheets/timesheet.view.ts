/** Timesheets: the totals of entries by user and week. */
import { type Sql, sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { type ListRequest, one, type Page, paginate } from '@suite/chassis/lists';
import { userLabels } from '@suite/user-copies';
import type { Db } from '../../operations.ts';
import { visibleToSession } from '../time/time-entry.view.ts';

const byWeek = (caller: Caller, entries: Sql = sql``) => sql`(
  SELECT workspace_id, user_id, week, (array_agg(id ORDER BY started_at))[1] AS id, sum(entries)::int AS entries,
    sum(seconds)::int AS seconds, sum(rounded_seconds)::int AS rounded_seconds, max(updated_at) AS updated_at,
    jsonb_object_agg(status, entries) AS by_status
  FROM (
    SELECT workspace_id, user_id, date_trunc('week', local_date)::date AS week, status,
      (array_agg(id ORDER BY started_at))[1] AS id, min(started_at) AS started_at, count(*)::int AS entries,
      coalesce(sum(duration_seconds), 0) AS seconds, coalesce(sum(rounded_seconds), 0) AS rounded_seconds,
      max(updated_at) AS updated_at
    FROM time_entries WHERE ${visibleToSession(caller)} ${entries} GROUP BY 1, 2, 3, 4) AS by_status
  GROUP BY 1, 2, 3)`;

/** The newest entries, whose complete weeks fill a page unless each user tracks many spans of work. */
const HEAD = 1_000;

/** The newest timesheets of a list that is sorted by week: those after the week in which the newest entries end. */
function newest(caller: Caller, { sort, after, filters, q }: ListRequest): Sql | undefined {
  if (sort[0]?.column !== 'week' || !sort[0].descending || filters.length > 0 || q) return undefined;
  const until = after ? sql`AND local_date < ${after[0]}::date + 7` : sql``;
  return byWeek(
    caller,
    sql`${until} AND local_date >= (
      SELECT date_trunc('week', local_date)::date + 7 FROM time_entries WHERE ${visibleToSession(caller)} ${until}
      ORDER BY local_date DESC, time_entries.id DESC OFFSET ${HEAD} LIMIT 1)`,
  );
}

/** The entries of the week that a list is filtered by: an index finds their days, but no index has their weeks. */
function conditionOfWeek({ filters }: ListRequest): Sql {
  const week = filters.find(({ column, operator }) => column === 'week' && operator === 'eq')?.values[0];
  return week === undefined ? sql`` : sql`AND local_date >= ${week}::date AND local_date < ${week}::date + 7`;
}

/** Returns a page of timesheets, with only the entries visible to the caller. */
export function listTimesheets(db: Db, caller: Caller, request: ListRequest): Promise<Page> {
  const head = newest(caller, request);
  return paginate(db, request, {
    table: 'timesheets',
    from: byWeek(caller, conditionOfWeek(request)),
    ...(head && { head }),
    expand: { user: one('user_id', userLabels(db)) },
  });
}
