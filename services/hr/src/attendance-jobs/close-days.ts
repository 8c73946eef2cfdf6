/** Closes days whose window has passed without an out, however long nobody looked. */
import { clock, every, findEverywhere, scheduled, sql, type Tools } from '@suite/chassis';
import { CLOSING_MS } from '../attendance-days/attendance-day.rules.ts';
import { readWorkers, rederive } from '../attendance-days/attendance-day.ts';
import { readDays } from '../attendance-days/day-row.ts';
import type { Db } from '../operations.ts';

const SCHEDULE = 'hr.close-days';
const BATCH = 500;

/** Closes days that are due, the earliest first, each once. Returns how many were due. */
export async function closeDays({ database }: Pick<Tools<Db>, 'database'>): Promise<number> {
  const until = new Date(clock.now().getTime() - CLOSING_MS);
  const due = await findEverywhere<{ id: string; employee_id: string; workspace_id: string }>(
    database,
    SCHEDULE,
    sql`
      SELECT id, employee_id, workspace_id FROM attendances
      WHERE state = 'open' AND window_end <= ${until} ORDER BY window_end, id LIMIT ${BATCH}`,
  );
  for (const { id, employee_id, workspace_id } of due) {
    await database.write(scheduled(SCHEDULE, workspace_id), async (db, emit) => {
      await db.rows(sql`SELECT id FROM employees WHERE id = ${employee_id}::uuid FOR NO KEY UPDATE`);
      // A tap that came first wins: the day is read again under the lock.
      const [row] = await readDays(db, sql`id = ${id}::uuid AND state = 'open'`);
      if (!row) return;
      const span = { from: row.local_date, to: row.local_date };
      const [worker] = await readWorkers(db, [employee_id], span);
      await rederive({ db, emit }, row, worker!);
    });
  }
  return due.length;
}

export const closeDueDays = every(SCHEDULE, 300_000, closeDays);
