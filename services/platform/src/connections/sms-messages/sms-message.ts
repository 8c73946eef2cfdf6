/** Rows of text messages: queued within the limits of the workspace, updated by reports, and erased. */
import { runAfterCommit, sql } from '@suite/chassis/database';
import { invalid, NotFound } from '@suite/chassis/faults';
import { Id } from '@suite/chassis/fields';
import type { Caller, Keys } from '@suite/chassis/identity';
import { clock, orderedId } from '@suite/chassis/runtime';
import { openEncryption, type CipherLocation } from '@suite/field-encryption';
import { NotConnected } from '../integrations/integration.rules.ts';
import { assertActive, enterByToken } from '../../tokens/workspace-token.ts';
import type { Db } from '../../operations.ts';
import { toIdentifier, readPath, readStatus } from '../sms-provider/provider-response.rules.ts';
import type { SmsGatewaySettings } from '../sms-provider/sms-provider.schema.ts';
import { DailyLimit, smsStates } from './sms-message.rules.ts';

/** Schedule that sends queued messages to providers. */
export const DELIVER_SMS = 'platform.deliver-sms';

/** Message to queue. */
export interface NewSms {
  /** Recipient user, if any. */
  user_id?: string;
  to: string;
  text: string;
  purpose: 'reminder' | 'second_factor' | 'notice';
  /** Field that contains the number, for faults. */
  field?: string;
}

/** Returns the location of an encrypted second-factor text. */
export const textCipherLocation = (id: string): CipherLocation => ({
  table: 'sms_messages',
  column: 'text_sealed',
  id,
});

/** Returns the messages since midnight in the workspace zone, and the time until the next midnight. */
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

/** Rejects a message beyond the daily limit. @throws DailyLimit */
export async function assertBelowLimit(db: Db, { daily_limit }: SmsGatewaySettings): Promise<void> {
  const { today, seconds_left } = await countToday(db);
  if (today >= daily_limit) throw DailyLimit({ daily_limit, retry_after_s: seconds_left });
}

/** Returns true if messages may be sent to the country of a number. */
export async function isAllowedCountry({ allowed_countries }: SmsGatewaySettings, to: string): Promise<boolean> {
  if (allowed_countries.length === 0) return true;
  // Loaded with the first workspace that restricts countries, because the table of phone numbers is large.
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min');
  const country = parsePhoneNumberFromString(to)?.country;
  return country !== undefined && allowed_countries.includes(country);
}

/** Rejects a number in a country that is not allowed. @param field field with the number */
export async function assertCountry(settings: SmsGatewaySettings, to: string, field = 'to'): Promise<void> {
  const { allowed_countries } = settings;
  if (!(await isAllowedCountry(settings, to)))
    throw invalid(field, `Messages can be sent to these countries only: ${allowed_countries.join(', ')}.`);
}

/** Returns true if the workspace has a gateway that can send messages. */
export async function hasSmsGateway(db: Db): Promise<boolean> {
  const where = { name: 'smsgateway', user_id: null, status: { in: ['connected', 'error'] } };
  return (await db.integration.count({ where })) > 0;
}

/** Locks and returns the settings of the gateway, if any. Messages of a workspace are counted in sequence. */
export async function lockGateway(db: Db): Promise<SmsGatewaySettings | undefined> {
  const [row] = await db.rows<{ settings: SmsGatewaySettings }>(sql`
    SELECT settings FROM integrations WHERE name = 'smsgateway' AND user_id IS NULL AND status IN ('connected', 'error')
    FOR NO KEY UPDATE`);
  return row?.settings;
}

/** Locks and returns the settings of the gateway. @throws NotConnected */
async function lockSettings(db: Db): Promise<SmsGatewaySettings> {
  const settings = await lockGateway(db);
  if (!settings) throw NotConnected({ integration: 'smsgateway' });
  return settings;
}

/**
 * Queues a message, which a schedule sends as soon as the transaction has committed.
 * @throws NotConnected, DailyLimit, and names `to` for a country where messages may not be sent
 */
