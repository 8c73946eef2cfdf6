/** Stores the days and punches of sheets: a fixed number of statements, regardless of the number of punches. */
import { withSavepoint, sql } from '@suite/chassis/database';
import {
  announceDays,
  type DayContext,
  derive,
  isBlank,
  rederiveChanged,
  settleDays,
} from '../attendance-days/attendance-day.ts';
import { type DayRow, insertDays } from '../attendance-days/day-row.ts';
import type { Db } from '../../operations.ts';
import type { PunchSheet } from './punch-sheet.ts';

/** Day of a sheet, before and after its punches. */
interface SheetDay {
  sheet: PunchSheet;
  before: DayRow | undefined;
  row: DayRow;
}

const daysOf = (sheets: readonly PunchSheet[]): SheetDay[] =>
  sheets.flatMap((sheet) =>
    [...sheet.changed].map((day) => ({ sheet, before: sheet.stored.get(day), row: sheet.days.get(day)! })),
  );

const instant = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** Stores the windows of days that were extended for a punch, or whose extension is no longer needed. */
async function storeWindows(db: Db, days: readonly SheetDay[]): Promise<void> {
  const moved = days.filter(
    ({ before, row }) => before && (before.window_start !== row.window_start || before.window_end !== row.window_end),
  );
  if (moved.length === 0) return;
  const rows = moved.map(({ row: { id, window_start, window_end } }) => ({
    id,
    window_start: instant(window_start),
    window_end: instant(window_end),
  }));
  await db.rows(sql`
    UPDATE attendances SET window_start = moved.window_start, window_end = moved.window_end
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS moved (id uuid, window_start timestamptz, window_end timestamptz)
    WHERE attendances.id = moved.id`);
}

/** Stores the days and types of punches that the new punches changed. */
async function storeMoved(db: Db, days: readonly SheetDay[]): Promise<void> {
  const moved = days.flatMap(({ sheet, before, row }) => {
    const existing = new Map(before?.punches.map(({ id, type }) => [id, type]));
    return row.punches.flatMap(({ id, type }) =>
      sheet.devices.has(id) || existing.get(id) === type ? [] : [{ id, type, attendance_id: row.id }],
    );
  });
  if (moved.length === 0) return;
  await db.rows(sql`
    UPDATE attendance_events SET attendance_id = moved.attendance_id, type = moved.type
    FROM jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) AS moved (id uuid, type text, attendance_id uuid)
    WHERE attendance_events.id = moved.id`);
}

/** Stores the new punches. */
async function storeNew(db: Db, days: readonly SheetDay[]): Promise<void> {
  const added = days.flatMap(({ sheet, row }) =>
    row.punches.flatMap(({ id, type, at, is_toggle }) => {
      const device_id = sheet.devices.get(id);
      const { employee_id, id: attendance_id, shift_terms } = row;
      const { timezone } = shift_terms!;
      const punch = { id, employee_id, attendance_id, type, at: instant(at), timezone, device_id, is_toggle };
      return device_id === undefined ? [] : [punch];
    }),
  );
  await db.rows(sql`
    INSERT INTO attendance_events (id, employee_id, attendance_id, type, at, timezone, source, work_from_home, device_id, is_toggle)
    SELECT id, employee_id, attendance_id, type, at, timezone, 'device', false, device_id, is_toggle
    FROM jsonb_to_recordset(${JSON.stringify(added)}::jsonb) AS added (id uuid, employee_id uuid, attendance_id uuid, type text,
      at timestamptz, timezone text, device_id text, is_toggle boolean)`);
}

/** Another command has created a day of a sheet since it was read. */
class DayAlreadyCreated extends Error {}

/** Creates the days that the punches begin. @throws DayAlreadyCreated */
async function beginDays(context: DayContext, days: readonly SheetDay[]): Promise<void> {
  const begun = days
    .filter(({ before, row }) => !before && row.punches.length > 0)
    .map(({ sheet, row }) => ({ row, derived: derive(row, sheet.employee)! }));
  if ((await insertDays(context.db, begun)).size < begun.length) throw new DayAlreadyCreated();
  announceDays(context, begun);
}

/**
 * Stores the changed days of sheets with their punches, and announces each changed day once.
 * @returns false if another command has created one of the days: nothing is stored, and the log must be read again
 */
export async function storeSheets(context: DayContext, sheets: readonly PunchSheet[]): Promise<boolean> {
  const { db } = context;
  const days = daysOf(sheets);
  if (days.length === 0) return true;
  try {
    await withSavepoint(() => beginDays(context, days));
  } catch (error) {
    if (error instanceof DayAlreadyCreated) return false;
    throw error;
  }
  await storeWindows(db, days);
  await storeMoved(db, days);
  await storeNew(db, days);
  const existing = days.filter(({ before }) => before);
  const [blank, filled] = [existing.filter(({ row }) => isBlank(row)), existing.filter(({ row }) => !isBlank(row))];
  await settleDays(
    context,
    filled.flatMap(({ row, sheet }) => {
      const derived = derive(row, sheet.employee);
      return derived ? [{ row, derived }] : [];
    }),
  );
  await rederiveChanged(
    context,
    blank.map(({ row }) => row),
    sheets.map(({ employee }) => employee),
  );
  return true;
}
