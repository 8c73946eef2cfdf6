/** Reminder e-mails. They are sent only while the task is open, and its assignee is the recipient and may see it. */
import { sql } from '@suite/chassis/database';
import { linkParagraph, mailQueue, pageOf } from '@suite/mail-queue';
import type { TaskReminder } from '../../generated/client.ts';
import type { Db, Rpc } from '../../operations.ts';
import { findReminderRecipient } from './reminded-user.ts';
import { reminderText } from './task-reminder.ts';

interface ReminderDetails {
  name: string;
  date: string;
  time: string;
  email: string | null;
  user_name: string;
}

const queue = mailQueue<Db, TaskReminder, Rpc>({
  schedule: 'crm.deliver-task-reminders',
  table: 'task_reminders',
  is_automatic: true,
  async compose({ database, rpc }, { id, task_id, user_id }, context, terms) {
    const [found] = await database.read(context, (db) =>
      db.rows<ReminderDetails>(sql`
        SELECT tasks.name, tasks.date, tasks.time, users.email, users.name AS user_name FROM tasks JOIN users ON users.id = tasks.assignee_id
        WHERE tasks.id = ${task_id}::uuid AND tasks.assignee_id = ${user_id}::uuid AND tasks.status = 'todo'
          AND users.status = 'active'`),
    );
    if (!found?.email) return undefined;
    if (!(await findReminderRecipient({ database, rpc }, context, { task_id, user_id }))) return undefined;
    const { name, date, time, user_name } = found;
    const text = `Hello ${user_name},\n\nThis is a reminder of your task:\n\n${name}\nDue on ${date} at ${time}.\n${linkParagraph(pageOf(terms, 'task', { id: task_id }))}`;
    return {
      to: found.email,
      subject: reminderText(found),
      text,
      message_id: `<${id}@crm.suite>`,
      because: 'the task is assigned to you',
    };
  },
});

export const deliverReminderMail = queue.deliver;
export const deliverQueuedReminders = queue.schedule;
