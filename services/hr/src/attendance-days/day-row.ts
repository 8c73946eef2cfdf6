/** Reads and writes days of attendance with their punches. */
import { randomUUIDv7 } from 'node:crypto';
import { raw, type Sql, sql } from '@suite/chassis';
import type { ShiftTerms } from '../days/day.rules.ts';
import type { Db } from '../operations.ts';
import type { DayFacts, DerivedDay, Flag, Punch } from './attendance-day.rules.ts';
import type { Schedule } from './schedule.rules.ts';

/** A punch that counts. */
export interface KeptPunch extends Punch {
  id: string;
}

/** A day as it lies in the database, with what it is derived of. */
export interface DayRow {
  id: string;
  employee_id: string;
  local_date: string;
  state: DerivedDay['state'];
  status: DerivedDay['status'] | null;
  worked_minutes: number;
  overtime_minutes: number;
  manual: boolean;
  flags: Flag[];
  shift_id: string | null;
  shift_terms: ShiftTerms | null;
  /** Milliseconds since 1970. */
  shift_start: number | null;
  shift_end: number | null;
  window_start: number | null;
  window_end: number | null;
  leave: DayFacts['leave'];
  punches: KeptPunch[];
}

const LEAVE = sql`coalesce((SELECT CASE WHEN half_day <> 'none' OR (starts_midday AND attendances.local_date = leave_applications.from)
  OR (ends_midday AND attendances.local_date = leave_applications.to) THEN 'half' ELSE 'full' END
  FROM leave_applications WHERE leave_applications.id = attendances.leave_application_id), 'none')`;

const PUNCHES = sql`coalesce((SELECT jsonb_agg(jsonb_build_object('id', id, 'type', type, 'at', round(extract(epoch FROM at) * 1000),
  'source', source, 'work_from_home', work_from_home) ORDER BY at, id)
  FROM attendance_events WHERE attendance_events.attendance_id = attendances.id AND voided_at IS NULL), '[]')`;

const moment = (column: string): Sql => sql`(extract(epoch FROM ${raw(column)}) * 1000)::float8 AS ${raw(column)}`;

/** The days for which a condition holds, the latest first. */
export const readDays = (db: Db, where: Sql): Promise<DayRow[]> =>
  db.rows<DayRow>(sql`
    SELECT id, employee_id, local_date::text AS local_date, state, status, worked_minutes, overtime_minutes, manual, flags, shift_id,
      shift_terms, ${moment('shift_start')}, ${moment('shift_end')}, ${moment('window_start')}, ${moment('window_end')}, ${LEAVE} AS leave, ${PUNCHES} AS punches
    FROM attendances WHERE ${where} ORDER BY local_date DESC`);

/** The schedule that a day was counted by. @returns undefined for one without a shift */
export function scheduleOf({ local_date, ...row }: DayRow): Schedule | undefined {
  const { shift_start, shift_end, window_start, window_end } = row;
  if (!shift_start || !shift_end || !window_start || !window_end) return undefined;
  return {
    day: local_date,
    start: shift_start,
    end: shift_end,
    opens: window_start,
    closes: window_end,
    next_opens: window_end,
  };
}

/** A day that is begun, by the terms that its shift has then. */
export interface NewDay {
  employee_id: string;
  schedule: Schedule;
  terms: ShiftTerms;
  shift_id: string | null;
  flags: readonly Flag[];
}

const instant = (ms: number): Date => new Date(ms);

/** Writes a day that is not there yet; one that is keeps what it has. @returns the day */
export async function beginDay(db: Db, { employee_id, schedule, terms, shift_id, flags }: NewDay): Promise<DayRow> {
  const { day, start, end, opens, closes } = schedule;
  await db.rows(sql`
    INSERT INTO attendances (id, employee_id, local_date, timezone, state, shift_id, shift_terms, shift_start, shift_end, window_start,
      window_end, flags)
    VALUES (${randomUUIDv7()}::uuid, ${employee_id}::uuid, ${day}::date, ${terms.timezone}, 'closed', ${shift_id}::uuid,
      ${JSON.stringify(terms)}::jsonb, ${instant(start)}, ${instant(end)}, ${instant(opens)}, ${instant(closes)}, ${flags}::text[])
    ON CONFLICT (workspace_id, employee_id, local_date) DO NOTHING`);
  const [row] = await readDays(db, sql`employee_id = ${employee_id}::uuid AND local_date = ${day}::date`);
  return row!;
}

/** The figures of a day that are written with others than were derived. */
export interface Marks {
  manual?: boolean;
  corrected_by?: string | null;
  reason?: string | null;
}

/** Writes what was derived of a day. */
export async function keepDay(
  db: Db,
  id: string,
  derived: DerivedDay,
  { manual = false, corrected_by, reason }: Marks = {},
): Promise<void> {
  const at = (ms: number | null): Date | null => (ms === null ? null : instant(ms));
  const corrected = corrected_by === undefined ? sql`corrected_at` : sql`clock_timestamp()`;
  await db.rows(sql`
    UPDATE attendances SET state = ${derived.state}, status = ${derived.status}, first_in = ${at(derived.first_in)}::timestamptz,
      last_out = ${at(derived.last_out)}::timestamptz, worked_minutes = ${derived.worked_minutes}::int, break_minutes = ${derived.break_minutes}::int,
      expected_minutes = ${derived.expected_minutes}::int, late_minutes = ${derived.late_minutes}::int,
      early_minutes = ${derived.early_minutes}::int, overtime_minutes = ${derived.overtime_minutes}::int,
      flags = ${derived.flags}::text[], manual = ${manual}::boolean,
      corrected_by = coalesce(${corrected_by ?? null}::uuid, corrected_by), corrected_at = ${corrected},
      reason = coalesce(${reason ?? null}::text, reason)
    WHERE id = ${id}::uuid`);
}
