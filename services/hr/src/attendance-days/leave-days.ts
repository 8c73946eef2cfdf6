/** The days of attendance that leave makes. Leave calls this in the transaction that grants or takes back. */
import { clock, empty, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';
import {
  type DayContext,
  dayToBegin,
  derive,
  readWorkers,
  rederiveChanged,
  settleDays,
  tellDays,
  type Worker,
} from './attendance-day.ts';
import { type DayRow, insertDays, newRow, readDays } from './day-row.ts';

/** The first and the last of some days. */
const spanOf = (days: readonly string[]) => {
  const sorted = days.toSorted();
  return { from: sorted[0]!, to: sorted.at(-1)! };
};

/** Leave that takes some days of somebody. */
interface Taken {
  employee_id: string;
  application_id: string;
  days: readonly string[];
}

/** The days with what the leave takes of each: all of it or half, as the application says. */
async function readParts(db: Db, { application_id, days }: Taken): Promise<Map<string, DayRow['leave']>> {
  const rows = await db.rows<{ day: string; part: DayRow['leave'] }>(sql`
    SELECT day::text AS day, CASE WHEN half_day <> 'none' OR (starts_midday AND day = "from") OR (ends_midday AND day = "to")
      THEN 'half' ELSE 'full' END AS part
    FROM leave_applications, unnest(${days}::date[]) AS day WHERE id = ${application_id}::uuid`);
  return new Map(rows.map(({ day, part }) => [day, part]));
}

/** A day with its leave, and what it comes to. */
const withLeave = (row: DayRow, worker: Worker, leave: DayRow['leave'], leave_application_id: string) => ({
  row,
  derived: derive({ ...row, leave }, worker),
  marks: { leave_application_id },
});

type WithLeave = ReturnType<typeof withLeave>;
const isDerived = (day: WithLeave): day is WithLeave & { derived: NonNullable<WithLeave['derived']> } =>
  day.derived !== undefined;

/**
 * Writes leave into days of attendance: on leave, or half a day as the application says of that day. Days that somebody worked
 * keep their punches. The application must be written already, and the employee locked. However many days there are, it takes
 * the same few statements.
 */
export async function putLeave(context: DayContext, taken: Taken): Promise<void> {
  const { employee_id, application_id, days } = taken;
  if (days.length === 0) return;
  const { db } = context;
  const [worker] = await readWorkers(db, [employee_id], spanOf(days));
  const parts = await readParts(db, taken);
  const of = (row: DayRow) => withLeave(row, worker!, parts.get(row.local_date)!, application_id);
  const there = async (those: readonly string[]) =>
    await readDays(db, sql`employee_id = ${employee_id}::uuid AND local_date = ANY (${those}::date[])`);
  const known = await there(days);
  const begun = days
    .filter((day) => !known.some(({ local_date }) => local_date === day))
    .map((day) => of(newRow(dayToBegin(worker!, day))));
  const written = await insertDays(db, begun);
  tellDays(
    context,
    begun.filter(isDerived).filter(({ row }) => written.has(row.id)),
  );
  // The schedule of absences may have written one in the meantime.
  const late = begun.filter(({ row }) => !written.has(row.id)).map(({ row }) => row.local_date);
  const others = [...known, ...(late.length > 0 ? await there(late) : [])].map(of);
  await settleDays(context, others.filter(isDerived));
  const bare = others.filter((day) => !isDerived(day)).map(({ row }) => row.id);
  if (bare.length > 0)
    await db.rows(
      sql`UPDATE attendances SET leave_application_id = ${application_id}::uuid WHERE id = ANY (${bare}::uuid[])`,
    );
}

/**
 * Takes leave out of days of attendance: of those that are not over nothing stays unless somebody worked; others are derived
 * anew. @param days of the application; all of them, when they are left out
 */
export async function takeBackLeave(
  context: DayContext,
  { employee_id, application_id, days }: { employee_id: string; application_id: string; days?: readonly string[] },
): Promise<void> {
  const { db } = context;
  const ofThose = days ? sql`AND local_date = ANY (${days}::date[])` : empty;
  const freed = await db.rows<{ id: string }>(sql`
    UPDATE attendances SET leave_application_id = NULL
    WHERE employee_id = ${employee_id}::uuid AND leave_application_id = ${application_id}::uuid ${ofThose} RETURNING id`);
  if (freed.length === 0) return;
  const ids = freed.map(({ id }) => id);
  await db.rows(sql`
    DELETE FROM attendances WHERE id = ANY (${ids}::uuid[]) AND window_end > ${clock.now()} AND NOT manual
      AND NOT EXISTS (SELECT FROM attendance_events WHERE attendance_events.attendance_id = attendances.id)`);
  const left = await readDays(db, sql`id = ANY (${ids}::uuid[])`);
  if (left.length === 0) return;
  const workers = await readWorkers(db, [employee_id], spanOf(left.map(({ local_date }) => local_date)));
  await rederiveChanged(context, left, workers);
}
