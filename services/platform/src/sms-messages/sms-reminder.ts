/**
 * Text messages to people who work here: reminders of other services, where the workspace wants that and it can be done; and what
 * is left of messages to somebody who is deleted.
 */
import { clock, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';
import { countToday, isAllowedCountry, lockGateway } from './sms-message.ts';
import { smsStates } from './sms-message.rules.ts';

/** The answer to a service: it sends an e-mail where nothing is queued. */
interface Answer {
  queued: boolean;
  /** Empty, or the reason: no_gateway, not_wanted, no_number, country_not_allowed, daily_limit. */
  reason: string;
}

const no = (reason: string): Answer => ({ queued: false, reason });

/** A number as it is dialled from everywhere; nothing for what is no number. */
async function dialled(db: Db, phone: string): Promise<string | undefined> {
  const [workspace] = await db.rows<{ country: string | null }>(sql`SELECT country FROM workspaces LIMIT 1`);
  // Loaded with the first reminder: the table of the world's numbers is large.
  const { isSupportedCountry, parsePhoneNumberFromString } = await import('libphonenumber-js/min');
  const country = workspace?.country && isSupportedCountry(workspace.country) ? workspace.country : undefined;
  const number = parsePhoneNumberFromString(phone, country);
  return number?.isValid() ? number.number : undefined;
}

/** The number in the profile of somebody who works here, as it is dialled from everywhere. */
async function numberOf(db: Db, user_id: string): Promise<string | undefined> {
  const [found] = await db.rows<{ phone: string }>(sql`
    SELECT phone FROM users
    WHERE id = ${user_id}::uuid AND status = 'active' AND kind IN ('owner', 'staff') AND phone IS NOT NULL`);
  return found && (await dialled(db, found.phone));
}

/** Queues a reminder to somebody, within what the workspace allows. */
export async function queueReminder(db: Db, user_id: string, text: string): Promise<Answer> {
  const settings = await lockGateway(db);
  if (!settings) return no('no_gateway');
  if (!settings.reminders) return no('not_wanted');
  const to = await numberOf(db, user_id);
  if (!to) return no('no_number');
  if (!(await isAllowedCountry(settings, to))) return no('country_not_allowed');
  const { today } = await countToday(db);
  if (today >= settings.daily_limit) return no('daily_limit');
  const now = clock.now();
  await db.smsMessage.create({
    data: { user_id, to, text, purpose: 'reminder', created_at: now, next_attempt_at: now },
  });
  return { queued: true, reason: '' };
}

/**
 * Takes number and text out of the messages to somebody who is deleted, and of those that others sent to the number. One that waits
 * is not sent any more.
 */
export async function eraseMessages(
  db: Db,
  { id: user_id, phone }: { id: string; phone: string | null },
): Promise<void> {
  const factor = await db.smsFactor.findFirst({ where: { id: user_id } });
  const numbers = [factor?.phone, phone && (await dialled(db, phone))].filter(Boolean);
  const { set, guard } = smsStates.moving('fail');
  const theirs = sql`(user_id = ${user_id}::uuid OR (user_id IS NULL AND "to" = ANY(${numbers}::text[])))`;
  await db.rows(sql`
    UPDATE sms_messages SET ${set}, failure_code = 'receiver_deleted', failure = 'The account of the receiver was deleted.'
    WHERE status = 'queued' AND ${theirs} AND ${guard}`);
  await db.rows(sql`
    UPDATE sms_messages SET user_id = ${user_id}::uuid, "to" = NULL, text = NULL, text_sealed = NULL WHERE ${theirs}`);
}
