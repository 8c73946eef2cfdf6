/** Reminders of other services to people who work here: by text message where the workspace wants that, and it can be done. */
import { clock, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';
import { countToday, isAllowedCountry, lockGateway } from './sms-message.ts';

/** The answer to a service: it sends an e-mail where nothing is queued. */
interface Answer {
  queued: boolean;
  /** Empty, or the reason: no_gateway, not_wanted, no_number, country_not_allowed, daily_limit. */
  reason: string;
}

const no = (reason: string): Answer => ({ queued: false, reason });

/** The number in the profile of somebody who works here, as it is dialled from everywhere. */
async function numberOf(db: Db, user_id: string): Promise<string | undefined> {
  const [found] = await db.rows<{ phone: string; country: string | null }>(sql`
    SELECT users.phone, workspaces.country FROM users JOIN workspaces ON workspaces.id = users.workspace_id
    WHERE users.id = ${user_id}::uuid AND users.status = 'active' AND users.kind IN ('owner', 'staff') AND phone IS NOT NULL`);
  if (!found) return undefined;
  // Loaded with the first reminder: the table of the world's numbers is large.
  const { isSupportedCountry, parsePhoneNumberFromString } = await import('libphonenumber-js/min');
  const country = found.country && isSupportedCountry(found.country) ? found.country : undefined;
  const number = parsePhoneNumberFromString(found.phone, country);
  return number?.isValid() ? number.number : undefined;
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
  await db.smsMessage.create({ data: { to, text, purpose: 'reminder', created_at: now, next_attempt_at: now } });
  return { queued: true, reason: '' };
}
