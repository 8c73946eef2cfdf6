/** Expiry of reservations: unused ones are released at their end, by the database clock. */
import { sql } from '@suite/chassis/database';
import {
  runDueWork,
  declareSchedule,
  findEverywhere,
  isNotPostponed,
  jobTransaction,
  type JobContext,
} from '@suite/chassis/service';
import type { Db } from '../operations.ts';
import { endReservations } from './reservation.ts';

const SCHEDULE = 'inventory.expire-reservations';
const due = sql`expires_at <= now()`;

/** Ends the expired reservations of each workspace. */
export async function expireReservations(tools: Pick<JobContext<Db>, 'database' | 'log'>): Promise<void> {
  const { database } = tools;
  const found = await findEverywhere<{ workspace_id: string }>(
    database,
    SCHEDULE,
    sql`
      SELECT DISTINCT workspace_id FROM reservations
      WHERE status = 'active' AND ${due} AND ${isNotPostponed(SCHEDULE, sql`workspace_id`)}`,
  );
  await runDueWork(tools, SCHEDULE, found, ({ workspace_id }) =>
    database.write(jobTransaction(SCHEDULE, workspace_id), (db, emit) => endReservations({ db, emit }, due, 'expired')),
  );
}

export const expireDueReservations = declareSchedule(SCHEDULE, 15_000, expireReservations);
