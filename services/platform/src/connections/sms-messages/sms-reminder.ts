/**
 * Text messages to staff: reminders from other services, if the workspace allows them and has a gateway. Also erases
 * messages to deleted users.
 */
import { sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import type { Db } from '../../operations.ts';
import { countToday, isAllowedCountry, lockGateway } from './sms-message.ts';
import { smsStates } from './sms-message.rules.ts';

/** Response to a service, which sends an e-mail if no message is queued. */
interface ReminderResult {
  queued: boolean;
  /** Reason: no_gateway, not_wanted, no_number, country_not_allowed or daily_limit. Empty if queued. */
  reason: string;
}

const notQueued = (reason: string): ReminderResult => ({ queued: false, reason });

/** Returns a number in international format, or undefined for an invalid number. */
async function toInternational(db: Db, phone: string): Promise<string | undefined> {
  const [workspace] = await db.rows<{ country: string | null }>(sql`SELECT country FROM workspaces LIMIT 1`);
  // Loaded with the first reminder, because the table of phone numbers is large.
  const { isSupportedCountry, parsePhoneNumberFromString } = await import('libphonenumber-js/min');
  const country = workspace?.country && isSupportedCountry(workspace.country) ? workspace.country : undefined;
  const number = parsePhoneNumberFromString(phone, country);
  return number?.isValid() ? number.number : undefined;
}

/** Returns the phone number of an owner or staff user in international format. */
async function readNumber(db: Db, user_id: string): Promise<string | undefined> {
  const [found] = await db.rows<{ phone: string }>(sql`
    SELECT phone FROM users
    WHERE id = ${user_id}::uuid AND status = 'active' AND kind IN ('owner', 'staff') AND phone IS NOT NULL`);
  return found && (await toInternational(db, found.phone));
}

/** Queues a reminder to a user, within the limits of the workspace. */
export async function queueReminder(db: Db, user_id: string, text: string): Promise<ReminderResult> {
  const settings = await lockGateway(db);
  if (!settings) return notQueued('no_gateway');
  if (!settings.reminders) return notQueued('not_wanted');
  const to = await readNumber(db, user_id);
  if (!to) return notQueued('no_number');
  if (!(await isAllowedCountry(settings, to))) return notQueued('country_not_allowed');
  const { today } = await countToday(db);
  if (today >= settings.daily_limit) return notQueued('daily_limit');
  const now = clock.now();
  await db.smsMessage.create({
    data: { user_id, to, text, purpose: 'reminder', created_at: now, next_attempt_at: now },
  });
  return { queued: true, reason: '' };
}

/**
 * Erases number and text of messages to a deleted user, and of messages that others sent to the number. A waiting
 * message is no longer sent.
 */
export async function eraseMessages(
  db: Db,
  { id: user_id, phone }: { id: string; phone: string | null },
): Promise<void> {
  const factor = await db.smsFactor.findFirst({ where: { id: user_id } });
  const numbers = [factor?.phone, phone && (await toInternational(db, phone))].filter(Boolean);
  const { set, guard } = smsStates.moving('fail');
  const belongsToUser = sql`(user_id = ${user_id}::uuid OR (user_id IS NULL AND "to" = ANY(${numbers}::text[])))`;
  await db.rows(sql`
    UPDATE sms_messages SET ${set}, failure_code = 'receiver_deleted', failure = 'The account of the recipient was deleted.'
    WHERE status = 'queued' AND ${belongsToUser} AND ${guard}`);
  await db.rows(sql`
    UPDATE sms_messages SET user_id = ${user_id}::uuid, "to" = NULL, text = NULL, text_sealed = NULL WHERE ${belongsToUser}`);
}
