/** Views of attendance days in lists and responses. */
import { join, raw, type Sql, sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { type ListRequest, one, type Page, paginate, readOne } from '@suite/chassis/lists';
import { employeeLabels } from '../../employees/employees/employee-label.ts';
import type { Db } from '../../operations.ts';
import { attendanceActions } from './attendance.rules.ts';
import { Attendance, SPECIAL } from './attendance.schema.ts';

/** Context for reading attendance days. */
export interface AttendanceReader {
  db: Db;
  caller: Caller;
}

/** Punch in the response format, as a JSON object. */
const PUNCH = sql`jsonb_build_object('id', punch.id, 'type', punch.type, 'at', to_char(punch.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'local_at', to_char(punch.at AT TIME ZONE punch.timezone, 'YYYY-MM-DD"T"HH24:MI:SS'), 'source', punch.source, 'ip', punch.ip,
  'geo', punch.geo, 'note', punch.note, 'work_from_home', punch.work_from_home, 'voided', punch.voided_at IS NOT NULL)`;

const compute = {
  user_id: sql`SELECT employees.user_id FROM employees WHERE employees.id = attendances.employee_id`,
  shift: sql`CASE WHEN attendances.shift_terms IS NOT NULL THEN jsonb_build_object('start', attendances.shift_terms -> 'start',
    'end', attendances.shift_terms -> 'end', 'timezone', attendances.shift_terms -> 'timezone',
    'break_minutes', attendances.shift_terms -> 'break_minutes') END`,
  leaves: sql`details.leaves`,
  leave_id: sql`(details.leaves -> 0 ->> 'leave_application_id')::uuid`,
  payroll_locked: sql`details.is_paid`,
  punches: sql`SELECT coalesce(jsonb_agg(${PUNCH} ORDER BY punch.at, punch.id), '[]') FROM attendance_events AS punch
    WHERE punch.attendance_id = attendances.id`,
};

/** Leave and payroll of a day. Both come from functions that run as the owner, so each row calls them once. */
const DETAILS = sql`CROSS JOIN LATERAL (
  SELECT coalesce(jsonb_agg(jsonb_build_object('leave_application_id', leave_application_id, 'part', part)
      ORDER BY part, leave_application_id), '[]') AS leaves,
    is_paid_day(attendances.employee_id, attendances.local_date) AS is_paid
  FROM leave_parts(attendances.employee_id, attendances.local_date, attendances.local_date)) AS details`;

/**
 * Returns the allowed actions on a day. A day in a final payslip can be corrected only with `payroll.run`, and a day with
 * leave or with punches of the employee cannot be deleted.
 * Chosen: callers have no actions on their own days, even if no colleague could correct these. Only a call to platform
 * would show that no colleague has the permission.
 */
function actionsOf(caller: Caller): Sql {
  const actions = attendanceActions.allowedTo(caller, {});
  if (actions.length === 0) return sql`'{}'::text[]`;
  const closed = caller.permissions.includes('payroll.run') ? actions.filter((action) => action !== 'delete') : [];
  return sql`SELECT CASE
    WHEN EXISTS (SELECT FROM employees WHERE employees.id = attendances.employee_id AND employees.user_id = ${caller.user_id}::uuid)
      THEN '{}'::text[]
    WHEN details.is_paid THEN ${closed}::text[]
    WHEN EXISTS (SELECT FROM attendance_events WHERE attendance_events.attendance_id = attendances.id AND source <> 'admin')
      OR details.leaves <> '[]'
      THEN array_remove(${actions}::text[], 'delete')
    ELSE ${actions}::text[] END`;
}

const viewOf = ({ db, caller }: AttendanceReader) => ({
  table: 'attendances',
  compute: { ...compute, allowed_actions: actionsOf(caller) },
  details: DETAILS,
  expand: { employee: one('employee_id', employeeLabels(db)) },
});

type AttendanceFilterInput = ListRequest['filters'][number];

/** Filters that do not compare a column: a single flag, and an employee's current branch or department. */
function conditionOf({ column, operator, values }: AttendanceFilterInput): Sql {
  if (operator === 'null') return values[0] ? sql`FALSE` : sql`TRUE`;
  const not = operator === 'ne' ? sql`NOT ` : sql``;
  if (column === 'flag') return sql`${not}attendances.flags && ${values}::text[]`;
  return sql`${not}attendances.employee_id = ANY (ARRAY(
    SELECT employees.id FROM employees WHERE ${raw(`employees.${column}`)} = ANY (${values}::uuid[])))`;
}

const isSpecial = ({ column }: { column: string }): boolean => SPECIAL.some((name) => name === column);

/** Returns a page of the days that the caller can see. */
export function listAttendances(context: AttendanceReader, request: ListRequest): Promise<Page> {
  const where = request.filters.filter(isSpecial).map(conditionOf);
  return paginate(
    context.db,
    {
      ...request,
      columns: request.columns.filter((column) => !isSpecial({ column })),
      filters: request.filters.filter((filter) => !isSpecial(filter)),
    },
    { ...viewOf(context), where: join([sql`TRUE`, ...where], ' AND ') },
  );
}

/** Returns a day with its punches. @throws NotFound */
export const readAttendance = (context: AttendanceReader, id: string) =>
  readOne(context.db, Attendance, id, viewOf(context));
