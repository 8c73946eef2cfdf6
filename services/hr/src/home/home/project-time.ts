/** Copies of approved project time, for employees paid by project hours. */
import { sql } from '@suite/chassis/database';
import type { Db } from '../../operations.ts';

/**
 * Time entry as sent by projects. @property as_of position of the entry's event; events with a lower position are ignored
 */
export interface ReceivedTime {
  time_id: string;
  user_id: string;
  as_of: number;
}

/** Stores an approval. */
export async function upsertProjectTime(
  db: Db,
  { time_id, user_id, as_of }: ReceivedTime,
  { local_date, duration_seconds }: { local_date: string; duration_seconds: number },
): Promise<void> {
  await db.rows(sql`
    INSERT INTO project_times AS known (id, user_id, local_date, seconds, approved, as_of)
    VALUES (${time_id}::uuid, ${user_id}::uuid, ${local_date}::date, ${duration_seconds}, TRUE, ${as_of})
    ON CONFLICT (id) DO UPDATE SET user_id = EXCLUDED.user_id, local_date = EXCLUDED.local_date, seconds = EXCLUDED.seconds,
      approved = TRUE, as_of = EXCLUDED.as_of WHERE known.as_of < EXCLUDED.as_of`);
}

/** Withdraws an approval. An earlier approval that arrives later is ignored. */
export async function withdrawProjectTime(db: Db, { time_id, user_id, as_of }: ReceivedTime): Promise<void> {
  await db.rows(sql`
    INSERT INTO project_times AS known (id, user_id, local_date, seconds, approved, as_of)
    VALUES (${time_id}::uuid, ${user_id}::uuid, '2000-01-01', 0, FALSE, ${as_of})
    ON CONFLICT (id) DO UPDATE SET approved = FALSE, as_of = EXCLUDED.as_of WHERE known.as_of < EXCLUDED.as_of`);
}
