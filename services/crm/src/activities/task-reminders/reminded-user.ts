/** Users whom a task reminds, with their permissions at the time of sending. */
import { type TransactionContext, sql } from '@suite/chassis/database';
import type { JobContext } from '@suite/chassis/service';
import { type Recipient, recipientWithAccess } from '@suite/user-copies';
import type { Db, Rpc } from '../../operations.ts';

/** Returns the assignee of a task, if they may see its lead or deal now. */
export const findReminderRecipient = (
  tools: Pick<JobContext<Db, Rpc>, 'database' | 'rpc'>,
  context: TransactionContext,
  { task_id, user_id }: { task_id: string; user_id: string },
): Promise<Recipient | undefined> =>
  recipientWithAccess(tools, context, {
    user_id,
    modules: ['crm'],
    permission: sql`
      SELECT CASE WHEN lead_id IS NULL THEN 'deal.view' ELSE 'lead.view' END AS permission
      FROM tasks WHERE id = ${task_id}::uuid`,
  });
