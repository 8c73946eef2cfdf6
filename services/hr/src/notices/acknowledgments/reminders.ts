/** Reminds employees once about each overdue acknowledgment. */
import { sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import {
  runDueWork,
  declareSchedule,
  findEverywhere,
  isNotPostponed,
  jobTransaction,
  type JobContext,
} from '@suite/chassis/service';
import type { Db } from '../../operations.ts';
import { mailAddressOf } from '../../organisation/audiences/mail-address.ts';
import { acknowledgmentDay } from './acknowledgment.ts';

const SCHEDULE = 'hr.remind-acknowledgments';
const BATCH = 1_000;

/** Overdue acknowledgments of a workspace without a reminder. @param day current day of the workspace */
const overdueAcknowledgments = (day: ReturnType<typeof acknowledgmentDay>) => sql`
  acknowledgments.status = 'pending' AND acknowledgments.due_on < ${day}
  AND (acknowledgments.reminded_at IS NULL OR acknowledgments.reminded_at < acknowledgments.due_on)
  AND (EXISTS (SELECT FROM announcements WHERE announcements.id = acknowledgments.announcement_id AND announcements.status = 'published')
    OR EXISTS (SELECT FROM hrm_documents WHERE hrm_documents.id = acknowledgments.document_id AND hrm_documents.status = 'published'))`;

/** Workspaces with reminders to send. */
const workspacesWithReminders = () => sql`
  SELECT settings.workspace_id FROM settings
  WHERE EXISTS (SELECT FROM acknowledgments WHERE acknowledgments.workspace_id = settings.workspace_id
      AND ${overdueAcknowledgments(sql`(${clock.now()}::timestamptz AT TIME ZONE settings.timezone)::date`)})
    AND ${isNotPostponed(SCHEDULE, sql`settings.workspace_id`)} ORDER BY settings.workspace_id`;

/** Sends one batch of reminders. */
const remindSome = (db: Db) =>
  db.rows(sql`
    WITH late AS (
      SELECT id FROM acknowledgments WHERE ${overdueAcknowledgments(acknowledgmentDay())} ORDER BY due_on, id LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED),
    reminded AS (
      UPDATE acknowledgments SET reminded_at = ${clock.now()}::timestamptz FROM late WHERE acknowledgments.id = late.id
      RETURNING announcement_id, document_id, employee_id)
    INSERT INTO notice_mails (id, kind, announcement_id, document_id, employee_id, next_attempt_at)
    SELECT gen_random_uuid(), 'reminder', announcement_id, document_id, reminded.employee_id, ${clock.now()}::timestamptz
    FROM reminded JOIN employees ON employees.id = reminded.employee_id
    WHERE ${mailAddressOf('employees')} IS NOT NULL`);

/** Sends reminders in all workspaces. A failure in one workspace does not affect the others. */
export async function remindOverdue(tools: Pick<JobContext<Db>, 'database' | 'log'>): Promise<void> {
  const { database } = tools;
  const workspaces = await findEverywhere<{ workspace_id: string }>(database, SCHEDULE, workspacesWithReminders());
  await runDueWork(tools, SCHEDULE, workspaces, ({ workspace_id }) =>
    database.write(jobTransaction(SCHEDULE, workspace_id), (db) => remindSome(db)),
  );
}

export const overdueReminderSchedule = declareSchedule(SCHEDULE, 300_000, remindOverdue);
