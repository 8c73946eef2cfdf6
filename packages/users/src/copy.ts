/**
 * Copies of platform's users, as its events tell of them. The events about one user come over several subscriptions and
 * so in any order: each carries its number, and an older one changes nothing that a newer one has said.
 */
import { type Confined, sql } from '@suite/chassis';
import type { Person } from './user.ts';

/** The database of a service that has the table `users` (see the schema of crm). */
export type Copies = Confined<object>;

/** Lists of colleagues are filtered by it. Not the transaction's beginning: a reader may have passed that moment already. */
const CHANGED = sql`clock_timestamp()`;

/** Takes over who somebody is. @param as_of the number of the event that says so; 0 where none does */
export async function upsertUserProfile(db: Copies, person: Person, as_of: number): Promise<void> {
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

/** Takes over somebody's picture, where copies have the column: for the followers' `keep`. */
export const keepAvatar = (db: Copies, { user_id, avatar_url }: Person, as_of: number): Promise<unknown> =>
  db.rows(sql`
    UPDATE users SET avatar_url = ${avatar_url ?? null}
    WHERE id = ${user_id}::uuid AND as_of = ${as_of} AND avatar_url IS DISTINCT FROM ${avatar_url ?? null}::text`);

/** Records that somebody has proved their address, where copies have the column: for the followers' `prove`. */
export const recordVerifiedEmail = (db: Copies, user_id: string): Promise<unknown> =>
  db.rows(sql`
    UPDATE users SET email_verified = true WHERE id = ${user_id}::uuid AND NOT email_verified AND status <> 'former'`);

/** Takes over what somebody may do now. Who they are may still be on its way: until then the copy has no name of its own. */
export async function upsertUserStatus(
  db: Copies,
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

/** Remembers who owns the workspace, also before anything else is known of them. */
export async function upsertOwner(db: Copies, user_id: string): Promise<void> {
  await db.rows(sql`
    INSERT INTO users (id, name, kind, status) VALUES (${user_id}::uuid, 'Owner', 'owner', 'invited')
    ON CONFLICT (id) DO UPDATE SET kind = 'owner', updated_at = ${CHANGED} WHERE users.as_of = 0`);
}

/** Leaves nothing personal of somebody who is gone, also when earlier events about them are still to come. */
export async function upsertFormerUser(db: Copies, user_id: string, as_of: number): Promise<void> {
  await db.rows(sql`
    INSERT INTO users (id, name, kind, status, as_of, status_as_of)
    VALUES (${user_id}::uuid, 'Former user', 'staff', 'former', ${as_of}, ${as_of})
    ON CONFLICT (id) DO UPDATE
    SET name = EXCLUDED.name, email = NULL, phone = NULL, status = EXCLUDED.status,
      as_of = EXCLUDED.as_of, status_as_of = EXCLUDED.status_as_of, updated_at = ${CHANGED}`);
}
