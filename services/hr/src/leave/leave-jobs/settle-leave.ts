/**
 * Settles leave over time, at 00:05 in the workspace zone: monthly and yearly grants, expiring lots, the end of a year.
 * Settlement starts at the beginning of an account, and each grant has a key. Missed steps are therefore applied once
 * and in order, with any number of replicas.
 */
import { type Sql, sql } from '@suite/chassis/database';
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
import { lockEmployee } from '../../employment/employment/employment.ts';
import { laterOf } from '../../employment/leave-ledger/calendar.rules.ts';
import { leaveToday, type OpenLeave, openAllLeave, storeLeave } from '../../employment/leave-ledger/accounts.ts';
import { nextSettlementDay } from '../../employment/leave-ledger/settlement.rules.ts';
import type { Db } from '../../operations.ts';

const SCHEDULE = 'hr.settle-leave';
const INTERVAL_MS = 15_000;
const BATCH = 500;
/** Maximum number of batches in one run. */
const BATCHES_MAX = 40;

/** Employee with a due leave settlement. */
interface DueEmployee {
  workspace_id: string;
  id: string;
}

/** Selects the first employees of a workspace whose settlement matches a condition, by the index of that condition. */
const firstEmployees = (condition: Sql, index: Sql) => sql`
  SELECT employees.id FROM leave_settlements AS settled
    JOIN employments ON employments.workspace_id = settled.workspace_id AND employments.id = settled.employment_id
    JOIN employees ON employees.workspace_id = employments.workspace_id AND employees.id = employments.employee_id
      AND employees.joining_date = employments.joining_date AND employees.status <> 'left'
  WHERE settled.workspace_id = zones.workspace_id AND ${condition}
    AND ${isNotPostponed(SCHEDULE, sql`employees.workspace_id`, sql`employees.id`)}
  ORDER BY ${index} LIMIT ${BATCH}`;

/**
 * Employees with due leave settlements. Includes new employments, and workspaces that have changed a leave type since.
 * Each workspace has its share of a batch.
 */
const dueEmployees = () =>
  rotateByWorkspace(
    sql`
  WITH zones AS (
    SELECT workspace_id, ((${clock.now()}::timestamptz AT TIME ZONE timezone) - interval '5 minutes')::date AS day,
      (SELECT max(updated_at) FROM leave_types WHERE leave_types.workspace_id = settings.workspace_id) AS changed_at
    FROM settings)
  SELECT workspace_id, id FROM zones CROSS JOIN LATERAL (
    (${firstEmployees(sql`settled.due_on <= zones.day`, sql`settled.due_on`)})
    UNION (${firstEmployees(sql`settled.settled_at < zones.changed_at`, sql`settled.settled_at`)})) AS found`,
    sql`id`,
    BATCH,
  );

/** Returns the next day on which an account of an employee changes over time. */
const nextOf = (leaves: readonly OpenLeave[], today: string): string =>
  leaves.map(({ account, holder }) => laterOf(nextSettlementDay(account, today), holder.term.from)).toSorted()[0] ??
  nextSettlementDay({ lots: [] }, today);

/** Settles all leave of an employee up to today, and stores the next due time. */
export async function settleEmployee(db: Db, employee_id: string): Promise<void> {
  const employee = await lockEmployee(db, employee_id);
  if (employee.status === 'left') return;
  const leaves = await openAllLeave(db, employee);
  await storeLeave(db, ...leaves);
  await db.rows(sql`
    INSERT INTO leave_settlements (employment_id, due_on, settled_at)
    VALUES (${employee.employment_id}::uuid, ${nextOf(leaves, await leaveToday(db))}::date, now())
    ON CONFLICT (workspace_id, employment_id) DO UPDATE SET due_on = EXCLUDED.due_on, settled_at = EXCLUDED.settled_at`);
}

/** Settles all due leave in all workspaces. A failure is postponed and does not delay other employees. */
export async function settleAllLeave(tools: Pick<JobContext<Db>, 'database' | 'log'>): Promise<void> {
  const { database } = tools;
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const found = await findEverywhere<DueEmployee>(database, SCHEDULE, dueEmployees());
    await runDueWork(tools, SCHEDULE, found, ({ workspace_id, id }) =>
      database.write(jobTransaction(SCHEDULE, workspace_id), (db) => settleEmployee(db, id)),
    );
    if (found.length < BATCH) return;
  }
}

export const settleDueLeave = declareSchedule(SCHEDULE, INTERVAL_MS, settleAllLeave);
