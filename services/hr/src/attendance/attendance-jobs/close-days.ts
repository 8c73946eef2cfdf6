/** Closes days whose window has passed without an out, regardless of job downtime. */
import { sql } from '@suite/chassis/database';
import type { Emit } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import {
  runDueWork,
  declareSchedule,
  findEverywhere,
  isNotPostponed,
  jobTransaction,
  type JobContext,
  rotateByWorkspace,
} from '@suite/chassis/service';
import { CLOSING_MS } from '../attendance-days/attendance-day.rules.ts';
import { derive, readEmployees, rederive, settleDays } from '../attendance-days/attendance-day.ts';
import { readDays } from '../attendance-days/day-row.ts';
import type { Db } from '../../operations.ts';

const SCHEDULE = 'hr.close-days';
const BATCH = 500;

interface OpenDay {
  workspace_id: string;
  id: string;
  employee_id: string;
}

/** Closes a day, unless it has already been closed. */
async function closeDay(work: { db: Db; emit: Emit }, { id, employee_id }: OpenDay): Promise<void> {
  const { db } = work;
  await db.rows(sql`SELECT id FROM employees WHERE id = ${employee_id}::uuid FOR NO KEY UPDATE`);
  // A concurrent punch takes precedence: the day is read again under the lock.
  const [row] = await readDays(db, sql`id = ${id}::uuid AND state = 'open'`);
  if (!row) return;
  const [employee] = await readEmployees(db, [employee_id], { from: row.local_date, to: row.local_date });
  await rederive(work, row, employee!);
}

/**
 * Ends the open session of an employee whose last day is over, because they can no longer clock out. Runs in the
 * transaction that ends the employment. A night that is not over counts up to its scheduled end and gets the flag
 * `missing_out`.
 */
export async function closeDaysOfLeaver(
  work: { db: Db; emit: Emit },
  { employee_id }: { employee_id: string },
): Promise<void> {
  const rows = await readDays(work.db, sql`employee_id = ${employee_id}::uuid AND state = 'open'`);
  if (rows.length === 0) return;
  const span = { from: rows.at(-1)!.local_date, to: rows[0]!.local_date };
  const [employee] = await readEmployees(work.db, [employee_id], span);
  const days = rows.flatMap((row) => {
    const derived = derive(row, employee!, { is_over: true });
    return derived ? [{ row, derived }] : [];
  });
  await settleDays(work, days);
}

/** Closes each due day once, earliest first. Returns the number of due days. */
export async function closeDays(tools: Pick<JobContext<Db>, 'database' | 'log'>): Promise<number> {
  const { database } = tools;
  const until = new Date(clock.now().getTime() - CLOSING_MS);
  const due = await findEverywhere<OpenDay>(
    database,
    SCHEDULE,
    rotateByWorkspace(
      sql`
      SELECT id, employee_id, workspace_id, window_end FROM attendances
      WHERE state = 'open' AND window_end <= ${until} AND ${isNotPostponed(SCHEDULE, sql`workspace_id`, sql`id`)}`,
      sql`window_end, id`,
      BATCH,
    ),
  );
  await runDueWork(tools, SCHEDULE, due, (one) =>
    database.write(jobTransaction(SCHEDULE, one.workspace_id), (db, emit) => closeDay({ db, emit }, one)),
  );
  return due.length;
}

export const closeDueDays = declareSchedule(SCHEDULE, 300_000, closeDays);
