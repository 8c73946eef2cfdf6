/** The day of attendance that a tap belongs to, and the days around it. */
import { fault, sql } from '@suite/chassis';
import { dayAt, daysAfter } from '@suite/wall-clock';
import { NoShift, shiftOf, termsOf, type Worker } from '../attendance-days/attendance-day.ts';
import { type DayRow, type KeptPunch, newRow, readDays, scheduleOf } from '../attendance-days/day-row.ts';
import { dayOfTap, scheduleOn } from '../attendance-days/schedule.rules.ts';
import { isEmployed } from '../days/day.rules.ts';
import type { Db } from '../operations.ts';
import type { Before } from './tap.rules.ts';

export const NotEmployedThen = fault(422, 'not_employed', 'This employee is not employed on that day.');

/** A day with the punches before a tap. */
export interface Last extends Before {
  row: DayRow;
}

/** The days around a tap. */
export interface Around {
  at: number;
  /** The day of the last punch until the tap. */
  last: Last | undefined;
  /** The days around the tap, by their date. */
  days: ReadonlyMap<string, DayRow>;
  /** The punches after the tap with their days, in the order of their times. */
  later: readonly { punch: KeptPunch; row: DayRow }[];
}

/** Days after a tap whose punches may be counted differently with it. A session lasts until the next window opens. */
const DAYS_AFTER = 3;

const timeOf = (row: DayRow, at: number): number =>
  row.punches.findLast((punch) => punch.at <= at)?.at ?? Number.NEGATIVE_INFINITY;

/** The punches of a day before a tap. */
export function beforeTap(worker: Worker, row: DayRow, punches: readonly KeptPunch[]): Last | undefined {
  const schedule = scheduleOf(row);
  if (!schedule) return undefined;
  const next = scheduleOn(termsOf(worker), daysAfter(row.local_date, 1));
  const next_opens = Math.max(schedule.closes, next?.opens ?? schedule.closes);
  return { row, punches, closes: schedule.closes, next_opens };
}

/** Reads the days around a tap, in one statement. */
export async function daysAround(db: Db, worker: Worker, at: number): Promise<Around> {
  const { employee_id } = worker;
  const day = dayAt(at, 'UTC');
  const rows = await readDays(
    db,
    sql`id = ANY (ARRAY(
      (SELECT attendance_id FROM attendance_events WHERE employee_id = ${employee_id}::uuid AND voided_at IS NULL
        AND at <= ${new Date(at)} ORDER BY at DESC, id DESC LIMIT 1)
      UNION ALL SELECT id FROM attendances WHERE employee_id = ${employee_id}::uuid
        AND local_date BETWEEN ${daysAfter(day, -1)}::date AND ${daysAfter(day, DAYS_AFTER)}::date))`,
  );
  const [row] = rows
    .filter((one) => timeOf(one, at) > Number.NEGATIVE_INFINITY)
    .toSorted((one, other) => timeOf(other, at) - timeOf(one, at));
  const later = rows.flatMap((one) => one.punches.flatMap((punch) => (punch.at > at ? [{ punch, row: one }] : [])));
  return {
    at,
    last:
      row &&
      beforeTap(
        worker,
        row,
        row.punches.filter((punch) => punch.at <= at),
      ),
    days: new Map(rows.map((one) => [one.local_date, one])),
    later: later.toSorted((one, other) => one.punch.at - other.punch.at),
  };
}

/** The day that a tap begins, with its window. It may be in the database already. */
export function dayBegun(worker: Worker, at: number, days: ReadonlyMap<string, DayRow>, zone: string): DayRow | null {
  const begun = dayOfTap(termsOf(worker), at, zone);
  if (!begun) return null;
  const { schedule, terms, outside_shift } = begun;
  const known = days.get(schedule.day);
  if (!known) {
    const flags = outside_shift ? (['outside_shift'] as const) : [];
    return newRow({ employee_id: worker.employee_id, schedule, terms, shift_id: shiftOf(worker, schedule.day), flags });
  }
  if (!outside_shift || known.flags.includes('outside_shift')) return known;
  // The day is longer than its window: it closes when the next one opens.
  return {
    ...known,
    flags: [...known.flags, 'outside_shift'],
    window_start: Math.min(known.window_start ?? schedule.opens, schedule.opens),
    window_end: Math.max(known.window_end ?? schedule.closes, schedule.closes),
  };
}

/** The day that the tap of an employee begins. @throws NoShift, NotEmployedThen */
export function dayToBegin(worker: Worker, { at, days }: Around, zone: string): DayRow {
  const row = dayBegun(worker, at, days, zone);
  if (!row) throw NoShift();
  if (!isEmployed(worker.person, row.local_date)) throw NotEmployedThen({ local_date: row.local_date });
  return row;
}
