/** Attendance day of a punch, and the adjacent days. */
import { sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import { dayAt, daysAfter } from '@suite/time-zones';
import { NoShift, shiftOf, employeeTermsOn, type AttendanceEmployee } from '../attendance-days/attendance-day.ts';
import { type DayRow, type StoredPunch, newRow, readDays, scheduleOf } from '../attendance-days/day-row.ts';
import { dayOfPunch, scheduleOn } from '../attendance-days/schedule.rules.ts';
import { isEmployed } from '../../time/days/day.rules.ts';
import type { Db } from '../../operations.ts';
import type { PreviousPunches } from './punch.rules.ts';

export const NotEmployedThen = fault(
  422,
  'not_employed',
  'This employee is not employed on that day. Choose another day.',
);

/** Day with the punches before the new punch. */
export interface LastPunchDay extends PreviousPunches {
  row: DayRow;
}

/** Days around a punch. */
export interface PunchDays {
  at: number;
  /** Day of the last punch before the new one. */
  last: LastPunchDay | undefined;
  /** Days around the punch, by date. */
  days: ReadonlyMap<string, DayRow>;
  /** Later punches with their days, in order of time. */
  later: readonly { punch: StoredPunch; row: DayRow }[];
}

/** Returns the first and last day whose punches a punch may affect. A session lasts until the next window opens. */
export function daysNearPunch(at: number): { first: string; last: string } {
  const day = dayAt(at, 'UTC');
  return { first: daysAfter(day, -1), last: daysAfter(day, 3) };
}

const timeOf = (row: DayRow, at: number): number =>
  row.punches.findLast((punch) => punch.at <= at)?.at ?? Number.NEGATIVE_INFINITY;

/** Returns a day with its punches before a given punch. */
export function dayBeforePunch(
  employee: AttendanceEmployee,
  row: DayRow,
  punches: readonly StoredPunch[],
): LastPunchDay | undefined {
  const schedule = scheduleOf(row);
  if (!schedule) return undefined;
  const next = scheduleOn(employeeTermsOn(employee), daysAfter(row.local_date, 1));
  const next_opens = Math.max(schedule.closes, next?.opens ?? schedule.closes);
  return { row, punches, closes: schedule.closes, next_opens };
}

/** Reads the days around a punch, in one statement. */
export async function daysAround(db: Db, employee: AttendanceEmployee, at: number): Promise<PunchDays> {
  const { employee_id } = employee;
  const { first, last } = daysNearPunch(at);
  const rows = await readDays(
    db,
    sql`id = ANY (ARRAY(
      (SELECT attendance_id FROM attendance_events WHERE employee_id = ${employee_id}::uuid AND voided_at IS NULL
        AND at <= ${new Date(at)} ORDER BY at DESC, id DESC LIMIT 1)
      UNION ALL SELECT id FROM attendances WHERE employee_id = ${employee_id}::uuid
        AND local_date BETWEEN ${first}::date AND ${last}::date))`,
  );
  return daysAroundPunch(employee, rows, at);
}

/** Returns the day of the last punch that is not after a time. */
export function dayOfLastPunch(rows: Iterable<DayRow>, at: number): DayRow | undefined {
  let [found, latest]: [DayRow | undefined, number] = [undefined, Number.NEGATIVE_INFINITY];
  for (const row of rows) {
    const time = timeOf(row, at);
    if (time > latest) [found, latest] = [row, time];
  }
  return found;
}

/** Returns the days around a punch: the days near it, and the day of the last punch before it. */
export function daysAroundPunch(employee: AttendanceEmployee, rows: readonly DayRow[], at: number): PunchDays {
  const row = dayOfLastPunch(rows, at);
  const later = rows.flatMap((one) => one.punches.flatMap((punch) => (punch.at > at ? [{ punch, row: one }] : [])));
  return {
    at,
    last:
      row &&
      dayBeforePunch(
        employee,
        row,
        row.punches.filter((punch) => punch.at <= at),
      ),
    days: new Map(rows.map((one) => [one.local_date, one])),
    later: later.toSorted((one, other) => one.punch.at - other.punch.at),
  };
}

/** Returns the day that a punch begins, with its window. The day may already exist in the database. */
export function dayBegunByPunch(
  employee: AttendanceEmployee,
  at: number,
  days: ReadonlyMap<string, DayRow>,
  zone: string,
): DayRow | null {
  const begun = dayOfPunch(employeeTermsOn(employee), at, zone);
  if (!begun) return null;
  const { schedule, terms, outside_shift } = begun;
  const existing = days.get(schedule.day);
  if (!existing) {
    const flags = outside_shift ? (['outside_shift'] as const) : [];
    return newRow({
      employee_id: employee.employee_id,
      schedule,
      terms,
      shift_id: shiftOf(employee, schedule.day),
      flags,
    });
  }
  if (!outside_shift || existing.flags.includes('outside_shift')) return existing;
  // The day extends beyond its window and closes when the next window opens.
  return {
    ...existing,
    flags: [...existing.flags, 'outside_shift'],
    window_start: Math.min(existing.window_start ?? schedule.opens, schedule.opens),
    window_end: Math.max(existing.window_end ?? schedule.closes, schedule.closes),
  };
}

/** Returns the day that an employee's punch begins. @throws NoShift, NotEmployedThen */
export function punchDayToBegin(employee: AttendanceEmployee, { at, days }: PunchDays, zone: string): DayRow {
  const row = dayBegunByPunch(employee, at, days, zone);
  if (!row) throw NoShift();
  if (!isEmployed(employee.person, row.local_date)) throw NotEmployedThen({ local_date: row.local_date });
  return row;
}
