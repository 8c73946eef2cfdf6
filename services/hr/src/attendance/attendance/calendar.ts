/** An employee's consecutive days: recorded days, and the status of days without a record. */
import { sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import { weekdayOf } from '@suite/time-zones';
import { CLOSING_MS, type AttendanceStatus } from '../attendance-days/attendance-day.rules.ts';
import { scheduleOn } from '../attendance-days/schedule.rules.ts';
import {
  type WorkspaceCalendar,
  type EmployeeSchedule,
  type WorkDay,
  workDay,
  workDays,
} from '../../time/days/day.rules.ts';
import { readCompanyAndPeople } from '../../time/days/days.ts';
import type { Db } from '../../operations.ts';
import type { AttendanceDay, AttendanceSummary } from './attendance.schema.ts';

type StoredAttendance = Omit<AttendanceDay, 'weekday' | 'holiday' | 'attendance_id'> & { id: string };

const NONE = {
  state: null,
  attendance_id: null,
  first_in: null,
  last_out: null,
  worked_minutes: 0,
  expected_minutes: 0,
  late_minutes: 0,
  overtime_minutes: 0,
  flags: [],
  leaves: [],
};

/** Returns the status of a day without a record. Payroll pays past working days. */
export function statusWithoutRecord(
  company: WorkspaceCalendar,
  person: EmployeeSchedule,
  { day, kind }: Pick<WorkDay, 'day' | 'kind'>,
): AttendanceDay['status'] {
  if (kind === 'not_employed') return null;
  if (kind === 'holiday' || kind === 'weekly_off') return kind;
  const schedule = scheduleOn((other) => workDay(company, person, other).terms, day);
  return schedule && clock.now().getTime() >= schedule.closes + CLOSING_MS ? 'unmarked' : null;
}

/** Reads the attendance days of an employee that the caller can see, from one day to another, inclusive. */
export async function attendanceDays(db: Db, employee_id: string, from: string, to: string): Promise<AttendanceDay[]> {
  const rows = await db.rows<StoredAttendance>(sql`
    SELECT id, local_date::text AS local_date, status, state, first_in, last_out, worked_minutes, expected_minutes, late_minutes,
      overtime_minutes, flags,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('leave_application_id', leave_application_id, 'part', part)
        ORDER BY part, leave_application_id), '[]') FROM leave_parts(employee_id, local_date, local_date)) AS leaves
    FROM attendances WHERE employee_id = ${employee_id}::uuid AND local_date BETWEEN ${from}::date AND ${to}::date`);
  const { company, people } = await readCompanyAndPeople(db, { from, to }, [employee_id]);
  const person = people.get(employee_id);
  if (!person) return [];
  const recorded = new Map(rows.map((row) => [row.local_date, row]));
  return workDays(company, person, from, to).map((one) => {
    const { id, ...row } = recorded.get(one.day) ?? { id: null };
    const facts = {
      local_date: one.day,
      weekday: weekdayOf(one.day),
      holiday: one.holiday?.name ?? null,
      attendance_id: id,
    };
    return { ...NONE, status: id ? null : statusWithoutRecord(company, person, one), ...row, ...facts };
  });
}

/** Returns the totals of some days. A day of work from home counts as present. */
export function summaryOf(days: readonly AttendanceDay[]): AttendanceSummary {
  const count = (...words: (AttendanceStatus | 'unmarked')[]) =>
    days.filter(({ status }) => status !== null && words.includes(status)).length;
  const sum = (name: 'worked_minutes' | 'overtime_minutes') => days.reduce((all, day) => all + day[name], 0);
  return {
    present: count('present', 'work_from_home'),
    half_day: count('half_day'),
    absent: count('absent'),
    unmarked: count('unmarked'),
    on_leave: count('on_leave'),
    worked_minutes: sum('worked_minutes'),
    late_count: days.filter(({ late_minutes }) => late_minutes > 0).length,
    overtime_minutes: sum('overtime_minutes'),
  };
}

/** Returns the first and last day of a month, `YYYY-MM`. */
export function spanOfMonth(month: string): { from: string; to: string } {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const last = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return { from: `${month}-01`, to: `${month}-${String(last).padStart(2, '0')}` };
}
