/** Expiry of reservations: unused ones are released at their end, by the database clock. */
import { sql } from '@suite/chassis/database';
import { eachDue, every, findEverywhere, notPostponed, scheduled, type Tools } from '@suite/chassis/service';
import type { Db } from '../operations.ts';
import { endReservations } from './reservation.ts';

const SCHEDULE = 'inventory.expire-reservations';
const due = sql`expires_at <= now()`;

/** Ends the expired reservations of each workspace. */
export async function expireReservations(tools: Pick<Tools<Db>, 'database' | 'log'>): Promise<void> {
  const { database } = tools;
  const found = await findEverywhere<{ workspace_id: string }>(
    database,
    SCHEDULE,
    sql`
      SELECT DISTINCT workspace_id FROM reservations
      WHERE status = 'active' AND ${due} AND ${notPostponed(SCHEDULE, sql`workspace_id`)}`,
  );
  await eachDue(tools, SCHEDULE, found, ({ workspace_id }) =>
    database.write(scheduled(SCHEDULE, workspace_id), (db, emit) => endReservations({ db, emit }, due, 'expired')),
  );
}

export const expireDueReservations = every(SCHEDULE, 15_000, expireReservations);