export async function queueSms(db: Db, keys: Keys, { field, text, ...message }: NewSms): Promise<string> {
  const settings = await lockSettings(db);
  await assertCountry(settings, message.to, field);
  await assertBelowLimit(db, settings);
  runAfterCommit(DELIVER_SMS);
  const data = { ...message, created_at: clock.now(), next_attempt_at: clock.now() };
  if (message.purpose !== 'second_factor') return (await db.smsMessage.create({ data: { ...data, text } })).id;
  const encryption = await openEncryption(db, keys.master);
  const id = orderedId();
  await db.smsMessage.create({ data: { ...data, id, text_sealed: encryption.seal(textCipherLocation(id), text) } });
  return id;
}

/** Failure code of messages whose gateway was disconnected. */
export const DISCONNECTED = 'disconnected';

/**
 * Fails the waiting messages after the disconnection of their gateway. A message in progress is still sent if its
 * provider accepts it.
 */
export async function failQueuedMessages(db: Db): Promise<void> {
  const { set, guard } = smsStates.moving('fail');
  await db.rows(sql`
    UPDATE sms_messages SET ${set}, text_sealed = NULL, failure_code = ${DISCONNECTED}, failure = 'The gateway was disconnected.'
    WHERE status = 'queued' AND ${guard}`);
}

/**
 * Returns the gateway that a report comes from. @throws NotFound for an unknown token, or one of a disconnected gateway
 */
async function settingsOfReporter(db: Db, caller: Caller | null, token: string): Promise<SmsGatewaySettings> {
  const report_token_hash = await enterByToken(caller, token);
  await assertActive(db);
  const where = { name: 'smsgateway', report_token_hash, status: { in: ['connected', 'error'] } };
  const row = await db.integration.findFirst({ where });
  if (!row) throw NotFound();
  return row.settings as SmsGatewaySettings;
}

async function lockReported(db: Db, id: string): Promise<{ id: string; status: string }> {
  const byOwnId = Id.safeParse(id).success ? sql`OR id = ${id}::uuid` : sql``;
  const [message] = await db.rows<{ id: string; status: string }>(sql`
    SELECT id, status FROM sms_messages WHERE provider_id = ${id} ${byOwnId} ORDER BY created_at DESC LIMIT 1
    FOR NO KEY UPDATE`);
  if (!message) throw NotFound();
  return message;
}

const missingField = (field: string, path: string) => invalid(path, `The report has no ${field} at ${path}.`);

/** Records a delivery report. A report without news has no effect. @throws NotFound for an unknown message */
export async function receiveReport(db: Db, caller: Caller | null, token: string, report: unknown): Promise<void> {
  const { report_id_path, report_status_path } = await settingsOfReporter(db, caller, token);
  const [id, status] = [report_id_path, report_status_path].map((path) => toIdentifier(readPath(report, path)));
  if (id === undefined) throw missingField('id', report_id_path);
  if (status === undefined) throw missingField('status', report_status_path);
  const message = await lockReported(db, id);
  const verb = readStatus(status);
  if (!verb || !smsStates.allowed(message.status).includes(verb)) return;
  const result =
    verb === 'deliver'
      ? { delivered_at: clock.now(), failure_code: null, failure: null }
      : { failure_code: 'not_delivered', failure: `The provider reports: ${status}.` };
  await smsStates.move(db.smsMessage, message.id, verb, { ...result, text_sealed: null });
}

/** Records the test message of a gateway. */
export async function recordTestMessage(
  db: Db,
  { id, to, text }: { id: string; to: string; text: string },
  isSent: boolean,
) {
  const now = clock.now();
  await db.smsMessage.create({ data: { id, to, text, purpose: 'notice', attempts: 1, created_at: now } });
  if (isSent) await smsStates.move(db.smsMessage, id, 'send', { sent_at: now });
  else await smsStates.move(db.smsMessage, id, 'fail', { failure_code: 'test_failed', failure: 'The test failed.' });
}
