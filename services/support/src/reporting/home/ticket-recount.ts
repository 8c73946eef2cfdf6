/** Recalculates the ticket counters, so that errors in them are corrected. */
import { sql } from '@suite/chassis/database';
import { runDueWork, declareSchedule, findEverywhere, jobTransaction, type JobContext } from '@suite/chassis/service';
import type { Db } from '../../operations.ts';

const SCHEDULE = 'support.recount-tickets';
const DAY_MS = 86_400_000;

/** Recalculates the counters of all workspaces in sequence. Returns the number of wrong counters. */
export async function recountTickets(tools: Pick<JobContext<Db>, 'database' | 'log'>): Promise<number> {
  const { database, log } = tools;
  const workspaces = await findEverywhere<{ workspace_id: string }>(
    database,
    SCHEDULE,
    sql`SELECT workspace_id FROM settings ORDER BY workspace_id`,
  );
  let wrong = 0;
  await runDueWork(tools, SCHEDULE, workspaces, async ({ workspace_id }) => {
    const [recounted] = await database.write(jobTransaction(SCHEDULE, workspace_id), (db) =>
      db.rows<{ wrong: number }>(sql`SELECT recount_tickets() AS wrong`),
    );
    // Each change updates the counters, so a wrong counter is a bug that operators must see.
    if (recounted!.wrong > 0) log.error({ workspace_id, ...recounted }, 'Ticket counters were wrong; corrected');
    wrong += recounted!.wrong;
  });
  return wrong;
}

export const recountNightly = declareSchedule(SCHEDULE, DAY_MS, recountTickets);
