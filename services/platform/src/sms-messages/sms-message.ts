/** Text messages as rows: queued within the limits of the workspace, reported on, erased. */
import { type Caller, dueAtOnce, Id, invalid, type Keys, clock, NotFound, orderedId, sql } from '@suite/chassis';
import { openSealed, type Place } from '@suite/sealed';
import { NotConnected } from '../integrations/integration.rules.ts';
import { assertActive, enterByToken } from '../integrations/workspace-token.ts';
import type { Db } from '../operations.ts';
import { asWord, readPath, readStatus } from '../sms-provider/provider-answer.rules.ts';
import type { SmsGatewaySettings } from '../sms-provider/sms-provider.schema.ts';
import { DailyLimit, smsStates } from './sms-message.rules.ts';

/** The schedule that hands messages over. */
export const DELIVER_SMS = 'platform.deliver-sms';

/** A message to queue. */
export interface NewSms {
  /** The user whom it goes to, where it goes to one. */
  user_id?: string;
  to: string;
  text: string;
  purpose: 'reminder' | 'second_factor' | 'notice';
  /** The field that has the number, where a fault names one. */
  field?: string;
}

/** The place of the text of a second factor. */
export const textPlace = (id: string): Place => ({ table: 'sms_messages', column: 'text_sealed', id });

/** The messages since midnight in the zone of the workspace, and how long until the next midnight. */
export async function countToday(db: Db): Promise<{ today: number; seconds_left: number }> {
  const now = clock.now();
  const [counted] = await db.rows<{ today: number; seconds_left: number }>(sql`
    SELECT count(sms_messages.id)::int AS today, extract(epoch FROM midnight + interval '1 day' - local)::int AS seconds_left
    FROM (SELECT ${now}::timestamptz AT TIME ZONE timezone AS local, timezone,
        date_trunc('day', ${now}::timestamptz AT TIME ZONE timezone) AS midnight FROM workspaces LIMIT 1) AS day
      LEFT JOIN sms_messages ON sms_messages.created_at >= midnight AT TIME ZONE timezone
    GROUP BY midnight, local`);
  return counted!;
}

/** Refuses a message beyond the limit of the day. @throws DailyLimit */
export async function assertBelowLimit(db: Db, { daily_limit }: SmsGatewaySettings): Promise<void> {
  const { today, seconds_left } = await countToday(db);
  if (today >= daily_limit) throw DailyLimit({ daily_limit, retry_after_s: seconds_left });
}

/** Whether messages may go to the country of a number. */
export async function isAllowedCountry({ allowed_countries }: SmsGatewaySettings, to: string): Promise<boolean> {
  if (allowed_countries.length === 0) return true;
  // Loaded with the first workspace that limits countries: the table of the world's numbers is large.
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min');
  const country = parsePhoneNumberFromString(to)?.country;
  return country !== undefined && allowed_countries.includes(country);
}

/** Refuses a number in a country where messages may not go. @param field the field that has it */
export async function assertCountry(settings: SmsGatewaySettings, to: string, field = 'to'): Promise<void> {
  const { allowed_countries } = settings;
  if (!(await isAllowedCountry(settings, to)))
    throw invalid(field, `Messages may go to these countries only: ${allowed_countries.join(', ')}.`);
}

/** Whether the workspace has a gateway that messages can be sent through. */
export async function hasSmsGateway(db: Db): Promise<boolean> {
  const where = { name: 'smsgateway', user_id: null, status: { in: ['connected', 'error'] } };
  return (await db.integration.count({ where })) > 0;
}

/** The settings of the gateway, if there is one, locked: messages of one workspace are counted one after the other. */
export async function lockGateway(db: Db): Promise<SmsGatewaySettings | undefined> {
  const [row] = await db.rows<{ settings: SmsGatewaySettings }>(sql`
    SELECT settings FROM integrations WHERE name = 'smsgateway' AND user_id IS NULL AND status IN ('connected', 'error')
    FOR NO KEY UPDATE`);
  return row?.settings;
}

/** The same, where nothing can be done without. @throws NotConnected */
async function lockSettings(db: Db): Promise<SmsGatewaySettings> {
  const settings = await lockGateway(db);
  if (!settings) throw NotConnected({ integration: 'smsgateway' });
  return settings;
}

