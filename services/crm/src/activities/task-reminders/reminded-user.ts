/** Users whom a task reminds, with their permissions at the time of sending. */
import { type Context, sql } from '@suite/chassis/database';
import { onBehalfOf } from '@suite/chassis/identity';
import type { Tools } from '@suite/chassis/service';
import { withRights } from '@suite/user-copies';
import type { Db, Rpc } from '../../operations.ts';

/** Module that shows tasks. */
const MODULE = 'crm';

/**
 * Checks that a user may see a task now: the permission to view its lead or deal, and that record itself. The assignee
 * can lose both after the assignment.
 */
export async function seesTask(
  { database, rpc }: Pick<Tools<Db, Rpc>, 'database' | 'rpc'>,
  context: Context & { workspace_id: string },
  { task_id, user_id }: { task_id: string; user_id: string },
): Promise<boolean> {
  const { workspace_id, request_id } = context;
  const { users } = await rpc(onBehalfOf(user_id, workspace_id), request_id).platform.batchGetRights({
    user_ids: [user_id],
  });
  const [rights] = users;
  if (!rights || !rights.modules.includes(MODULE)) return false;
  const caller = withRights(rights, { user_id, workspace_id });
  const [task] = await database.view({ ...context, caller }, (db) =>
    db.rows<{ permission: string }>(sql`
      SELECT CASE WHEN lead_id IS NULL THEN 'deal.view' ELSE 'lead.view' END AS permission
      FROM tasks WHERE id = ${task_id}::uuid`),
  );
  return task !== undefined && caller.permissions.includes(task.permission);
}
