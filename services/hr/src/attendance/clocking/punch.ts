/** Records punches of employees and devices, and imported device logs. */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import { dayAt, daysAfter } from '@suite/time-zones';
import {
  assertPayrollOpen,
  type DayContext,
  derive,
  isBlank,
  OnLeave,
  readEmployees,
  rederive,
  rederiveChanged,
  announceDays,
  type AttendanceEmployee,
} from '../attendance-days/attendance-day.ts';
import { CLOSING_MS } from '../attendance-days/attendance-day.rules.ts';
import { type DayRow, insertDays } from '../attendance-days/day-row.ts';
import type { PunchType, PunchSource } from '../attendance-days/sessions.rules.ts';
import type { Db } from '../../operations.ts';
import type { GeoPosition } from './place.rules.ts';
import { assertNotEntered, type ChangedDay, insertPunch, storePunchOrder } from './punch-order.ts';
import { type PunchDays, daysAround, punchDayToBegin } from './punch-day.ts';
import { isRepeated, lateMeaningOf, type PunchMeaning, meaningOf } from './punch.rules.ts';

/** Punch to be recorded. */
export interface NewPunch {
  at: Date;
  type?: PunchType | undefined;
  /** True if the punch was made earlier on an offline device. Other punches may still arrive. */
  is_late?: boolean;
  source: PunchSource;
  ip?: string | undefined;
  geo?: GeoPosition | undefined;
  note?: string | undefined;
  work_from_home?: boolean;
  client_id?: string | undefined;
  device_id?: string | undefined;
}

/** Result of recording a punch. */
export interface PunchResult {
  event_id: string;
  attendance_id: string;
  duplicate: boolean;
  warnings: string[];
}

/** Adds a punch to a day. */
async function addPunch(db: Db, row: DayRow, type: PunchType, newPunch: NewPunch): Promise<string> {
  const { at, source, ip, geo, note, work_from_home = false, client_id, device_id } = newPunch;
  const [made] = await db.rows<{ id: string }>(sql`
    INSERT INTO attendance_events (id, employee_id, attendance_id, type, at, timezone, source, ip, geo, note, work_from_home, client_id, device_id, is_toggle)
    VALUES (${randomUUIDv7()}::uuid, ${row.employee_id}::uuid, ${row.id}::uuid, ${type}, ${at}, ${row.shift_terms!.timezone}, ${source}, ${ip ?? null},
      ${geo ? JSON.stringify(geo) : null}::jsonb, ${note ?? null}, ${work_from_home}::boolean, ${client_id ?? null}::uuid, ${device_id ?? null},
      ${newPunch.type === undefined}::boolean)
    RETURNING id`);
  return made!.id;
}

/** Workspace settings for clocking in. */
export interface ClockingSettings {
  clock_on_leave: boolean;
  timezone: string;
}

/** Creates the days that a punch begins, with their derived minutes. @returns false if one of them already exists */
async function beginDays(context: DayContext, employee: AttendanceEmployee, rows: readonly DayRow[]): Promise<boolean> {
  const days = rows.map((row) => ({ row, derived: derive(row, employee)! }));
  if ((await insertDays(context.db, days)).size < days.length) return false;
  announceDays(context, days);
  return true;
}

/**
 * Stores a punch and all resulting changes. @returns the ID of the punch, or undefined if another command has created a
 * day concurrently
 */
async function storePunch(
  context: DayContext,
  employee: AttendanceEmployee,
  {
    newPunch,
    type,
    row,
    changed,
  }: { newPunch: NewPunch; type: PunchType; row: DayRow; changed: readonly ChangedDay[] },
): Promise<string | undefined> {
  const begun = changed.flatMap((day) => (day.before || day.row.punches.length === 0 ? [] : [day.row]));
  if (!(await beginDays(context, employee, begun))) return undefined;
  await storePunchOrder(context.db, changed);
  const event_id = await addPunch(context.db, row, type, newPunch);
  for (const { before, row: day } of changed) if (before && !isBlank(day)) await rederive(context, day, employee);
  const blank = changed.map(({ row: day }) => day).filter(isBlank);
  await rederiveChanged(context, blank, [employee]);
  return event_id;
}

/**
 * Interprets a punch by the punches before it. @throws NotClockedIn, AlreadyClockedIn, OnBreak, NotOnBreak for a punch
 * made now
 */
export function interpretPunch(
  { at, type, is_late = false }: NewPunch,
  { last, later }: PunchDays,
): PunchMeaning & { row?: DayRow } {
  const newPunch = { at: at.getTime(), type };
  const [before, after] = [last?.punches.at(-1), later[0]];
  if (before && isRepeated(newPunch, before)) return { is: 'same', punch: before, row: last!.row };
  if (after && isRepeated(newPunch, after.punch)) return { is: 'same', punch: after.punch, row: after.row };
  return is_late || after ? lateMeaningOf(newPunch, last) : meaningOf(newPunch, last);
}

/**
 * Records a punch at its own time, regardless of when it arrives. The employee's row must be locked, so that their
 * punches are processed in sequence.
 * @throws NotClockedIn, AlreadyClockedIn, OnBreak, NotOnBreak, NoShift, NotEmployedThen, OnLeave, EnteredByHand,
 * PayrollClosed
 */
export async function recordPunch(
  context: DayContext,
  employee: AttendanceEmployee,
  newPunch: NewPunch,
  clocking: ClockingSettings,
): Promise<PunchResult> {
  const { db } = context;
  const zone = clocking.timezone;
  const around = await daysAround(db, employee, newPunch.at.getTime());
  const { at, last, later } = around;
  const meaning = interpretPunch(newPunch, around);
  if (meaning.is === 'same')
    return { event_id: meaning.punch.id, attendance_id: meaning.row!.id, duplicate: true, warnings: [] };
  // The previous session was never ended. It ends by the rules before another one begins.
  if (meaning.is === 'first' && meaning.left_open && clock.now().getTime() >= last!.closes + CLOSING_MS)
    await rederive(context, last!.row, employee);
  const row = meaning.is === 'next' ? last!.row : punchDayToBegin(employee, around, zone);
  if (row.leave === 'full' && meaning.is !== 'next' && !clocking.clock_on_leave) throw OnLeave();
  if (newPunch.is_late || later.length > 0) assertNotEntered(row, at);
  const { source, work_from_home = false } = newPunch;
  const type: PunchType = meaning.is === 'first' ? 'in' : meaning.type;
  const punch = { id: '', type, at, source, work_from_home, is_toggle: newPunch.type === undefined };
  const changed = insertPunch(employee, around, { row, punch, zone });
  for (const { row: day } of changed) await assertPayrollOpen(db, employee.employee_id, day.local_date);
  const event_id = await storePunch(context, employee, { newPunch, type, row, changed });
  if (event_id === undefined) return await recordPunch(context, employee, newPunch, clocking);
  const warnings = row.leave === 'full' ? ['on_leave'] : [];
  return { event_id, attendance_id: row.id, duplicate: false, warnings };
}

/** Reads the data needed to record an employee's punches around a given time. */
export async function readAttendanceEmployee(db: Db, employee_id: string, at: Date): Promise<AttendanceEmployee> {
  const day = dayAt(at.getTime(), 'UTC');
  const [employee] = await readEmployees(db, [employee_id], { from: daysAfter(day, -3), to: daysAfter(day, 3) });
  return employee!;
}
