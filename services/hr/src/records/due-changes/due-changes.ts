/**
 * Applies due records: promotions and transfers take effect at 00:00 of their day in the workspace zone, and warnings
 * expire. Changes missed during downtime follow later, in order of their days.
 */
import { sql } from '@suite/chassis/database';
import { Fault } from '@suite/chassis/faults';
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
import { CHANGES_SCHEDULE } from '../../employees/employee-records/employee-record.rules.ts';
import { transferEffects } from '../employee-transfers/employee-transfer.ts';
import type { Db } from '../../operations.ts';
import { promotionEffects } from '../promotions/promotion.ts';
import type { ScheduledEffect } from '../term-changes/term-change.ts';
import { expireWarning } from '../warnings/warning.ts';

interface DueChange {
  workspace_id: string;
  id: string;
  kind: 'transfer' | 'promotion' | 'warning';
  /** Current day in the workspace zone. */
  day: string;
}

type JobTools = Pick<JobContext<Db>, 'database' | 'log' | 'keys'>;

const BATCH = 500;
const INTERVAL_MS = 10_000;
/** Lowest status of a server error. A lower status means that the change caused the fault. */
const SERVER_ERROR_MIN = 500;

/** Transfers come first, so that a promotion on the same day applies to the new department. */
const dueChanges = () =>
  rotateByWorkspace(
    sql`
  WITH zones AS (SELECT workspace_id, (${clock.now()}::timestamptz AT TIME ZONE timezone)::date AS day FROM settings),
  found AS (
    SELECT workspace_id, id, 1 AS rank, 'transfer' AS kind, effective_date AS since, day FROM employee_transfers
      JOIN zones USING (workspace_id) WHERE status = 'approved' AND effective_date <= day
    UNION ALL SELECT workspace_id, id, 2, 'promotion', effective_date, day FROM promotions
      JOIN zones USING (workspace_id) WHERE status = 'approved' AND effective_date <= day
    UNION ALL SELECT workspace_id, id, 3, 'warning', expires_on, day FROM warnings
      JOIN zones USING (workspace_id) WHERE status IN ('issued', 'acknowledged') AND expires_on <= day)
  SELECT workspace_id, id, kind, day, since, rank FROM found WHERE ${isNotPostponed(CHANGES_SCHEDULE, sql`workspace_id`, sql`id`)}`,
    sql`since, rank, id`,
    BATCH,
  );

/** Checks if an error is a permanent fault of the change itself. */
const isPermanentFault = (error: unknown): error is Fault =>
  error instanceof Fault && error.status < SERVER_ERROR_MIN && !error.retryable;

/** Applies a change. An impossible change lapses with the reason as remark. */
async function applyChange(
  { database, keys }: JobTools,
  { workspace_id, id, day }: DueChange,
  effect: ScheduledEffect,
) {
  const context = jobTransaction(CHANGES_SCHEDULE, workspace_id);
  try {
    await database.write(context, (db, emit) => effect.takeEffect({ db, emit, keys }, id, day));
  } catch (error) {
    if (!isPermanentFault(error)) throw error;
    const why = Object.values(error.errors ?? {})[0]?.[0] ?? error.message;
    await database.write(context, (db) => effect.lapse(db, id, why));
  }
}

const EFFECTS = { transfer: transferEffects, promotion: promotionEffects };

/** Applies all due records in all workspaces. */
export async function applyDueChanges(tools: JobTools): Promise<void> {
  const found = await findEverywhere<DueChange>(tools.database, CHANGES_SCHEDULE, dueChanges());
  await runDueWork(tools, CHANGES_SCHEDULE, found, async (one) => {
    if (one.kind !== 'warning') return await applyChange(tools, one, EFFECTS[one.kind]);
    await tools.database.write(jobTransaction(CHANGES_SCHEDULE, one.workspace_id), (db) => expireWarning(db, one.id));
  });
}

export const dueChangesSchedule = declareSchedule(CHANGES_SCHEDULE, INTERVAL_MS, (tools: JobContext<Db>) =>
  applyDueChanges(tools),
);
