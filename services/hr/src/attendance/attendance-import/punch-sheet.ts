/** Sheet of an employee: their days around the punches of a log, to which the punches are applied in memory. */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import {
  type FinalPeriod,
  OnLeave,
  PayrollClosed,
  type AttendanceEmployee,
} from '../attendance-days/attendance-day.ts';
import { CLOSING_MS } from '../attendance-days/attendance-day.rules.ts';
import { type DayRow, type StoredPunch, readDays } from '../attendance-days/day-row.ts';
import type { PunchType } from '../attendance-days/sessions.rules.ts';
import { type ClockingSettings, interpretPunch } from '../clocking/punch.ts';
import { assertNotEntered, insertPunch } from '../clocking/punch-order.ts';
import { daysAroundPunch, dayOfLastPunch, daysNearPunch, punchDayToBegin } from '../clocking/punch-day.ts';
import type { Db } from '../../operations.ts';

/** Days of an employee as stored, and after the punches of a log. */
export interface PunchSheet {
  employee: AttendanceEmployee;
  stored: ReadonlyMap<string, DayRow>;
  days: Map<string, DayRow>;
  /** Days to derive again, by date. */
  changed: Set<string>;
  /** Devices of the new punches, by punch ID. */
  devices: Map<string, string>;
  /** Periods of final payslips. */
  closed: readonly FinalPeriod[];
}

/** Punch of a log. */
export interface LoggedPunch {
  employee_id: string;
  /** Time in milliseconds since 1970. */
  instant: number;
  device_id: string;
}

/**
 * Reads the days around the punches of a log, in one statement. Long gaps between the punches are not read.
 * @returns the days by employee
 */
export async function readSheetDays(db: Db, punches: readonly LoggedPunch[]): Promise<Map<string, DayRow[]>> {
  const counted = punches.map(({ employee_id, instant }) => ({ employee_id, at: new Date(instant).toISOString() }));
  const spans = new Map(
    punches.map(({ employee_id, instant }) => {
      const span = { employee_id, ...daysNearPunch(instant) };
      return [`${employee_id} ${span.first}`, span] as const;
    }),
  );
  const rows = await readDays(
    db,
    sql`id = ANY (ARRAY(
      SELECT near.id FROM jsonb_to_recordset(${JSON.stringify([...spans.values()])}::jsonb) AS span (employee_id uuid, first date, last date)
        CROSS JOIN LATERAL (SELECT id FROM attendances
          WHERE attendances.employee_id = span.employee_id AND local_date BETWEEN span.first AND span.last) AS near
      UNION SELECT before.attendance_id FROM jsonb_to_recordset(${JSON.stringify(counted)}::jsonb) AS punch (employee_id uuid, at timestamptz)
        CROSS JOIN LATERAL (SELECT attendance_id FROM attendance_events
          WHERE attendance_events.employee_id = punch.employee_id AND voided_at IS NULL AND attendance_events.at <= punch.at
          ORDER BY attendance_events.at DESC, attendance_events.id DESC LIMIT 1) AS before))`,
  );
  return Map.groupBy(rows, ({ employee_id }) => employee_id);
}

/** Creates the sheet of an employee from their stored days. */
export const newSheet = (
  employee: AttendanceEmployee,
  rows: readonly DayRow[],
  closed: readonly FinalPeriod[],
): PunchSheet => {
  const stored = new Map(rows.map((row) => [row.local_date, row]));
  return { employee, stored, days: new Map(stored), changed: new Set(), devices: new Map(), closed };
};

/** Returns the days near a punch, and the day of the last punch before it. */
function daysNear({ days }: PunchSheet, at: number): DayRow[] {
  const { first, last } = daysNearPunch(at);
  const before = dayOfLastPunch(days.values(), at);
  return [...days.values()].filter((row) => row === before || (row.local_date >= first && row.local_date <= last));
}

/** Rejects days of final payslips. @throws PayrollClosed */
function assertOpen({ closed }: PunchSheet, day: string): void {
  const final = closed.find(({ period_start, period_end }) => period_start <= day && day <= period_end);
  if (final) throw PayrollClosed({ payroll_entry_id: final.payroll_entry_id });
}

/**
 * Applies a late punch to the days of a sheet, as `recordPunch` applies it to stored days. A rejected punch changes nothing.
 * @returns false if the punch repeats another one
 * @throws NoShift, NotEmployedThen, OnLeave, EnteredByHand, PayrollClosed
 */
export function applyPunch(
  sheet: PunchSheet,
  { instant: at, device_id }: LoggedPunch,
  type: PunchType | undefined,
  { clock_on_leave, timezone: zone }: ClockingSettings,
): boolean {
  const { employee, days, changed } = sheet;
  const around = daysAroundPunch(employee, daysNear(sheet, at), at);
  const meaning = interpretPunch({ at: new Date(at), type, is_late: true, source: 'device' }, around);
  if (meaning.is === 'same') return false;
  const { last } = around;
  const row = meaning.is === 'next' ? last!.row : punchDayToBegin(employee, around, zone);
  if (row.leave === 'full' && meaning.is !== 'next' && !clock_on_leave) throw OnLeave();
  assertNotEntered(row, at);
  const chosen = meaning.is === 'first' ? 'in' : meaning.type;
  const punch: StoredPunch = {
    id: randomUUIDv7(),
    type: chosen,
    at,
    source: 'device',
    work_from_home: false,
    is_toggle: type === undefined,
  };
  const after = insertPunch(employee, around, { row, punch, zone });
  for (const { row: day } of after) assertOpen(sheet, day.local_date);
  // The previous session was never ended. It ends by the rules before another one begins.
  if (meaning.is === 'first' && meaning.left_open && clock.now().getTime() >= last!.closes + CLOSING_MS)
    changed.add(last!.row.local_date);
  for (const { row: day } of after) {
    days.set(day.local_date, day);
    changed.add(day.local_date);
  }
  sheet.devices.set(punch.id, device_id);
  return true;
}