/**
 * Queues a message, which a schedule hands over as soon as the transaction has committed.
 * @throws NotConnected, DailyLimit, and names `to` for a country where messages may not go
 */
export async function queueSms(db: Db, keys: Keys, { field, text, ...message }: NewSms): Promise<string> {
  const settings = await lockSettings(db);
  await assertCountry(settings, message.to, field);
  await assertBelowLimit(db, settings);
  dueAtOnce(DELIVER_SMS);
  const data = { ...message, created_at: clock.now(), next_attempt_at: clock.now() };
  if (message.purpose !== 'second_factor') return (await db.smsMessage.create({ data: { ...data, text } })).id;
  const sealed = await openSealed(db, keys.master);
  const id = orderedId();
  await db.smsMessage.create({ data: { ...data, id, text_sealed: sealed.seal(textPlace(id), text) } });
  return id;
}

/** The reason of messages whose gateway is gone. */
export const DISCONNECTED = 'disconnected';

/** Fails the messages that wait: their gateway is gone. One that is under way is sent all the same, if its provider takes it. */
export async function failWaiting(db: Db): Promise<void> {
  const { set, guard } = smsStates.moving('fail');
  await db.rows(sql`
    UPDATE sms_messages SET ${set}, text_sealed = NULL, failure_code = ${DISCONNECTED}, failure = 'The gateway was disconnected.'
    WHERE status = 'queued' AND ${guard}`);
}

/** The gateway that a report comes from. @throws NotFound for a token that is unknown, or of a gateway that is gone */
async function settingsOfReporter(db: Db, caller: Caller | null, token: string): Promise<SmsGatewaySettings> {
  const report_token_hash = await enterByToken(caller, token);
  await assertActive(db);
  const where = { name: 'smsgateway', report_token_hash, status: { in: ['connected', 'error'] } };
  const row = await db.integration.findFirst({ where });
  if (!row) throw NotFound();
  return row.settings as SmsGatewaySettings;
}

async function lockReported(db: Db, id: string): Promise<{ id: string; status: string }> {
  const ours = Id.safeParse(id).success ? sql`OR id = ${id}::uuid` : sql``;
  const [message] = await db.rows<{ id: string; status: string }>(sql`
    SELECT id, status FROM sms_messages WHERE provider_id = ${id} ${ours} ORDER BY created_at DESC LIMIT 1
    FOR NO KEY UPDATE`);
  if (!message) throw NotFound();
  return message;
}

const at = (field: string, path: string) => invalid(path, `The report has no ${field} at ${path}.`);

/** Takes in a delivery report; one that says nothing new changes nothing. @throws NotFound for an unknown message */
export async function takeReport(db: Db, caller: Caller | null, token: string, report: unknown): Promise<void> {
  const { report_id_path, report_status_path } = await settingsOfReporter(db, caller, token);
  const [id, word] = [report_id_path, report_status_path].map((path) => asWord(readPath(report, path)));
  if (id === undefined) throw at('id', report_id_path);
  if (word === undefined) throw at('status', report_status_path);
  const message = await lockReported(db, id);
  const verb = readStatus(word);
  if (!verb || !smsStates.allowed(message.status).includes(verb)) return;
  const told =
    verb === 'deliver'
      ? { delivered_at: clock.now(), failure_code: null, failure: null }
      : { failure_code: 'not_delivered', failure: `The provider reports: ${word}.` };
  await smsStates.move(db.smsMessage, message.id, verb, { ...told, text_sealed: null });
}

/** Records the message with which somebody tried the gateway. */
export async function recordTrial(db: Db, { id, to, text }: { id: string; to: string; text: string }, isSent: boolean) {
  const now = clock.now();
  await db.smsMessage.create({ data: { id, to, text, purpose: 'notice', attempts: 1, created_at: now } });
  if (isSent) await smsStates.move(db.smsMessage, id, 'send', { sent_at: now });
  else await smsStates.move(db.smsMessage, id, 'fail', { failure_code: 'test_failed', failure: 'The test failed.' });
}
