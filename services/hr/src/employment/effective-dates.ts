/**
 * Keeps dates: at 00:00 of a day in the zone of the workspace terms change, people join, and people have left. What was missed
 * while nothing ran is made up for; each step is guarded by the state that it leaves, so that it happens once.
 */
import {
  clock,
  eachDue,
  type Emit,
  every,
  findEverywhere,
  notPostponed,
  scheduled,
  sql,
  type Tools,
  shareOut,
} from '@suite/chassis';
import { EmployeeUpdated } from '@suite/proto/hr/v1/events';
import type { Db } from '../operations.ts';
import { type LockedEmployee, lockEmployee } from './employment.ts';
import { employeeStates, KEEP_DATES } from './employment.rules.ts';
import { announceStatus, leave } from './leaving.ts';
import { applyTerms } from './terms.ts';

/** Settles what is left of somebody who leaves: leave that he does not take any more, a day that is still open. */
export type Settle = (
  work: { db: Db; emit: Emit },
  leaver: { employee_id: string; last_day: string },
) => Promise<unknown>;

/** An employee for whom a date has come, and the day that it is now where he works. */
interface Due {
  workspace_id: string;
  id: string;
  day: string;
}

const BATCH = 500;
const INTERVAL_MS = 10_000;

/** Each of the three is looked for in an index of its own, which holds few rows. */
const due = () =>
  shareOut(
    sql`
  WITH zones AS (SELECT workspace_id, (${clock.now()}::timestamptz AT TIME ZONE timezone)::date AS day FROM settings),
  reached AS (
    SELECT workspace_id, id, day FROM employees JOIN zones USING (workspace_id)
      WHERE next_change_on IS NOT NULL AND next_change_on <= day
    UNION SELECT workspace_id, id, day FROM employees JOIN zones USING (workspace_id)
      WHERE status = 'onboarding' AND joining_date <= day
    UNION SELECT workspace_id, id, day FROM employees JOIN zones USING (workspace_id)
      WHERE exit_date IS NOT NULL AND status <> 'left' AND exit_date < day)
  SELECT workspace_id, id, day FROM reached WHERE ${notPostponed(KEEP_DATES, sql`workspace_id`, sql`id`)}`,
    sql`id`,
    BATCH,
  );

/** Shows the terms of today, and says which ones are others than before. */
async function keepTerms({ db, emit }: { db: Db; emit: Emit }, employee: LockedEmployee, day: string): Promise<void> {
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

/** Does what is due for one employee on a day. */
async function keepDates(work: { db: Db; emit: Emit }, { id, day }: Due, settle: readonly Settle[]): Promise<void> {
  const employee = await lockEmployee(work.db, id);
  const { status, joining_date, exit_date } = employee;
  await keepTerms(work, employee, day);
  if (status === 'onboarding' && joining_date <= day && (await employeeStates.move(work.db.employee, id, 'activate')))
    announceStatus(work.emit, employee, 'active');
  if (status === 'left' || exit_date === null || exit_date >= day) return;
  for (const one of settle) await one(work, { employee_id: id, last_day: exit_date });
  await leave(work, employee, day);
}

/** Does what is due, in all workspaces; what fails is put off, and holds nobody else up. */
export async function keepAllDates(
  tools: Pick<Tools<Db>, 'database' | 'log'>,
  settle: readonly Settle[] = [],
): Promise<void> {
  const { database } = tools;
  const found = await findEverywhere<Due>(database, KEEP_DATES, due());
  await eachDue(tools, KEEP_DATES, found, (one) =>
    database.write(scheduled(KEEP_DATES, one.workspace_id), (db, emit) => keepDates({ db, emit }, one, settle)),
  );
}

/** @param settle in the transaction in which somebody leaves */
export const keepEffectiveDates = (settle: readonly Settle[] = []) =>
  every(KEEP_DATES, INTERVAL_MS, (tools: Tools<Db>) => keepAllDates(tools, settle));
