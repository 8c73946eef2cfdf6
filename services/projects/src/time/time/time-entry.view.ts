/** Views of time entries, and the visibility of rates and amounts. */
import { raw, sql, type Sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { type ListRequest, one, paginate, readOne } from '@suite/chassis/lists';
import { userLabels } from '@suite/user-copies';
import type { z } from 'zod';
import type { Db } from '../../operations.ts';
import { OWN_ACTIONS, timeStates } from './time-entry.rules.ts';
import { TimeEntry } from './time-entry.schema.ts';

const isOwn = ({ user_id }: Caller): Sql => sql`time_entries.user_id = ${user_id}::uuid`;

/**
 * Returns the caller's actions on an entry: changes of their own time until it is submitted, and approval of others'
 * time.
 */
function actionsFor(caller: Caller): Sql {
  const own = Object.entries(OWN_ACTIONS).map(([state, actions]) => sql`WHEN ${state} THEN ${actions}::text[]`);
  return sql`
    CASE WHEN ${isOwn(caller)} THEN CASE time_entries.status ${own[0]} ${own[1]} ${own[2]} ELSE '{}' END ELSE '{}' END
    || CASE WHEN ${isOwn(caller)} AND NOT (SELECT self_approval FROM settings) THEN array_remove(${timeStates.shownTo(caller, 'time_entries')}, 'approve')
      ELSE ${timeStates.shownTo(caller, 'time_entries')} END`;
}

/** Returns SQL for a price column that only permitted callers see. */
const priceFor = (caller: Caller, column: string): Sql =>
  caller.permissions.includes('time.view_all')
    ? raw(`time_entries.${column}`)
    : sql`CASE WHEN ${isOwn(caller)} THEN ${raw(`time_entries.${column}`)} END`;

const timeEntryView = (db: Db, caller: Caller) => ({
  table: 'time_entries',
  compute: {
    hourly_rate: priceFor(caller, 'hourly_rate'),
    amount: priceFor(caller, 'amount'),
    invoiced_amount: priceFor(caller, 'invoiced_amount'),
    allowed_actions: actionsFor(caller),
  },
  expand: { user: one('user_id', userLabels(db)) },
});

/**
 * Returns the SQL condition for the time that a session may show. A tracker shows only its user's own time, regardless
 * of permissions.
 */
export const visibleToSession = (caller: Caller): Sql => (caller.purpose === 'tracker' ? isOwn(caller) : sql`TRUE`);

/** Returns a page of the time that the caller sees, with the sums over all pages. */
export const listTime = (db: Db, caller: Caller, request: ListRequest) =>
  paginate(db, request, {
    ...timeEntryView(db, caller),
    where: visibleToSession(caller),
    sums: {
      seconds: sql`coalesce(sum(time_entries.duration_seconds), 0)::bigint`,
      rounded_seconds: sql`coalesce(sum(time_entries.rounded_seconds), 0)::bigint`,
    },
  });

/** Returns an entry as visible to the caller. @throws NotFound */
export const readTime = (db: Db, caller: Caller, id: string): Promise<z.input<typeof TimeEntry>> =>
  readOne(db, TimeEntry, id, timeEntryView(db, caller));
