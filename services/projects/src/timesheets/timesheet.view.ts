/** Timesheets: entries, counted by person and week. */
import { type Caller, type ListRequest, one, paginate, sql } from '@suite/chassis';
import { userLabels } from '@suite/users';
import type { Db } from '../operations.ts';
import { shownThrough } from '../time/time-entry.view.ts';

const byWeek = (caller: Caller) => sql`(
  SELECT workspace_id, user_id, week, (array_agg(id ORDER BY started_at))[1] AS id, sum(entries)::int AS entries,
    sum(seconds)::int AS seconds, sum(rounded_seconds)::int AS rounded_seconds, max(updated_at) AS updated_at,
    jsonb_object_agg(status, entries) AS by_status
  FROM (
    SELECT workspace_id, user_id, date_trunc('week', local_date)::date AS week, status,
      (array_agg(id ORDER BY started_at))[1] AS id, min(started_at) AS started_at, count(*)::int AS entries,
      coalesce(sum(duration_seconds), 0) AS seconds, coalesce(sum(rounded_seconds), 0) AS rounded_seconds,
      max(updated_at) AS updated_at
    FROM time_entries WHERE ${shownThrough(caller)} GROUP BY 1, 2, 3, 4) AS by_status
  GROUP BY 1, 2, 3)`;

/** One page of timesheets, of the entries that the caller sees. */
export const listTimesheets = (db: Db, caller: Caller, request: ListRequest) =>
  paginate(db, request, {
    table: 'timesheets',
    from: byWeek(caller),
    expand: { user: one('user_id', userLabels(db)) },
  });
