/** Notification choices of users. Users without choices have the defaults, and no row. */
import { randomUUIDv7 } from 'node:crypto';
import { assertVersion, sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { userOf, upsertUserCopies } from '@suite/user-copies';
import type { Db } from '../../operations.ts';
import { KINDS, type NotificationChanges, type NotificationKind, type MailTiming } from './notification.schema.ts';

export type NotificationChoices = Record<NotificationKind, MailTiming>;

/** Settings of users as SQL, with the defaults for a missing row of `notification_settings`. */
export const choices = sql`coalesce(chosen.assignment, 'at_once') AS assignment, coalesce(chosen.mention, 'at_once') AS mention,
  coalesce(chosen.comment, 'daily') AS comment, coalesce(chosen.due, 'daily') AS due`;

/** Returns the settings of a user. The version is 1 before the first change. */
export async function ownSettings(db: Db, user_id: string): Promise<NotificationChoices & { version: number }> {
  const [row] = await db.rows<NotificationChoices & { version: number }>(sql`
    SELECT ${choices}, coalesce(chosen.version, 1) AS version FROM (SELECT ${user_id}::uuid AS user_id) AS caller
    LEFT JOIN notification_settings AS chosen USING (user_id)`);
  return row!;
}

/** Changes the caller's settings. @throws Stale */
export async function changeOwnSettings(
  db: Db,
  caller: Caller,
  { version: _, ...changes }: NotificationChanges,
  expect: number | undefined,
) {
  const { user_id } = caller;
  await upsertUserCopies(db, [userOf(caller)]);
  // Serializes concurrent changes of one user, even if there is no row yet.
  await db.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`notifications ${user_id}`}, 0))`);
  const before = await ownSettings(db, user_id);
  assertVersion(before, expect);
  const after = { ...before, ...changes };
  if (KINDS.every((kind) => after[kind] === before[kind])) return before;
  const { assignment, mention, comment, due } = after;
  await db.rows(sql`
    INSERT INTO notification_settings (id, user_id, assignment, mention, comment, due, version)
    VALUES (${randomUUIDv7()}::uuid, ${user_id}::uuid, ${assignment}, ${mention}, ${comment}, ${due}, 2)
    ON CONFLICT (workspace_id, user_id) DO UPDATE SET assignment = EXCLUDED.assignment, mention = EXCLUDED.mention,
      comment = EXCLUDED.comment, due = EXCLUDED.due`);
  return await ownSettings(db, user_id);
}
