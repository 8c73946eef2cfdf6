/** Recounts marked leave, each request in its own transaction. */
import { sql } from '@suite/chassis/database';
import { eachDue, every, findEverywhere, notPostponed, scheduled, type Tools, shareOut } from '@suite/chassis/service';
import type { Db } from '../../operations.ts';
import { recountLeave } from './recount-leave.ts';

const SCHEDULE = 'hr.recount-due-leave';
const INTERVAL_MS = 5_000;
const BATCH = 500;

/** Leave request that is due for a recount. */
interface Due {
  workspace_id: string;
  id: string;
}

/** Recounts due leave in all workspaces. A failure is postponed and does not delay other requests. */
export async function recountDueLeave(tools: Pick<Tools<Db>, 'database' | 'log'>): Promise<void> {
  const { database } = tools;
  const found = await findEverywhere<Due>(
    database,
    SCHEDULE,
    shareOut(
      sql`
      SELECT workspace_id, application_id AS id FROM leave_recounts
      WHERE ${notPostponed(SCHEDULE, sql`workspace_id`, sql`application_id`)}`,
      sql`id`,
      BATCH,
    ),
  );
  await eachDue(tools, SCHEDULE, found, ({ workspace_id, id }) =>
    database.write(scheduled(SCHEDULE, workspace_id), (db, emit) => recountLeave({ db, emit }, id)),
  );
}

export const recountLeaveAgain = every(SCHEDULE, INTERVAL_MS, recountDueLeave);
