/** The days of attendance that leave makes. Leave calls this in the transaction that grants or takes back. */
import { sql } from '@suite/chassis';
import type { Db } from '../operations.ts';
import {
  type DayContext,
  dayToBegin,
  derive,
  isBlank,
  isHoliday,
  isMissed,
  readWorkers,
  removeEmpty,
  settleDays,
  tellDays,
} from './attendance-day.ts';
import { type DayRow, type Figured, insertDays, newRow, readDays, readLeave } from './day-row.ts';

/** The first and the last of some days. */
const spanOf = (days: readonly string[]) => {
  const sorted = days.toSorted();
  return { from: sorted[0]!, to: sorted.at(-1)! };
};

/** Days of leave of an employee. */
interface LeaveDays {
  employee_id: string;
  days: readonly string[];
}

type Derived = Figured & { derived: NonNullable<Figured['derived']> };
const isDerived = (day: Figured): day is Derived => day.derived !== undefined;

const daysThere = (db: Db, { employee_id, days }: LeaveDays): Promise<DayRow[]> =>
  readDays(db, sql`employee_id = ${employee_id}::uuid AND local_date = ANY (${days}::date[])`);

/**
 * Writes days of attendance for leave: on leave, or half a day, as all leave that is granted of the day says. Days that somebody
 * worked keep their punches. The application and its days must be written already, and the employee locked. However many days
 * there are, it takes the same few statements.
 */
export async function putLeave(context: DayContext, taken: LeaveDays): Promise<void> {
  const { employee_id, days } = taken;
  if (days.length === 0) return;
  const { db } = context;
  const [worker] = await readWorkers(db, [employee_id], spanOf(days));
  const known = await daysThere(db, taken);
  const missing = days.filter((day) => !known.some(({ local_date }) => local_date === day));
  const parts = await readLeave(db, { employee_id, days: missing });
  const figured = (row: DayRow): Figured => ({ row, derived: derive(row, worker!) });
  const begun = missing
    .map((day) => ({ ...newRow(dayToBegin(worker!, day)), leave: parts.get(day) ?? ('none' as const) }))
    .map(figured)
    .filter(isDerived);
  const written = await insertDays(db, begun);
  tellDays(
    context,
    begun.filter(({ row }) => written.has(row.id)),
  );
  // The schedule of absences may have written one in the meantime.
  const late = begun.filter(({ row }) => !written.has(row.id)).map(({ row }) => row.local_date);
  const others = [...known, ...(late.length > 0 ? await daysThere(db, { employee_id, days: late }) : [])];
  await settleDays(context, others.map(figured).filter(isDerived));
}

/**
 * Takes leave out of days of attendance, which are then as if it had never been. Days with punches, entered days and days with
 * other leave are derived anew. Nothing stays of the others, unless the employee missed them. The application must give the
 * days back already.
 * @param keeps_holidays whether holidays among them stay as days of attendance: they have taken the place of the leave
 */
export async function takeBackLeave(
  context: DayContext,
  { keeps_holidays = false, ...taken }: LeaveDays & { keeps_holidays?: boolean },
): Promise<void> {
  const { employee_id, days } = taken;
  if (days.length === 0) return;
  const { db } = context;
  const rows = await daysThere(db, taken);
  if (rows.length === 0) return;
  const [worker] = await readWorkers(db, [employee_id], spanOf(rows.map(({ local_date }) => local_date)));
  const isLeft = (row: DayRow) =>
    !isBlank(row) || isMissed(worker!, row.local_date) || (keeps_holidays && isHoliday(worker!, row.local_date));
  const gone = await removeEmpty(
    db,
    rows.filter((row) => !isLeft(row)),
  );
  const kept = rows.filter(({ id }) => !gone.includes(id));
  await settleDays(context, kept.map((row): Figured => ({ row, derived: derive(row, worker!) })).filter(isDerived));
}
