/**
 * Settles leave by time: grants of a month or a year, lots that end, the turn of the year, at 00:05 in the zone of the workspace.
 * An account is settled from its beginning, and each grant has a key: what was missed is made up for in the order in which it
 * fell due, and is written once, by however many replicas.
 */
import {
  clock,
  eachDue,
  every,
  findEverywhere,
  notPostponed,
  scheduled,
  type Sql,
  sql,
  type Tools,
  shareOut,
} from '@suite/chassis';
import { lockEmployee } from '../employment/employment.ts';
import { later } from '../leave-ledger/calendar.rules.ts';
import { leaveToday, type OpenLeave, openAllLeave, storeLeave } from '../leave-ledger/accounts.ts';
import { nextMoment } from '../leave-ledger/settlement.rules.ts';
import type { Db } from '../operations.ts';

const SCHEDULE = 'hr.settle-leave';
const INTERVAL_MS = 15_000;
const BATCH = 500;
/** Batches of one turn. */
const BATCHES_MAX = 40;

/** An employee whose leave is due. */
interface Due {
  workspace_id: string;
  id: string;
}

/** The first employees of a workspace whose settlement fulfils a condition, which its index knows. */
const settledBy = (condition: Sql, index: Sql) => sql`
  SELECT employees.id FROM leave_settlements AS settled
    JOIN employments ON employments.workspace_id = settled.workspace_id AND employments.id = settled.employment_id
    JOIN employees ON employees.workspace_id = employments.workspace_id AND employees.id = employments.employee_id
      AND employees.joining_date = employments.joining_date AND employees.status <> 'left'
  WHERE settled.workspace_id = zones.workspace_id AND ${condition}
    AND ${notPostponed(SCHEDULE, sql`employees.workspace_id`, sql`employees.id`)}
  ORDER BY ${index} LIMIT ${BATCH}`;

/**
 * Employees on whose leave time has something to do, a new employment among them, and those of workspaces that have changed a
 * type of leave since. Each workspace has its share of a batch.
 */
const due = () =>
  shareOut(
    sql`
  WITH zones AS (
    SELECT workspace_id, ((${clock.now()}::timestamptz AT TIME ZONE timezone) - interval '5 minutes')::date AS day,
      (SELECT max(updated_at) FROM leave_types WHERE leave_types.workspace_id = settings.workspace_id) AS changed_at
    FROM settings)
  SELECT workspace_id, id FROM zones CROSS JOIN LATERAL (
    (${settledBy(sql`settled.due_on <= zones.day`, sql`settled.due_on`)})
    UNION (${settledBy(sql`settled.settled_at < zones.changed_at`, sql`settled.settled_at`)})) AS found`,
    sql`id`,
    BATCH,
  );

/** The next day on which time changes one of somebody's accounts. */
const nextOf = (leaves: readonly OpenLeave[], today: string): string =>
  leaves.map(({ account, holder }) => later(nextMoment(account, today), holder.term.from)).toSorted()[0] ??
  nextMoment({ lots: [] }, today);

/** Settles all leave of an employee up to today, and notes when there is something to do again. */
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

/** Settles whatever is due, in all workspaces; what fails is put off, and holds nobody else up. */
export async function settleAllLeave(tools: Pick<Tools<Db>, 'database' | 'log'>): Promise<void> {
  const { database } = tools;
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const found = await findEverywhere<Due>(database, SCHEDULE, due());
    await eachDue(tools, SCHEDULE, found, ({ workspace_id, id }) =>
      database.write(scheduled(SCHEDULE, workspace_id), (db) => settleEmployee(db, id)),
    );
    if (found.length < BATCH) return;
  }
}

export const settleDueLeave = every(SCHEDULE, INTERVAL_MS, settleAllLeave);
