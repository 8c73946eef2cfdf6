/** Recounts closed attendance days by the current holidays and shifts. */
import { type Sql, sql } from '@suite/chassis/database';
import { type DayContext, readEmployees, rederiveChanged } from './attendance-day.ts';
import { readDays } from './day-row.ts';

/**
 * Recounts closed days in a span. Days in final payslips do not change.
 * @param of condition for the employees. Defaults to all employees.
 */
export async function recountClosedDays(
  context: DayContext,
  { from, to }: { from: string; to: string },
  of: Sql = sql`TRUE`,
): Promise<void> {
  const rows = await readDays(
    context.db,
    sql`local_date BETWEEN ${from}::date AND ${to}::date AND state = 'closed' AND ${of} AND NOT is_paid_day(employee_id, local_date)`,
  );
  if (rows.length === 0) return;
  const [first, last] = [rows.at(-1)!.local_date, rows[0]!.local_date];
  const ids = [...new Set(rows.map(({ employee_id }) => employee_id))];
  await rederiveChanged(context, rows, await readEmployees(context.db, ids, { from: first, to: last }));
}
