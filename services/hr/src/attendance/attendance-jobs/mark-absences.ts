/**
 * Marks employees absent who have no punch on a working day. Applies once the day's window has passed and if pay
 * follows attendance. The settings of each workspace record the last finished day, so that days are caught up after
 * downtime. Days with a record do not change.
 */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import type { Emit } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import {
  runDueWork,
  declareSchedule,
  findEverywhere,
  isNotPostponed,
  jobTransaction,
  type JobContext,
} from '@suite/chassis/service';
import { AttendanceClosed } from '@suite/proto/hr/v1/events';
import { dayAt, daysAfter, daysOf } from '@suite/time-zones';
import { expectedOn } from '../attendance-days/attendance-day.rules.ts';
import {
  isMissed,
  readEmployees,
  shiftOf,
  employeeTermsOn,
  type AttendanceEmployee,
} from '../attendance-days/attendance-day.ts';
import { scheduleOn } from '../attendance-days/schedule.rules.ts';
import { workDay } from '../../time/days/day.rules.ts';
import type { Db } from '../../operations.ts';

const SCHEDULE = 'hr.mark-absences';
/** Days after which all windows of a day have passed in every zone, night shifts included. */
const DONE_AFTER_DAYS = 3;
/** Maximum number of missed days processed in one run. */
const DAYS_MAX = 31;

/**
 * Builds the row of a day on which an employee was absent. @returns undefined if the employee was not expected or the
 * window is still open
 */
function absenceOf(employee: AttendanceEmployee, day: string) {
  if (!isMissed(employee, day)) return undefined;
  const { kind, terms } = workDay(employee.company, employee.person, day);
  const schedule = scheduleOn(employeeTermsOn(employee), day);
  if (!terms || !schedule) return undefined;
  return {
    id: randomUUIDv7(),
    employee_id: employee.employee_id,
    local_date: day,
    timezone: terms.timezone,
    shift_id: shiftOf(employee, day),
    shift_terms: terms,
    expected_minutes: expectedOn({ schedule, terms, kind, leave: 'none' }),
    shift_start: new Date(schedule.start),
    shift_end: new Date(schedule.end),
    window_start: new Date(schedule.opens),
    window_end: new Date(schedule.closes),
  };
}

/** Marks and announces the absences of a day. */
async function markDay(db: Db, emit: Emit, day: string): Promise<void> {
  const missing = await db.rows<{ id: string }>(sql`
    SELECT id FROM employees WHERE status IN ('active', 'on_notice', 'left') AND joining_date <= ${day}::date
      AND (exit_date IS NULL OR exit_date >= ${day}::date)
      AND NOT EXISTS (SELECT FROM attendances WHERE attendances.employee_id = employees.id AND attendances.local_date = ${day}::date)
      AND NOT is_paid_day(id, ${day}::date)`);
  if (missing.length === 0) return;
  const employees = await readEmployees(
    db,
    missing.map(({ id }) => id),
    { from: day, to: day },
  );
  const absences = employees.flatMap((employee) => absenceOf(employee, day) ?? []);
  const marked = await db.rows<{ id: string; employee_id: string }>(sql`
    INSERT INTO attendances (id, employee_id, local_date, timezone, state, status, shift_id, shift_terms, shift_start, shift_end,
      window_start, window_end, expected_minutes)
    SELECT id, employee_id, local_date, timezone, 'closed', 'absent', shift_id, shift_terms, shift_start, shift_end, window_start,
      window_end, expected_minutes
    FROM jsonb_to_recordset(${JSON.stringify(absences)}::jsonb) AS missed (id uuid, employee_id uuid, local_date date, timezone text,
      shift_id uuid, shift_terms jsonb, shift_start timestamptz, shift_end timestamptz, window_start timestamptz,
      window_end timestamptz, expected_minutes int)
    ON CONFLICT (workspace_id, employee_id, local_date) DO NOTHING RETURNING id, employee_id`);
  for (const { id: attendance_id, employee_id } of marked)
    emit(AttendanceClosed, {
      attendance_id,
      employee_id,
      local_date: day,
      status: 'absent',
      worked_minutes: 0,
      overtime_minutes: 0,
    });
}

interface DueWorkspace {
  workspace_id: string;
  timezone: string;
  absences_through: string | null;
}

/** Marks the absences of a workspace, one transaction a day. Returns the number of processed days. */
async function markWorkspace(
  { database }: Pick<JobContext<Db>, 'database'>,
  { workspace_id, timezone, absences_through }: DueWorkspace,
  now: number,
): Promise<number> {
  const present = dayAt(now, timezone);
  // A new workspace starts with the previous day, because its date can be one day ahead of the shift's date.
  const through = absences_through ?? daysAfter(present, -2);
  const done = daysAfter(present, -DONE_AFTER_DAYS);
  const days = daysOf(daysAfter(through, 1), present).slice(0, DAYS_MAX);
  for (const day of days) {
    await database.write(jobTransaction(SCHEDULE, workspace_id), async (db, emit) => {
      await markDay(db, emit, day);
      const reached = day <= done ? day : through;
      await db.rows(sql`
        UPDATE settings SET absences_through = ${reached}::date WHERE absences_through IS NULL OR absences_through < ${reached}::date`);
    });
  }
  return days.length;
}

/** Marks the absences of all workspaces. Returns the total number of processed days. */
export async function markAbsences(tools: Pick<JobContext<Db>, 'database' | 'log'>): Promise<number> {
  const now = clock.now().getTime();
  const workspaces = await findEverywhere<DueWorkspace>(
    tools.database,
    SCHEDULE,
    sql`
      SELECT workspace_id, timezone, absences_through::text AS absences_through FROM settings
      WHERE ${isNotPostponed(SCHEDULE, sql`workspace_id`)} ORDER BY workspace_id`,
  );
  let looked = 0;
  await runDueWork(tools, SCHEDULE, workspaces, async (workspace) => {
    looked += await markWorkspace(tools, workspace, now);
  });
  return looked;
}

export const markDueAbsences = declareSchedule(SCHEDULE, 900_000, markAbsences);
