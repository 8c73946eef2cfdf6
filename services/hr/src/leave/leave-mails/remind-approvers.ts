/** Reminds approvers of leave requests that have been pending too long, once for each request. */
import { sql } from '@suite/chassis/database';
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
import type { Db } from '../../operations.ts';
import { queueLeaveMail } from './leave-mail.ts';

const SCHEDULE = 'hr.remind-approvers';
const INTERVAL_MS = 600_000;
const BATCH = 500;

interface DueReminder {
  workspace_id: string;
  id: string;
}

const isWaiting = sql`status = 'pending' AND approver_id IS NOT NULL AND reminded_at IS NULL`;

const dueReminders = () =>
  rotateByWorkspace(
    sql`
  SELECT leave_applications.workspace_id, leave_applications.id, asked_at FROM leave_applications JOIN settings USING (workspace_id)
  WHERE ${isWaiting} AND asked_at <= ${clock.now()}::timestamptz - approval_reminder_days * interval '1 day'
    AND ${isNotPostponed(SCHEDULE, sql`leave_applications.workspace_id`, sql`leave_applications.id`)}`,
    sql`asked_at, id`,
    BATCH,
  );

/** Queues one reminder, unless the request has been decided since. */
async function queueReminder(db: Db, { id: application_id }: DueReminder): Promise<void> {
  const [row] = await db.rows<{ approver_id: string }>(sql`
    UPDATE leave_applications SET reminded_at = ${clock.now()} WHERE id = ${application_id}::uuid AND ${isWaiting} RETURNING approver_id`);
  if (row) await queueLeaveMail(db, { application_id, employee_id: row.approver_id, kind: 'reminder' });
}

/** Sends due reminders in all workspaces. Returns the number of requests found. */
export async function remindApprovers(tools: Pick<JobContext<Db>, 'database' | 'log'>): Promise<number> {
  const { database } = tools;
  const found = await findEverywhere<DueReminder>(database, SCHEDULE, dueReminders());
  await runDueWork(tools, SCHEDULE, found, (one) =>
    database.write(jobTransaction(SCHEDULE, one.workspace_id), (db) => queueReminder(db, one)),
  );
  return found.length;
}

export const remindDueApprovers = declareSchedule(SCHEDULE, INTERVAL_MS, remindApprovers);
