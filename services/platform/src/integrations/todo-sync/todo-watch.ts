/** Detects changes to tasks of users with a connected to-do list, and schedules their synchronisation. */
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
import type { Db, Rpc } from '../../operations.ts';
import { readMarks, clientsOnBehalfOf } from './todo-tasks.ts';

const NAME = 'platform.watch-todo-lists';
const INTERVAL_MS = 10_000;
const RETRY_DELAYS_S = [10, 20, 60];
const BATCH = 1_000;

/** Users of a workspace whose to-do lists are waiting for their next run. */
interface WatchedUsers {
  workspace_id: string;
  user_ids: string[];
}

const findWatched = (tools: JobContext<Db, Rpc>): Promise<WatchedUsers[]> =>
  findEverywhere<WatchedUsers>(
    tools.database,
    NAME,
    sql`
      SELECT todo_syncs.workspace_id, array_agg(todo_syncs.user_id::text ORDER BY todo_syncs.user_id) AS user_ids
      FROM todo_syncs JOIN integrations USING (workspace_id, id)
      WHERE integrations.status IN ('connected', 'error') AND settings ->> 'direction' <> 'in'
        AND todo_syncs.claim IS NULL AND next_attempt_at > ${clock.now()}
        AND ${isNotPostponed(NAME, sql`todo_syncs.workspace_id`)}
      GROUP BY todo_syncs.workspace_id`,
  );

/** Compares the current change marks of projects and crm with the marks at the last synchronisation. */
async function watch({ database, rpc }: JobContext<Db, Rpc>, { workspace_id, user_ids }: WatchedUsers): Promise<void> {
  const context = jobTransaction(NAME, workspace_id);
  for (let from = 0; from < user_ids.length; from += BATCH) {
    const batch = user_ids.slice(from, from + BATCH);
    const marks = await readMarks(
      clientsOnBehalfOf(rpc, { user_id: batch[0]!, workspace_id }, context.request_id),
      batch,
    );
    const [ids, current] = [[...marks.keys()], [...marks.values()]];
    await database.write(context, (db) =>
      db.rows(sql`
        UPDATE todo_syncs SET next_attempt_at = ${clock.now()}
        FROM unnest(${ids}::uuid[], ${current}::text[]) AS told (user_id, mark), integration_health
        WHERE todo_syncs.user_id = told.user_id AND todo_syncs.mark <> told.mark AND claim IS NULL
          AND integration_health.id = todo_syncs.id AND integration_health.failures = 0`),
    );
  }
}

/** Detects changes. A failing server is retried when it is due, and not earlier because of a change. */
export const watchToDoLists = declareSchedule(NAME, INTERVAL_MS, async (tools: JobContext<Db, Rpc>) => {
  const watched = await findWatched(tools);
  await runDueWork({ ...tools, waits_s: RETRY_DELAYS_S }, NAME, watched, (one) => watch(tools, one));
});
