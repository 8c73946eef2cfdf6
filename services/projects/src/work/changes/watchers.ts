/** Watching of tasks and bugs: subscriptions to notifications about changes. */
import { sql } from '@suite/chassis/database';
import { userOf, upsertUserCopies } from '@suite/user-copies';
import { enterProject } from '../access/access.ts';
import type { CommandContext, Db } from '../../operations.ts';
import { projectOf } from '../work-items/card.ts';
import type { WorkItemKind } from '../work-items/card.rules.ts';

/** Stores the user's own choice to watch a card or not. */
async function setWatching(db: Db, item_id: string, user_id: string, watching: boolean): Promise<void> {
  await db.rows(sql`
    INSERT INTO watchers (item_id, user_id, watching) VALUES (${item_id}::uuid, ${user_id}::uuid, ${watching})
    ON CONFLICT (workspace_id, item_id, user_id) DO UPDATE SET watching = EXCLUDED.watching
    WHERE watchers.watching <> EXCLUDED.watching`);
}

/** Sets or clears the caller's watch on an item. @throws NotFound, WrongProjectRole, ProjectArchived */
export async function watchWorkItem(
  context: CommandContext,
  kind: WorkItemKind,
  id: string,
  watching: boolean,
): Promise<{ watching: boolean }> {
  const { db, caller } = context;
  await enterProject(context, await projectOf(db, kind, id), 'viewer');
  await upsertUserCopies(db, [userOf(caller)]);
  await setWatching(db, id, caller.user_id, watching);
  return { watching };
}
