/** Views of attendance days in lists and responses. */
import { join, raw, type Sql, sql } from '@suite/chassis/database';
import { type ListRequest, one, type Page, paginate, readOne } from '@suite/chassis/lists';
import { employeeLabels } from '../../employees/employees/employee-label.ts';
import type { Db } from '../../operations.ts';
import { Attendance, SPECIAL } from './attendance.schema.ts';

/** Punch in the response format, as a JSON object. */
const PUNCH = sql`jsonb_build_object('id', punch.id, 'type', punch.type, 'at', to_char(punch.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'local_at', to_char(punch.at AT TIME ZONE punch.timezone, 'YYYY-MM-DD"T"HH24:MI:SS'), 'source', punch.source, 'ip', punch.ip,
  'geo', punch.geo, 'note', punch.note, 'work_from_home', punch.work_from_home, 'voided', punch.voided_at IS NOT NULL)`;

const compute = {
  user_id: sql`SELECT employees.user_id FROM employees WHERE employees.id = attendances.employee_id`,
  shift: sql`CASE WHEN attendances.shift_terms IS NOT NULL THEN jsonb_build_object('start', attendances.shift_terms -> 'start',
    'end', attendances.shift_terms -> 'end', 'timezone', attendances.shift_terms -> 'timezone',
    'break_minutes', attendances.shift_terms -> 'break_minutes') END`,
  leaves: sql`SELECT coalesce(jsonb_agg(jsonb_build_object('leave_application_id', leave_application_id, 'part', part)
      ORDER BY part, leave_application_id), '[]')
    FROM leave_parts(attendances.employee_id, attendances.local_date, attendances.local_date)`,
  leave_id: sql`SELECT leave_application_id FROM leave_parts(attendances.employee_id, attendances.local_date, attendances.local_date)
    ORDER BY part, leave_application_id LIMIT 1`,
  payroll_locked: sql`is_paid_day(attendances.employee_id, attendances.local_date)`,
  punches: sql`SELECT coalesce(jsonb_agg(${PUNCH} ORDER BY punch.at, punch.id), '[]') FROM attendance_events AS punch
    WHERE punch.attendance_id = attendances.id`,
};

const viewOf = (db: Db) => ({
  table: 'attendances',
  compute,
  expand: { employee: one('employee_id', employeeLabels(db)) },
});

type Filter = ListRequest['filters'][number];

/** Filters that do not compare a column: a single flag, and an employee's current branch or department. */
function special({ column, operator, values }: Filter): Sql {
  if (operator === 'null') return values[0] ? sql`FALSE` : sql`TRUE`;
  const not = operator === 'ne' ? sql`NOT ` : sql``;
  if (column === 'flag') return sql`${not}attendances.flags && ${values}::text[]`;
  return sql`${not}attendances.employee_id = ANY (ARRAY(
    SELECT employees.id FROM employees WHERE ${raw(`employees.${column}`)} = ANY (${values}::uuid[])))`;
}

const isSpecial = ({ column }: { column: string }): boolean => SPECIAL.some((name) => name === column);

/** Returns a page of the days that the caller can see. */
export function listAttendances(db: Db, request: ListRequest): Promise<Page> {
  const where = request.filters.filter(isSpecial).map(special);
  return paginate(
    db,
    {
      ...request,
      columns: request.columns.filter((column) => !isSpecial({ column })),
      filters: request.filters.filter((filter) => !isSpecial(filter)),
    },
    { ...viewOf(db), where: join([sql`TRUE`, ...where], ' AND ') },
  );
}

/** Returns a day with its punches. @throws NotFound */
export const readAttendance = (db: Db, id: string) => readOne(db, Attendance, id, viewOf(db));
