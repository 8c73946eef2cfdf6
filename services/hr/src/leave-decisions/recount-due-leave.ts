/** Counts leave anew that was noted for it: one application after the other, each in a transaction of its own. */
import { eachDue, every, findEverywhere, notPostponed, scheduled, sql, type Tools, shareOut } from '@suite/chassis';
import type { Db } from '../operations.ts';
import { recountLeave } from './recount-leave.ts';

const SCHEDULE = 'hr.recount-due-leave';
const INTERVAL_MS = 5_000;
const BATCH = 500;

/** An application that is to be counted anew. */
interface Due {
  workspace_id: string;
  id: string;
}

/** Counts what is due in all workspaces; what fails is put off, and holds nothing else up. */
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
