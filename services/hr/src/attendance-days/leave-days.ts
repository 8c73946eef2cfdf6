/** The days of attendance that leave makes. Leave calls this in the transaction that grants or takes back. */
import { clock, empty, sql } from '@suite/chassis';
import { type DayContext, openDay, readWorkers, rederive } from './attendance-day.ts';
import { readDays } from './day-row.ts';

/** The first and the last of some days. */
const spanOf = (days: readonly string[]) => {
  const sorted = days.toSorted();
  return { from: sorted[0]!, to: sorted.at(-1)! };
};

/**
 * Writes leave into days of attendance: on leave, or half a day as the application says of that day. Days that somebody worked
 * keep their punches. The application must be written already.
 */
export async function putLeave(
  context: DayContext,
  { employee_id, application_id, days }: { employee_id: string; application_id: string; days: readonly string[] },
): Promise<void> {
  if (days.length === 0) return;
  const { db } = context;
  const [worker] = await readWorkers(db, [employee_id], spanOf(days));
  for (const day of days) {
    const { id } = await openDay(context, worker!, day);
    await db.rows(sql`UPDATE attendances SET leave_application_id = ${application_id}::uuid WHERE id = ${id}::uuid`);
    const [row] = await readDays(db, sql`id = ${id}::uuid`);
    await rederive(context, row!, worker!);
  }
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
  const rows = await readDays(
    db,
    sql`employee_id = ${employee_id}::uuid AND leave_application_id = ${application_id}::uuid ${ofThose}`,
  );
  if (rows.length === 0) return;
  const [worker] = await readWorkers(db, [employee_id], spanOf(rows.map(({ local_date }) => local_date)));
  await db.rows(
    sql`UPDATE attendances SET leave_application_id = NULL WHERE id = ANY (${rows.map(({ id }) => id)}::uuid[])`,
  );
  await db.rows(sql`
    DELETE FROM attendances WHERE id = ANY (${rows.map(({ id }) => id)}::uuid[]) AND window_end > ${clock.now()} AND NOT manual
      AND NOT EXISTS (SELECT FROM attendance_events WHERE attendance_events.attendance_id = attendances.id)`);
  for (const row of await readDays(db, sql`id = ANY (${rows.map(({ id }) => id)}::uuid[])`))
    await rederive(context, row, worker!);
}
