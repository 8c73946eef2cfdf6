/**
 * Settles leave by time: grants of a month or a year, lots that end, the turn of the year, at 00:05 in the zone of the workspace.
 * An account is settled from its beginning, and each grant has a key: what was missed is made up for in the order in which it
 * fell due, and is written once, by however many replicas.
 */
import { clock, eachDue, every, findEverywhere, notPostponed, scheduled, sql, type Tools } from '@suite/chassis';
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

/**
 * Employments on which time has something to do, those that were never looked at, and those of workspaces that have changed a
 * type of leave since.
 */
const due = () => sql`
  WITH zones AS (
    SELECT workspace_id, ((${clock.now()}::timestamptz AT TIME ZONE timezone) - interval '5 minutes')::date AS day,
      (SELECT max(updated_at) FROM leave_types WHERE leave_types.workspace_id = settings.workspace_id) AS changed_at
    FROM settings)
  SELECT employees.workspace_id, employees.id
  FROM zones JOIN employees ON employees.workspace_id = zones.workspace_id AND employees.status <> 'left'
    JOIN employments ON employments.workspace_id = employees.workspace_id AND employments.employee_id = employees.id
      AND employments.joining_date = employees.joining_date
    LEFT JOIN leave_settlements AS settled ON settled.workspace_id = employments.workspace_id AND settled.employment_id = employments.id
  WHERE (settled.employment_id IS NULL OR settled.due_on <= zones.day OR settled.settled_at < zones.changed_at)
    AND ${notPostponed(SCHEDULE, sql`employees.workspace_id`, sql`employees.id`)}
  ORDER BY employees.workspace_id, employees.id LIMIT ${BATCH}`;

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
