/** Delivery of text messages. */
import { type TransactionContext, sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import { declareSchedule, jobTransaction, type JobContext } from '@suite/chassis/service';
import { openDecryption } from '@suite/field-encryption';
import type { SmsMessage } from '../../generated/client.ts';
import {
  CLAIM_S,
  deliverDue,
  type DueDelivery,
  inSeconds,
  RECHECK_S,
  nextAttemptAt,
} from '../integrations/delivery.ts';
import { openIntegration, recordFailedDelivery, recordSuccess } from '../integrations/integration.ts';
import { withoutCaller, type Db } from '../../operations.ts';
import type { SendResult } from '../sms-provider/provider-response.rules.ts';
import { sendMessage, type OpenSmsGateway, type SmsSecrets } from '../sms-provider/sms-provider.ts';
import type { SmsGatewaySettings } from '../sms-provider/sms-provider.schema.ts';
import { DELIVER_SMS, DISCONNECTED, textCipherLocation } from './sms-message.ts';
import { lifetimeOf, smsStates } from './sms-message.rules.ts';

const INTERVAL_MS = 1_000;

/** Message claimed for one attempt, with its gateway. */
interface ClaimedMessage {
  gateway: OpenSmsGateway;
  message: SmsMessage;
  text: string;
}

async function failMessage(db: Db, id: string, failure_code: string, failure: string): Promise<void> {
  const { set, guard } = smsStates.moving('fail');
  await db.rows(sql`
    UPDATE sms_messages SET ${set}, failure_code = ${failure_code}, failure = ${failure}, text_sealed = NULL
    WHERE id = ${id}::uuid AND status = 'queued' AND ${guard}`);
}

/** Returns true for a reminder to a user who can no longer sign in. Its text names a record of the workspace. */
async function isWithdrawn(db: Db, { purpose, user_id }: SmsMessage): Promise<boolean> {
  if (purpose !== 'reminder' || user_id === null) return false;
  return (await db.user.count({ where: { id: user_id, status: 'active' } })) === 0;
}

/**
 * Claims a message for one attempt, so that no other process sends it concurrently. An expired message fails, as does a
 * reminder to a disabled user. A message waits while its gateway is paused or disconnected.
 */
async function claimMessage(
  db: Db,
  { keys }: Pick<JobContext, 'keys'>,
  id: string,
): Promise<ClaimedMessage | undefined> {
  const now = clock.now();
  const [message] = await db.rows<SmsMessage>(sql`
    SELECT * FROM sms_messages WHERE id = ${id}::uuid AND status = 'queued' AND next_attempt_at <= ${now}
    FOR NO KEY UPDATE SKIP LOCKED`);
  if (!message) return undefined;
  if (now.getTime() - new Date(message.created_at).getTime() >= lifetimeOf(message.purpose)) {
    await failMessage(db, id, 'expired', 'The message could not be sent in time.');
    return undefined;
  }
  if (await isWithdrawn(db, message)) {
    await failMessage(db, id, 'recipient_disabled', 'The recipient can no longer sign in.');
    return undefined;
  }
  const gateway = await openIntegration<SmsGatewaySettings, SmsSecrets>(db, keys, 'smsgateway');
  if (!gateway || (gateway.next_retry_at && gateway.next_retry_at > now)) {
    const next_attempt_at = gateway?.next_retry_at ?? inSeconds(RECHECK_S);
    await db.smsMessage.updateMany({ where: { id }, data: { next_attempt_at } });
    return undefined;
  }
  const attempts = message.attempts + 1;
  await db.smsMessage.updateMany({ where: { id }, data: { attempts, next_attempt_at: inSeconds(CLAIM_S) } });
  const decrypted =
    message.text_sealed && (await openDecryption(db, keys.master)).open(textCipherLocation(id), message.text_sealed);
  return { gateway, message: { ...message, attempts }, text: decrypted ?? message.text ?? '' };
}

async function recordSent(db: Db, { gateway, message }: ClaimedMessage, provider_id: string | null): Promise<void> {
  const { set, guard } = smsStates.moving('send');
  // An earlier delivery report takes precedence for the status. A concurrent disconnection of the gateway does not.
  await db.rows(sql`
    UPDATE sms_messages SET ${set}, sent_at = ${clock.now()}, failure_code = NULL, failure = NULL
    WHERE id = ${message.id}::uuid AND ${guard} AND (status = 'queued' OR failure_code = ${DISCONNECTED})`);
  await db.smsMessage.updateMany({ where: { id: message.id }, data: { provider_id } });
  await recordSuccess(db, gateway);
}

/** Records the result of an attempt. */
async function recordResult(db: Db, claimed: ClaimedMessage, handover: SendResult): Promise<void> {
  const { gateway, message } = claimed;
  if (!handover.failure) return await recordSent(db, claimed, handover.provider_id);
  const { code: failure_code, message: failure } = handover.failure;
  const next_attempt_at = nextAttemptAt(message.attempts, handover);
  if (next_attempt_at) {
    const where = { id: message.id, status: 'queued' };
    await db.smsMessage.updateMany({ where, data: { next_attempt_at, failure_code, failure } });
  } else await failMessage(db, message.id, failure_code, failure);
  await recordFailedDelivery(db, gateway, handover.failure);
}

async function deliverOne(tools: JobContext<Db>, { id, workspace_id }: DueDelivery): Promise<void> {
  const { database, outgoing, config } = tools;
  const context: TransactionContext = jobTransaction(DELIVER_SMS, workspace_id);
  const claimed = await database.write(context, (db) => claimMessage(db, tools, id));
  if (!claimed) return;
  const { gateway, message, text } = claimed;
  const sendContext = { outgoing, workspace_id, public_url: config.PUBLIC_URL };
  const handover = await sendMessage(gateway, { id, to: message.to!, text }, sendContext);
  await database.write(context, (db) => recordResult(db, claimed, handover));
}

/** Schedule that sends the due messages. */
export const deliverSms = declareSchedule(DELIVER_SMS, INTERVAL_MS, (tools: JobContext<Db>) =>
  deliverDue(tools, { schedule: DELIVER_SMS, table: 'sms_messages' }, (row) => deliverOne(tools, row)),
);

/** Erases the texts of second-factor messages, ten minutes after they were queued. */
const eraseTexts = (all: Db): Promise<unknown> =>
  all.rows(sql`
    UPDATE sms_messages SET text_sealed = NULL
    WHERE text_sealed IS NOT NULL AND created_at <= ${new Date(clock.now().getTime() - lifetimeOf('second_factor'))}`);

export const eraseSmsTexts = declareSchedule('platform.erase-sms-texts', 30_000, ({ database }: JobContext<Db>) =>
  database.writeEverywhere(withoutCaller('schedule:erase-sms-texts'), eraseTexts),
);
