/** Users whom a task reminds, with their permissions at the time of sending. */
import { type Context, sql } from '@suite/chassis/database';
import type { Tools } from '@suite/chassis/service';
import { type Recipient, recipientWhoSees } from '@suite/user-copies';
import type { Db, Rpc } from '../../operations.ts';

/** Returns the assignee of a task, if they may see its lead or deal now. */
export const remindedUser = (
  tools: Pick<Tools<Db, Rpc>, 'database' | 'rpc'>,
  context: Context,
  { task_id, user_id }: { task_id: string; user_id: string },
): Promise<Recipient | undefined> =>
  recipientWhoSees(tools, context, {
    user_id,
    modules: ['crm'],
    permission: sql`
      SELECT CASE WHEN lead_id IS NULL THEN 'deal.view' ELSE 'lead.view' END AS permission
      FROM tasks WHERE id = ${task_id}::uuid`,
  });
