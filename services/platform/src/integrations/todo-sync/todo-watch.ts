/** Detects changes to tasks of users with a connected to-do list, and schedules their synchronisation. */
import { sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import { eachDue, every, findEverywhere, notPostponed, scheduled, type Tools } from '@suite/chassis/service';
import type { Db, Rpc } from '../../operations.ts';
import { marksOf, clientsOnBehalfOf } from './todo-tasks.ts';

const NAME = 'platform.watch-todo-lists';
const INTERVAL_MS = 10_000;
const WAITS_S = [10, 20, 60];
const AT_ONCE = 1_000;

/** Users of a workspace whose to-do lists are waiting for their next run. */
interface Watched {
  workspace_id: string;
  user_ids: string[];
}

const findWatched = (tools: Tools<Db, Rpc>): Promise<Watched[]> =>
  findEverywhere<Watched>(
    tools.database,
    NAME,
    sql`
      SELECT todo_syncs.workspace_id, array_agg(todo_syncs.user_id::text ORDER BY todo_syncs.user_id) AS user_ids
      FROM todo_syncs JOIN integrations USING (workspace_id, id)
      WHERE integrations.status IN ('connected', 'error') AND settings ->> 'direction' <> 'in'
        AND todo_syncs.claim IS NULL AND next_attempt_at > ${clock.now()}
        AND ${notPostponed(NAME, sql`todo_syncs.workspace_id`)}
      GROUP BY todo_syncs.workspace_id`,
  );

/** Compares the current change marks of projects and crm with the marks at the last synchronisation. */
async function watch({ database, rpc }: Tools<Db, Rpc>, { workspace_id, user_ids }: Watched): Promise<void> {
  const context = scheduled(NAME, workspace_id);
  for (let from = 0; from < user_ids.length; from += AT_ONCE) {
    const some = user_ids.slice(from, from + AT_ONCE);
    const marks = await marksOf(clientsOnBehalfOf(rpc, { user_id: some[0]!, workspace_id }, context.request_id), some);
    const [ids, told] = [[...marks.keys()], [...marks.values()]];
    await database.write(context, (db) =>
      db.rows(sql`
        UPDATE todo_syncs SET next_attempt_at = ${clock.now()}
        FROM unnest(${ids}::uuid[], ${told}::text[]) AS told (user_id, mark), integration_health
        WHERE todo_syncs.user_id = told.user_id AND todo_syncs.mark <> told.mark AND claim IS NULL
          AND integration_health.id = todo_syncs.id AND integration_health.failures = 0`),
    );
  }
}

/** Detects changes. A failing server is retried when it is due, and not earlier because of a change. */
export const watchToDoLists = every(NAME, INTERVAL_MS, async (tools: Tools<Db, Rpc>) => {
  const watched = await findWatched(tools);
  await eachDue({ ...tools, waits_s: WAITS_S }, NAME, watched, (one) => watch(tools, one));
});
