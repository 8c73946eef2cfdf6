/** Expiry of reservations: unused ones are released when their time is over. The time is the database's. */
import { every, findEverywhere, scheduled, sql, type Tools } from '@suite/chassis';
import type { Db } from '../operations.ts';
import { endReservations } from './reservation.ts';

const SCHEDULE = 'inventory.expire-reservations';
const due = sql`expires_at <= now()`;

/** Ends what has expired, in each workspace that has any. */
export async function expireReservations({ database }: Pick<Tools<Db>, 'database'>): Promise<void> {
  const found = await findEverywhere<{ workspace_id: string }>(
    database,
    SCHEDULE,
    sql`SELECT DISTINCT workspace_id FROM reservations WHERE status = 'active' AND ${due}`,
  );
  for (const { workspace_id } of found) {
    await database.write(scheduled(SCHEDULE, workspace_id), (db, emit) =>
      endReservations({ db, emit }, due, 'expired'),
    );
  }
}

export const expireDueReservations = every(SCHEDULE, 15_000, expireReservations);
