/** Recounts marked leave, each request in its own transaction. */
import { sql } from '@suite/chassis/database';
import {
  runDueWork,
  declareSchedule,
  findEverywhere,
  isNotPostponed,
  jobTransaction,
  type JobContext,
  rotateByWorkspace,
} from '@suite/chassis/service';
import type { Db } from '../../operations.ts';
import { recountLeave } from './recount-leave.ts';

const SCHEDULE = 'hr.recount-due-leave';
const INTERVAL_MS = 5_000;
const BATCH = 500;

/** Leave request that is due for a recount. */
interface DueLeave {
  workspace_id: string;
  id: string;
}

/** Recounts due leave in all workspaces. A failure is postponed and does not delay other requests. */
export async function recountDueLeave(tools: Pick<JobContext<Db>, 'database' | 'log'>): Promise<void> {
  const { database } = tools;
  const found = await findEverywhere<DueLeave>(
    database,
    SCHEDULE,
    rotateByWorkspace(
      sql`
      SELECT workspace_id, application_id AS id FROM leave_recounts
      WHERE ${isNotPostponed(SCHEDULE, sql`workspace_id`, sql`application_id`)}`,
      sql`id`,
      BATCH,
    ),
  );
  await runDueWork(tools, SCHEDULE, found, ({ workspace_id, id }) =>
    database.write(jobTransaction(SCHEDULE, workspace_id), (db, emit) => recountLeave({ db, emit }, id)),
  );
}

export const recountLeaveAgain = declareSchedule(SCHEDULE, INTERVAL_MS, recountDueLeave);
