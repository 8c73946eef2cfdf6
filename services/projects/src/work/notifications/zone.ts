/** Time zone of a user, for the daily e-mail in the morning. */
import { sql } from '@suite/chassis/database';
import type { Person } from '@suite/user-copies';
import type { Db } from '../../operations.ts';

/** Stores the time zone of a user. If it changes, the next morning is determined again. */
export const keepZone = (db: Db, { user_id, timezone }: Person, as_of: number): Promise<unknown> =>
  db.rows(sql`
    UPDATE users SET zone = ${timezone ?? null}::text, digest_at = NULL
    WHERE id = ${user_id}::uuid AND as_of = ${as_of} AND zone IS DISTINCT FROM ${timezone ?? null}::text`);
