/** Recomputes the counters of tickets, which each change keeps, so that an error in them does not last. */
import { eachDue, every, findEverywhere, scheduled, sql, type Tools } from '@suite/chassis';
import type { Db } from '../operations.ts';

const SCHEDULE = 'support.recount-tickets';
const DAY_MS = 86_400_000;

/** Recomputes the counters of all workspaces, one after the other. Returns how many were wrong. */
export async function recount(tools: Pick<Tools<Db>, 'database' | 'log'>): Promise<number> {
  const { database, log } = tools;
  const workspaces = await findEverywhere<{ workspace_id: string }>(
    database,
    SCHEDULE,
    sql`SELECT workspace_id FROM settings ORDER BY workspace_id`,
  );
  let wrong = 0;
  await eachDue(tools, SCHEDULE, workspaces, async ({ workspace_id }) => {
    const [recounted] = await database.write(scheduled(SCHEDULE, workspace_id), (db) =>
      db.rows<{ wrong: number }>(sql`SELECT recount_tickets() AS wrong`),
    );
    // Each change keeps them, so that a wrong one is a defect that somebody should hear of.
    if (recounted!.wrong > 0) log.error({ workspace_id, ...recounted }, 'Counters of tickets were wrong.');
    wrong += recounted!.wrong;
  });
  return wrong;
}

export const recountNightly = every(SCHEDULE, DAY_MS, recount);
