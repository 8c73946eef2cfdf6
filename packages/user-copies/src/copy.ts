/**
 * Copies of platform's users, updated by its events. The events of one user arrive over several subscriptions, and so
 * in any order. Each event has a number, and an older event does not overwrite newer data.
 */
import { sql } from '@suite/chassis/database';
import type { PlatformUser, UserCopies } from './user.ts';

/**
 * Time of the change, used to filter user lists. The start of the transaction would be too early: a reader may have
 * passed that time already.
 */
const CHANGED = sql`clock_timestamp()`;

/** Stores a user's profile. @param as_of position of the event with the profile; 0 without an event */
export async function upsertUserProfile(db: UserCopies, person: PlatformUser, as_of: number): Promise<void> {
  const { user_id, name, email, phone, kind, status } = person;
  await db.rows(sql`
    INSERT INTO users (id, name, email, phone, kind, status, as_of, status_as_of)
    VALUES (${user_id}::uuid, ${name}, nullif(${email}, ''), nullif(${phone}, ''), ${kind}, ${status}, ${as_of}, ${as_of})
    ON CONFLICT (id) DO UPDATE
    SET name = EXCLUDED.name, email = EXCLUDED.email, phone = EXCLUDED.phone, kind = EXCLUDED.kind, as_of = EXCLUDED.as_of,
      updated_at = ${CHANGED}
    WHERE users.as_of <= EXCLUDED.as_of`);
  await db.rows(sql`
    UPDATE users SET status = ${status}, status_as_of = ${as_of}, updated_at = ${CHANGED}
    WHERE id = ${user_id}::uuid AND status_as_of <= ${as_of}`);
}

/** Stores a user's image, if copies have the column: for the followers' `keep`. */
export const storeAvatar = (db: UserCopies, { user_id, avatar_url }: PlatformUser, as_of: number): Promise<unknown> =>
  db.rows(sql`
    UPDATE users SET avatar_url = ${avatar_url ?? null}
    WHERE id = ${user_id}::uuid AND as_of = ${as_of} AND avatar_url IS DISTINCT FROM ${avatar_url ?? null}::text`);

/** Records that a user has verified their e-mail address, if copies have the column: for the followers' `prove`. */
export const recordVerifiedEmail = (db: UserCopies, user_id: string): Promise<unknown> =>
  db.rows(sql`
    UPDATE users SET email_verified = true WHERE id = ${user_id}::uuid AND NOT email_verified AND status <> 'former'`);

/** Stores a user's status. Their profile may still be in transit: until then the copy has a placeholder name. */
export async function upsertUserStatus(
  db: UserCopies,
  user_id: string,
  status: 'active' | 'disabled',
  as_of: number,
): Promise<void> {
  await db.rows(sql`
    INSERT INTO users (id, name, kind, status, status_as_of)
    VALUES (${user_id}::uuid, 'New user', 'staff', ${status}, ${as_of})
    ON CONFLICT (id) DO UPDATE SET status = EXCLUDED.status, status_as_of = EXCLUDED.status_as_of,
      updated_at = ${CHANGED}
    WHERE users.status_as_of < EXCLUDED.status_as_of`);
}

/** Records the owner of the workspace, even before their profile is known. */
export async function upsertOwner(db: UserCopies, user_id: string): Promise<void> {
  await db.rows(sql`
    INSERT INTO users (id, name, kind, status) VALUES (${user_id}::uuid, 'Owner', 'owner', 'invited')
    ON CONFLICT (id) DO UPDATE SET kind = 'owner', updated_at = ${CHANGED} WHERE users.as_of = 0`);
}

/** Removes all personal data of a deleted user, even if earlier events of this user arrive later. */
export async function upsertFormerUser(db: UserCopies, user_id: string, as_of: number): Promise<void> {
  await db.rows(sql`
    INSERT INTO users (id, name, kind, status, as_of, status_as_of)
    VALUES (${user_id}::uuid, 'Former user', 'staff', 'former', ${as_of}, ${as_of})
    ON CONFLICT (id) DO UPDATE
    SET name = EXCLUDED.name, email = NULL, phone = NULL, status = EXCLUDED.status,
      as_of = EXCLUDED.as_of, status_as_of = EXCLUDED.status_as_of, updated_at = ${CHANGED}`);
}
