/** Reminds people of their tasks at the moment that was chosen: by text message where platform sends one, else by mail. */
import {
  clock,
  eachDue,
  every,
  findEverywhere,
  notPostponed,
  onBehalfOf,
  scheduled,
  sql,
  type Tools,
  shareOut,
} from '@suite/chassis';
import { randomUUID } from 'node:crypto';
import type { Db, Rpc } from '../operations.ts';

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

/** Tasks whose moment has come within the last day, of which nobody has reminded whom they are assigned to now. */
const tasksDueBy = (now: Date) => sql`
  SELECT tasks.id, tasks.workspace_id, assignee_id, reminder, tasks.name, date, time
  FROM tasks JOIN users ON users.workspace_id = tasks.workspace_id AND users.id = assignee_id
    AND users.kind IN ('owner', 'staff') AND users.status = 'active'
  WHERE tasks.status = 'todo' AND reminder <= ${now}::timestamptz AND reminder > ${now}::timestamptz - interval '1 day'
    AND NOT EXISTS (SELECT FROM task_reminders AS known
      WHERE known.workspace_id = tasks.workspace_id AND known.task_id = tasks.id AND known.remind_at = tasks.reminder
        AND known.user_id = assignee_id)`;

/** One line, as short as a text message should be. */
export const reminderText = ({ name, date, time }: Pick<DueTask, 'name' | 'date' | 'time'>): string => {
  const line = name.replaceAll(/\s+/g, ' ');
  return `Reminder: ${line.length > 100 ? `${line.slice(0, 99)}…` : line} (${date} ${time})`;
};

/**
 * Reminds of one task, as it is by now: others were reminded of theirs since it was found. Asked again after a stop, platform knows
 * the message by its key, which is another one for somebody else.
 */
async function remind({ database, rpc }: Pick<Tools<Db, Rpc>, 'database' | 'rpc'>, found: DueTask): Promise<void> {
  const { id, workspace_id } = found;
  const context = scheduled(SCHEDULE, workspace_id);
  const [task] = await database.read(context, (db) =>
    db.rows<DueTask>(sql`${tasksDueBy(clock.now())} AND tasks.id = ${id}::uuid`),
  );
  if (!task) return;
  const { assignee_id, reminder } = task;
  const { queued } = await rpc(onBehalfOf(assignee_id, workspace_id), context.request_id).platform.sendSms({
    idempotency_key: `task ${id} ${reminder} ${assignee_id}`,
    user_id: assignee_id,
    text: reminderText(task),
  });
  const [way, delivery] = queued ? ['sms', 'sent'] : ['email', 'queued'];
  await database.write(context, (db) =>
    db.rows(sql`
      INSERT INTO task_reminders (id, task_id, user_id, remind_at, way, delivery, next_attempt_at, sent_at)
      SELECT ${randomUUID()}::uuid, id, ${assignee_id}::uuid, ${reminder}::timestamptz, ${way}, ${delivery},
        ${clock.now()}::timestamptz, CASE WHEN ${queued} THEN ${clock.now()}::timestamptz END
      FROM tasks WHERE id = ${id}::uuid ON CONFLICT DO NOTHING`),
  );
}

/** Reminds of all tasks whose moment has come. */
export async function remindOfTasks(tools: Pick<Tools<Db, Rpc>, 'database' | 'rpc' | 'log'>): Promise<void> {
  const due = await findEverywhere<DueTask>(
    tools.database,
    SCHEDULE,
    shareOut(
      sql`${tasksDueBy(clock.now())} AND ${notPostponed(SCHEDULE, sql`tasks.workspace_id`, sql`tasks.id`)}`,
      sql`reminder, id`,
      BATCH,
    ),
  );
  await eachDue(tools, SCHEDULE, due, (task) => remind(tools, task));
}

export const remindOfDueTasks = every(SCHEDULE, INTERVAL_MS, remindOfTasks);
