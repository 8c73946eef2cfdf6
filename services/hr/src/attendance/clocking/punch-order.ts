/** Order of punches: days result from punches in order of time, regardless of when a punch arrives. */
import { sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import { employeeTermsOn, type AttendanceEmployee } from '../attendance-days/attendance-day.ts';
import type { DayRow, StoredPunch } from '../attendance-days/day-row.ts';
import { dayOfPunch, scheduleOn } from '../attendance-days/schedule.rules.ts';
import type { Db } from '../../operations.ts';
import { type PunchDays, dayBeforePunch, dayBegunByPunch } from './punch-day.ts';
import { lateMeaningOf, presenceAfter } from './punch.rules.ts';

export const EnteredByHand = fault(409, 'entered_by_hand', 'This day was entered manually. Ask HR to correct it.');

/** Rejects a late punch on a day that a user entered or corrected manually. @throws EnteredByHand */
export function assertNotEntered(row: DayRow, at: number): void {
  const entered = row.punches.filter(({ source }) => source === 'admin');
  const last = entered.at(-1);
  const is_complete = last !== undefined && (at < last.at || !presenceAfter(entered).inside);
  if (row.manual || is_complete) throw EnteredByHand({ attendance_id: row.id });
}

/** Day that a punch changes, with its punches after the change. */
export interface ChangedDay {
  before: DayRow | undefined;
  row: DayRow;
}

/** Restores the end of a window that was extended for a punch, if that punch no longer begins a session. */
function withWindow(employee: AttendanceEmployee, row: DayRow, zone: string): DayRow {
  if (!row.flags.includes('outside_shift')) return row;
  const first = row.punches.find(({ type }) => type === 'in') ?? row.punches[0];
  const begins = row.punches.filter((punch) => punch === first || punch.type === 'in');
  const schedule = scheduleOn(employeeTermsOn(employee), row.local_date);
  if (!schedule || begins.some(({ at }) => dayOfPunch(employeeTermsOn(employee), at, zone)?.outside_shift)) return row;
  const flags = row.flags.filter((flag) => flag !== 'outside_shift');
  return { ...row, flags, window_start: schedule.opens, window_end: schedule.closes };
}

const signatureOf = ({ punches, window_start, window_end }: DayRow): string =>
  JSON.stringify([punches.map(({ id, type }) => [id, type]), window_start, window_end]);

/**
 * Adds a punch to a day, and derives all later punches again in order of time. A toggle may change its type, and a
 * punch may move to another day. Manually entered punches do not change.
 * @returns the changed days
 */
export function insertPunch(
  employee: AttendanceEmployee,
  { at, days, later }: PunchDays,
  { row, punch, zone }: { row: DayRow; punch: StoredPunch; zone: string },
): ChangedDay[] {
  const placed = new Map([...days.values(), row].map((day) => [day.local_date, day]));
  for (const [date, day] of placed) placed.set(date, { ...day, punches: day.punches.filter((one) => one.at <= at) });
  let current = placed.get(row.local_date)!;
  const add = (day: DayRow, added: StoredPunch) => {
    current = { ...day, punches: [...day.punches, added] };
    placed.set(day.local_date, current);
  };
  add(current, punch);
  for (const { punch: next, row: own } of later) {
    const type = next.is_toggle ? undefined : next.type;
    const meaning = lateMeaningOf({ at: next.at, type }, dayBeforePunch(employee, current, current.punches));
    const entered = placed.get(own.local_date)!;
    if (next.source === 'admin') add(entered, next);
    else if (meaning.is === 'next') add(current, { ...next, type: meaning.type });
    else {
      const day = dayBegunByPunch(employee, next.at, placed, zone) ?? entered;
      add(day, { ...next, type: meaning.is === 'first' ? 'in' : meaning.type });
    }
  }
  return [...placed.values()].flatMap((day) => {
    const before = days.get(day.local_date);
    const changed = { ...withWindow(employee, day, zone), manual: day.manual && day.punches.length === 0 };
    return before && signatureOf(before) === signatureOf(changed) ? [] : [{ before, row: changed }];
  });
}

/** Stores the windows of days, and the days and types of punches that a late punch changed. */
export async function storePunchOrder(db: Db, changed: readonly ChangedDay[]): Promise<void> {
  for (const { before, row } of changed) {
    if (before && (before.window_start !== row.window_start || before.window_end !== row.window_end))
      await db.rows(sql`
        UPDATE attendances SET window_start = ${new Date(row.window_start!)}, window_end = ${new Date(row.window_end!)}
        WHERE id = ${row.id}::uuid`);
    const existing = new Map(before?.punches.map(({ id, type }) => [id, type]));
    const moved = row.punches.filter(({ id, type }) => id !== '' && existing.get(id) !== type);
    if (moved.length > 0)
      await db.rows(sql`
        UPDATE attendance_events SET attendance_id = ${row.id}::uuid, type = moved.type
        FROM jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) AS moved (id uuid, type text)
        WHERE attendance_events.id = moved.id`);
  }
}
