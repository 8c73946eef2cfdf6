/**
 * Applies effective dates at 00:00 in the workspace zone: terms change, employments begin and end. Changes missed
 * during downtime follow later. Each step depends on the status before it, so that it happens once.
 */
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
import { EmployeeUpdated } from '@suite/proto/hr/v1/events';
import type { Db } from '../../operations.ts';
import { type LockedEmployee, lockEmployee } from './employment.ts';
import { employeeStates, KEEP_DATES } from './employment.rules.ts';
import { announceStatus, completeExit } from './exit.ts';
import { applyTerms } from './employment-terms.ts';

/** Settles remaining matters of an employee who leaves, such as leave that they will not take or an open day. */
export type LeaverSettlement = (
  work: { db: Db; emit: Emit },
  leaver: { employee_id: string; last_day: string },
) => Promise<unknown>;

/** Employee with a date that has been reached, and the current day in their workspace. */
interface DueEmployee {
  workspace_id: string;
  id: string;
  day: string;
}

const BATCH = 500;
const INTERVAL_MS = 10_000;

/** Each of the three has its own small index. */
const dueEmployees = () =>
  rotateByWorkspace(
    sql`
  WITH zones AS (SELECT workspace_id, (${clock.now()}::timestamptz AT TIME ZONE timezone)::date AS day FROM settings),
  reached AS (
    SELECT workspace_id, id, day FROM employees JOIN zones USING (workspace_id)
      WHERE next_change_on IS NOT NULL AND next_change_on <= day
    UNION SELECT workspace_id, id, day FROM employees JOIN zones USING (workspace_id)
      WHERE status = 'onboarding' AND joining_date <= day
    UNION SELECT workspace_id, id, day FROM employees JOIN zones USING (workspace_id)
      WHERE exit_date IS NOT NULL AND status <> 'left' AND exit_date < day)
  SELECT workspace_id, id, day FROM reached WHERE ${isNotPostponed(KEEP_DATES, sql`workspace_id`, sql`id`)}`,
    sql`id`,
    BATCH,
  );

/** Applies the current terms and announces the changed ones. */
async function applyTermsOf(
  { db, emit }: { db: Db; emit: Emit },
  employee: LockedEmployee,
  day: string,
): Promise<void> {
  const changed = await db.rows<{ field: string; effective_from: string }>(sql`
    SELECT DISTINCT field, effective_from FROM employee_history
    WHERE employee_id = ${employee.id}::uuid AND field <> 'status' AND effective_from <= ${day}::date
      AND effective_from >= (SELECT next_change_on FROM employees WHERE id = ${employee.id}::uuid)
    ORDER BY effective_from, field`);
  await applyTerms(db, employee.id, day);
  const [first] = changed;
  if (!first) return;
  const fields = [...new Set(changed.map(({ field }) => field))];
  const { id: employee_id, user_id } = employee;
  emit(EmployeeUpdated, { employee_id, user_id: user_id ?? '', fields, effective_from: first.effective_from });
}

/** Applies all due changes of one employee on a day. */
async function applyEffectiveDatesOf(
  work: { db: Db; emit: Emit },
  { id, day }: DueEmployee,
  settle: readonly LeaverSettlement[],
): Promise<void> {
  const employee = await lockEmployee(work.db, id);
  const { status, joining_date, exit_date } = employee;
  await applyTermsOf(work, employee, day);
  if (status === 'onboarding' && joining_date <= day && (await employeeStates.move(work.db.employee, id, 'activate')))
    announceStatus(work.emit, employee, 'active');
  if (status === 'left' || exit_date === null || exit_date >= day) return;
  for (const one of settle) await one(work, { employee_id: id, last_day: exit_date });
  await completeExit(work, employee, day);
}

/** Applies due dates in all workspaces. A failure is postponed and does not delay other employees. */
export async function applyEffectiveDates(
  tools: Pick<JobContext<Db>, 'database' | 'log'>,
  settle: readonly LeaverSettlement[] = [],
): Promise<void> {
  const { database } = tools;
  const found = await findEverywhere<DueEmployee>(database, KEEP_DATES, dueEmployees());
  await runDueWork(tools, KEEP_DATES, found, (one) =>
    database.write(jobTransaction(KEEP_DATES, one.workspace_id), (db, emit) =>
      applyEffectiveDatesOf({ db, emit }, one, settle),
    ),
  );
}

/**
 * Returns the schedule that applies effective dates. @param settle steps in the transaction in which an employee leaves
 */
export const effectiveDatesSchedule = (settle: readonly LeaverSettlement[] = []) =>
  declareSchedule(KEEP_DATES, INTERVAL_MS, (tools: JobContext<Db>) => applyEffectiveDates(tools, settle));
