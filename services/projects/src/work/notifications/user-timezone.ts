/** Time zone of a user, for the daily e-mail in the morning. */
import { sql } from '@suite/chassis/database';
import type { PlatformUser } from '@suite/user-copies';
import type { Db } from '../../operations.ts';

/** Stores the time zone of a user. If it changes, the next morning is determined again. */
export const storeTimezone = (db: Db, { user_id, timezone }: PlatformUser, as_of: number): Promise<unknown> =>
  db.rows(sql`
    UPDATE users SET zone = ${timezone ?? null}::text, digest_at = NULL
    WHERE id = ${user_id}::uuid AND as_of = ${as_of} AND zone IS DISTINCT FROM ${timezone ?? null}::text`);
