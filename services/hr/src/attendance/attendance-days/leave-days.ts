/** Attendance days created by leave. Leave code calls this in the transaction that grants or withdraws leave. */
import { sql } from '@suite/chassis/database';
import type { Db } from '../../operations.ts';
import {
  type DayContext,
  dayToBegin,
  derive,
  isBlank,
  isHoliday,
  isMissed,
  readEmployees,
  removeEmpty,
  settleDays,
  announceDays,
} from './attendance-day.ts';
import { type DayRow, type StoredDay, insertDays, newRow, readDays, readLeaveParts } from './day-row.ts';

/** Returns the first and last of some days. */
const spanOf = (days: readonly string[]) => {
  const sorted = days.toSorted();
  return { from: sorted[0]!, to: sorted.at(-1)! };
};

/** Days of leave of one employee. */
interface LeaveDays {
  employee_id: string;
  days: readonly string[];
}

type CalculatedDay = StoredDay & { derived: NonNullable<StoredDay['derived']> };
const isDerived = (day: StoredDay): day is CalculatedDay => day.derived !== undefined;

const findDays = (db: Db, { employee_id, days }: LeaveDays): Promise<DayRow[]> =>
  readDays(db, sql`employee_id = ${employee_id}::uuid AND local_date = ANY (${days}::date[])`);

/**
 * Writes attendance days for leave, as `on_leave` or `half_day` according to all leave granted for the day. Days with
 * punches retain them. The leave request and its days must already be stored, and the employee must be locked. The
 * number of statements does not depend on the number of days.
 */
export async function applyLeave(context: DayContext, leaveDays: LeaveDays): Promise<void> {
  const { employee_id, days } = leaveDays;
  if (days.length === 0) return;
  const { db } = context;
  const [employee] = await readEmployees(db, [employee_id], spanOf(days));
  const existing = await findDays(db, leaveDays);
  const missing = days.filter((day) => !existing.some(({ local_date }) => local_date === day));
  const parts = await readLeaveParts(db, { employee_id, days: missing });
  const calculate = (row: DayRow): StoredDay => ({ row, derived: derive(row, employee!) });
  const begun = missing
    .map((day) => ({ ...newRow(dayToBegin(employee!, day)), leave: parts.get(day) ?? ('none' as const) }))
    .map(calculate)
    .filter(isDerived);
  const written = await insertDays(db, begun);
  announceDays(
    context,
    begun.filter(({ row }) => written.has(row.id)),
  );
  // The absence job may have written a day in the meantime.
  const late = begun.filter(({ row }) => !written.has(row.id)).map(({ row }) => row.local_date);
  const others = [...existing, ...(late.length > 0 ? await findDays(db, { employee_id, days: late }) : [])];
  await settleDays(context, others.map(calculate).filter(isDerived));
}

/**
 * Removes leave from attendance days, as if it had never been granted. Days with punches, manual entries or other leave
 * are derived again. All other days are deleted, unless the employee missed them. The leave request must have released
 * the days already.
 * @param keeps_holidays true to keep holidays among these days as attendance days that replace the leave
 */
export async function withdrawLeave(
  context: DayContext,
  { keeps_holidays = false, ...leaveDays }: LeaveDays & { keeps_holidays?: boolean },
): Promise<void> {
  const { employee_id, days } = leaveDays;
  if (days.length === 0) return;
  const { db } = context;
  const rows = await findDays(db, leaveDays);
  if (rows.length === 0) return;
  const [employee] = await readEmployees(db, [employee_id], spanOf(rows.map(({ local_date }) => local_date)));
  const isKept = (row: DayRow) =>
    !isBlank(row) || isMissed(employee!, row.local_date) || (keeps_holidays && isHoliday(employee!, row.local_date));
  const gone = await removeEmpty(
    db,
    rows.filter((row) => !isKept(row)),
  );
  const remaining = rows.filter(({ id }) => !gone.includes(id));
  await settleDays(
    context,
    remaining.map((row): StoredDay => ({ row, derived: derive(row, employee!) })).filter(isDerived),
  );
}
