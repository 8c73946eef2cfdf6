/** Reads and writes attendance days with their punches. */
import { randomUUIDv7 } from 'node:crypto';
import { raw, type Sql, sql } from '@suite/chassis/database';
import type { ShiftTerms } from '../../time/days/day.rules.ts';
import type { Db } from '../../operations.ts';
import type { DayFacts, DerivedDay, AttendanceFlag } from './attendance-day.rules.ts';
import type { WorkSchedule } from './schedule.rules.ts';
import type { Punch } from './sessions.rules.ts';

/** Stored punch that has not been voided. */
export interface StoredPunch extends Punch {
  id: string;
  /** True if the punch arrived without a type. */
  is_toggle: boolean;
}

/** Stored attendance day with the data that it is derived from. */
export interface DayRow {
  id: string;
  employee_id: string;
  local_date: string;
  state: DerivedDay['state'];
  status: DerivedDay['status'] | null;
  worked_minutes: number;
  overtime_minutes: number;
  manual: boolean;
  flags: AttendanceFlag[];
  shift_id: string | null;
  shift_terms: ShiftTerms | null;
  /** Milliseconds since 1970. */
  shift_start: number | null;
  shift_end: number | null;
  window_start: number | null;
  window_end: number | null;
  leave: DayFacts['leave'];
  punches: StoredPunch[];
}

/** Leave part of a day, combined from all its leave requests. */
const PART = sql`CASE WHEN count(*) = 0 THEN 'none' WHEN bool_or(part = 'full') OR count(DISTINCT part) > 1 THEN 'full' ELSE min(part) END`;
const LEAVE = sql`(SELECT ${PART} FROM leave_parts(attendances.employee_id, attendances.local_date, attendances.local_date))`;

/** Reads an employee's leave on the given days. */
export async function readLeaveParts(
  db: Db,
  { employee_id, days }: { employee_id: string; days: readonly string[] },
): Promise<Map<string, DayFacts['leave']>> {
  if (days.length === 0) return new Map();
  const [from, to] = [days.toSorted()[0]!, days.toSorted().at(-1)!];
  const rows = await db.rows<{ day: string; leave: DayFacts['leave'] }>(sql`
    SELECT day::text AS day, ${PART} AS leave FROM leave_parts(${employee_id}::uuid, ${from}::date, ${to}::date) GROUP BY day`);
  return new Map(rows.map(({ day, leave }) => [day, leave]));
}

const PUNCHES = sql`coalesce((SELECT jsonb_agg(jsonb_build_object('id', id, 'type', type, 'at', round(extract(epoch FROM at) * 1000),
  'source', source, 'work_from_home', work_from_home, 'is_toggle', is_toggle) ORDER BY at, id)
  FROM attendance_events WHERE attendance_events.attendance_id = attendances.id AND voided_at IS NULL), '[]')`;

const moment = (column: string): Sql => sql`(extract(epoch FROM ${raw(column)}) * 1000)::float8 AS ${raw(column)}`;

/** Returns the days that match a condition, latest first. */
export const readDays = (db: Db, where: Sql): Promise<DayRow[]> =>
  db.rows<DayRow>(sql`
    SELECT id, employee_id, local_date::text AS local_date, state, status, worked_minutes, overtime_minutes, manual, flags, shift_id,
      shift_terms, ${moment('shift_start')}, ${moment('shift_end')}, ${moment('window_start')}, ${moment('window_end')}, ${LEAVE} AS leave, ${PUNCHES} AS punches
    FROM attendances WHERE ${where} ORDER BY local_date DESC`);

