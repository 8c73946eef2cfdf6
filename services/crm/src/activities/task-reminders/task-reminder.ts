/**
 * Reminds users of their tasks at the chosen time. Sends a text message if platform can send one, or else an e-mail.
 */
import { type TransactionContext, sql } from '@suite/chassis/database';
import { callerOnBehalfOf } from '@suite/chassis/identity';
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
import { randomUUID } from 'node:crypto';
import type { Db, Rpc } from '../../operations.ts';
import { findReminderRecipient } from './reminded-user.ts';

const SCHEDULE = 'crm.remind-of-tasks';
const INTERVAL_MS = 30_000;
const BATCH = 200;

interface DueTask {
  id: string;
  workspace_id: string;
  assignee_id: string;
  reminder: string;
  name: string;
  date: string;
  time: string;
}

/**
 * Returns the SQL for open tasks whose reminder time is within the last day. Their current assignee has not been
 * reminded.
 */
const tasksDueAt = (now: Date) => sql`
  SELECT tasks.id, tasks.workspace_id, assignee_id, reminder, tasks.name, date, time
  FROM tasks JOIN users ON users.workspace_id = tasks.workspace_id AND users.id = assignee_id
    AND users.kind IN ('owner', 'staff') AND users.status = 'active'
  WHERE tasks.status = 'todo' AND reminder <= ${now}::timestamptz AND reminder > ${now}::timestamptz - interval '1 day'
    AND NOT EXISTS (SELECT FROM task_reminders AS known
      WHERE known.workspace_id = tasks.workspace_id AND known.task_id = tasks.id AND known.remind_at = tasks.reminder
        AND known.user_id = assignee_id)`;

/** Returns the reminder as one line, short enough for a text message. */
export const reminderText = ({ name, date, time }: Pick<DueTask, 'name' | 'date' | 'time'>): string => {
  const line = name.replaceAll(/\s+/g, ' ');
  return `Reminder: ${line.length > 100 ? `${line.slice(0, 99)}…` : line} (${date} ${time})`;
};

interface ReminderOutcome {
  way: 'sms' | 'email';
  delivery: 'sent' | 'queued' | 'dropped';
}

/** Records the reminder of a task, so that it is sent once. */
async function record(
  database: JobContext<Db>['database'],
  context: TransactionContext,
  { id, assignee_id, reminder }: DueTask,
  { way, delivery }: ReminderOutcome,
): Promise<void> {
  const sent_at = delivery === 'sent' ? clock.now() : null;
  await database.write(context, (db) =>
    db.rows(sql`
      INSERT INTO task_reminders (id, task_id, user_id, remind_at, way, delivery, next_attempt_at, sent_at)
      SELECT ${randomUUID()}::uuid, id, ${assignee_id}::uuid, ${reminder}::timestamptz, ${way}, ${delivery},
        ${clock.now()}::timestamptz, ${sent_at}::timestamptz
      FROM tasks WHERE id = ${id}::uuid ON CONFLICT DO NOTHING`),
  );
}

/**
 * Sends the reminder of one task in its current state, unless its assignee may no longer see it. The task may have changed while earlier reminders were sent.
 * After an interruption, platform recognises the repeated message by its key. The key includes the assignee.
 */
async function sendReminder(
  { database, rpc }: Pick<JobContext<Db, Rpc>, 'database' | 'rpc'>,
  found: DueTask,
): Promise<void> {
  const { id, workspace_id } = found;
  const context = jobTransaction(SCHEDULE, workspace_id);
  const [task] = await database.read(context, (db) =>
    db.rows<DueTask>(sql`${tasksDueAt(clock.now())} AND tasks.id = ${id}::uuid`),
  );
  if (!task) return;
  const { assignee_id, reminder } = task;
  if (!(await findReminderRecipient({ database, rpc }, context, { task_id: id, user_id: assignee_id })))
    return await record(database, context, task, { way: 'email', delivery: 'dropped' });
  const { queued } = await rpc(callerOnBehalfOf(assignee_id, workspace_id), context.request_id).platform.sendSms({
    idempotency_key: `task ${id} ${reminder} ${assignee_id}`,
    user_id: assignee_id,
    text: reminderText(task),
  });
  await record(
    database,
    context,
    task,
    queued ? { way: 'sms', delivery: 'sent' } : { way: 'email', delivery: 'queued' },
  );
}

/** Sends the reminders of all due tasks. */
export async function sendTaskReminders(tools: Pick<JobContext<Db, Rpc>, 'database' | 'rpc' | 'log'>): Promise<void> {
  const due = await findEverywhere<DueTask>(
    tools.database,
    SCHEDULE,
    rotateByWorkspace(
      sql`${tasksDueAt(clock.now())} AND ${isNotPostponed(SCHEDULE, sql`tasks.workspace_id`, sql`tasks.id`)}`,
      sql`reminder, id`,
      BATCH,
    ),
  );
  await runDueWork(tools, SCHEDULE, due, (task) => sendReminder(tools, task));
}

export const taskReminders = declareSchedule(SCHEDULE, INTERVAL_MS, sendTaskReminders);