/** Returns the schedule that a day was counted by. @returns undefined for a day without a shift */
export function scheduleOf({ local_date, ...row }: DayRow): WorkSchedule | undefined {
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

/** New attendance day, with the current terms of its shift. */
export interface NewDay {
  employee_id: string;
  schedule: WorkSchedule;
  terms: ShiftTerms;
  shift_id: string | null;
  flags: readonly AttendanceFlag[];
}

/** Creates the row of a day without any attendance data. */
export const newRow = ({ employee_id, schedule, terms, shift_id, flags }: NewDay): DayRow => ({
  id: randomUUIDv7(),
  employee_id,
  local_date: schedule.day,
  state: 'closed',
  status: null,
  worked_minutes: 0,
  overtime_minutes: 0,
  manual: false,
  flags: [...flags],
  shift_id,
  shift_terms: terms,
  shift_start: schedule.start,
  shift_end: schedule.end,
  window_start: schedule.opens,
  window_end: schedule.closes,
  leave: 'none',
  punches: [],
});

/** Manual values that are stored with a derived day. */
export interface ManualValues {
  manual?: boolean;
  corrected_by?: string | null;
  reason?: string | null;
}

/** Attendance day with its derived values. Without `derived`, the day has not been derived yet. */
export interface StoredDay {
  row: DayRow;
  derived?: DerivedDay | undefined;
  marks?: ManualValues;
}

const instant = (ms: number | null | undefined): string | null =>
  ms === null || ms === undefined ? null : new Date(ms).toISOString();

/** Returns the values of a day as a JSON row. */
const dayToJson = ({ row, derived, marks = {} }: StoredDay) => ({
  id: row.id,
  state: derived?.state ?? row.state,
  status: derived?.status ?? row.status,
  first_in: instant(derived?.first_in),
  last_out: instant(derived?.last_out),
  worked_minutes: derived?.worked_minutes ?? 0,
  break_minutes: derived?.break_minutes ?? 0,
  expected_minutes: derived?.expected_minutes ?? 0,
  late_minutes: derived?.late_minutes ?? 0,
  early_minutes: derived?.early_minutes ?? 0,
  overtime_minutes: derived?.overtime_minutes ?? 0,
  flags: derived?.flags ?? row.flags,
  manual: marks.manual ?? false,
  corrected_by: marks.corrected_by ?? null,
  is_corrected: marks.corrected_by !== undefined,
  reason: marks.reason ?? null,
});

const CALCULATED_COLUMNS = sql`id uuid, state text, status text, first_in timestamptz, last_out timestamptz, worked_minutes int, break_minutes int,
  expected_minutes int, late_minutes int, early_minutes int, overtime_minutes int, flags text[], manual boolean, corrected_by uuid,
  is_corrected boolean, reason text`;

/** Inserts missing days in one statement. @returns the IDs of inserted days. Existing days are skipped */
export async function insertDays(db: Db, days: readonly StoredDay[]): Promise<Set<string>> {
  if (days.length === 0) return new Set();
  const rows = days.map((day) => ({
    ...dayToJson(day),
    employee_id: day.row.employee_id,
    local_date: day.row.local_date,
    timezone: day.row.shift_terms!.timezone,
    shift_id: day.row.shift_id,
    shift_terms: day.row.shift_terms,
    shift_start: instant(day.row.shift_start),
    shift_end: instant(day.row.shift_end),
    window_start: instant(day.row.window_start),
    window_end: instant(day.row.window_end),
  }));
  const written = await db.rows<{ id: string }>(sql`
    INSERT INTO attendances (id, employee_id, local_date, timezone, state, status, shift_id, shift_terms, shift_start, shift_end,
      window_start, window_end, first_in, last_out, worked_minutes, break_minutes, expected_minutes, late_minutes, early_minutes,
      overtime_minutes, flags, manual)
    SELECT id, employee_id, local_date, timezone, state, status, shift_id, shift_terms, shift_start, shift_end, window_start, window_end,
      first_in, last_out, worked_minutes, break_minutes, expected_minutes, late_minutes, early_minutes, overtime_minutes, flags, manual
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS begun (${CALCULATED_COLUMNS}, employee_id uuid, local_date date, timezone text,
      shift_id uuid, shift_terms jsonb, shift_start timestamptz, shift_end timestamptz, window_start timestamptz, window_end timestamptz)
    ON CONFLICT (workspace_id, employee_id, local_date) DO NOTHING RETURNING id`);
  return new Set(written.map(({ id }) => id));
}

/** Creates a day if it is missing. An existing day does not change. @returns the day */
export async function beginDay(db: Db, day: NewDay): Promise<DayRow> {
  const row = newRow(day);
  if ((await insertDays(db, [{ row }])).size > 0) return row;
  const [known] = await readDays(
    db,
    sql`employee_id = ${row.employee_id}::uuid AND local_date = ${row.local_date}::date`,
  );
  return known!;
}

/** Stores the derived values of days, in one statement. */
export async function updateDays(db: Db, days: readonly StoredDay[]): Promise<void> {
  if (days.length === 0) return;
  await db.rows(sql`
    UPDATE attendances SET state = computed.state, status = computed.status, first_in = computed.first_in, last_out = computed.last_out,
      worked_minutes = computed.worked_minutes, break_minutes = computed.break_minutes, expected_minutes = computed.expected_minutes,
      late_minutes = computed.late_minutes, early_minutes = computed.early_minutes, overtime_minutes = computed.overtime_minutes,
      flags = computed.flags, manual = computed.manual, corrected_by = coalesce(computed.corrected_by, attendances.corrected_by),
      corrected_at = CASE WHEN computed.is_corrected THEN clock_timestamp() ELSE attendances.corrected_at END,
      reason = coalesce(computed.reason, attendances.reason)
    FROM jsonb_to_recordset(${JSON.stringify(days.map(dayToJson))}::jsonb) AS computed (${CALCULATED_COLUMNS})
    WHERE attendances.id = computed.id`);
}
