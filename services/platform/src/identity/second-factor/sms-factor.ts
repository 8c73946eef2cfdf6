/** Second factor by text message: a confirmed mobile number that receives a code on request. */
import { sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import type { Keys } from '@suite/chassis/identity';
import type { RequestMetadata } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import { assertAllowance, codeDelivery, spendAttempt } from '../login-throttling/login-allowance.ts';
import type { Db } from '../../operations.ts';
import { hasSmsGateway, queueSms } from '../../connections/sms-messages/sms-message.ts';
import { newSentCode, sentCodeHash } from './totp.ts';

export const SmsFactorExists = fault(
  409,
  'sms_factor_on',
  'Text-message codes are already set up. Disable them first.',
);
export const NoSmsFactor = fault(409, 'no_sms_factor', 'No phone number is set up for codes. Set one up first.');

const LIFETIME_S = 600;
const ATTEMPTS = 5;

/** User who receives codes. */
export interface CodeReceiver {
  db: Db;
  keys: Keys;
  user_id: string;
  request: RequestMetadata;
  /** Device or session that the account knows, if any. */
  known?: string | undefined;
}

/** Sent code. Only the last digits of the number are shown. */
export interface CodeDelivery {
  phone_end: string;
  expires_in_seconds: number;
}

const lastDigits = (phone: string): string => phone.slice(-2);

/** Returns a user's confirmed number, or the number to confirm. */
export const smsFactorOf = (db: Db, user_id: string) => db.smsFactor.findFirst({ where: { id: user_id } });

/** Sends a new code that replaces the previous one. @throws TooManyRequests, NotConnected, DailyLimit */
async function sendCode(receiver: CodeReceiver, phone: string, field?: string): Promise<CodeDelivery> {
  const { db, keys, user_id, request, known } = receiver;
  const attempt = codeDelivery(user_id, { address: request.address, known });
  await assertAllowance(db, attempt);
  await spendAttempt(db, attempt);
  const code = newSentCode();
  const { name } = await db.workspace.findFirstOrThrow();
  const text = `${code} is your code for ${name}. It expires in 10 minutes. Do not share it.`;
  await queueSms(db, keys, { user_id, to: phone, text, purpose: 'second_factor', ...(field && { field }) });
  const code_expires_at = new Date(clock.now().getTime() + LIFETIME_S * 1_000);
  const data = { code_hash: sentCodeHash(keys, user_id, code), code_attempts: 0, code_expires_at };
  await db.smsFactor.updateMany({ where: { id: user_id }, data });
  return { phone_end: lastDigits(phone), expires_in_seconds: LIFETIME_S };
}

/**
 * Stores a number and sends a code to it. The number becomes active with this code. @throws SmsFactorExists, and the faults
 * of `sendCode`
 */
export async function beginSmsFactor(receiver: CodeReceiver, phone: string): Promise<CodeDelivery> {
  const { db, user_id } = receiver;
  await db.rows(sql`
    INSERT INTO sms_factors (id, phone) VALUES (${user_id}::uuid, ${phone})
    ON CONFLICT (id) DO UPDATE SET phone = EXCLUDED.phone, code_hash = NULL WHERE sms_factors.confirmed_at IS NULL`);
  const factor = await smsFactorOf(db, user_id);
  if (factor?.confirmed_at !== null) throw SmsFactorExists();
  return await sendCode(receiver, phone, 'phone');
}

/** Sends a code to the stored number. @param confirmed true to require an active number @throws NoSmsFactor */
export async function resendCode(receiver: CodeReceiver, { confirmed }: { confirmed: boolean }): Promise<CodeDelivery> {
  const factor = await smsFactorOf(receiver.db, receiver.user_id);
  if (!factor || (confirmed && !factor.confirmed_at)) throw NoSmsFactor();
  return await sendCode(receiver, factor.phone);
}

/**
 * Accepts the last sent code, once. Chosen: five wrong codes invalidate a code only during set-up. At sign-in, anyone
 * who knows the password can enter wrong codes, and would invalidate the owner's code. There `codeAttempt` limits
 * them: at most 40 from all unknown networks in the lifetime of a code, and 15 from a known device. A million codes are
 * possible.
 * @param confirmed true if the number is already active. False to activate it by its first code
 */
export async function useSentCode(receiver: CodeReceiver, code: string, confirmed: boolean): Promise<boolean> {
  const { db, keys, user_id } = receiver;
  const isEligible = confirmed
    ? sql`confirmed_at IS NOT NULL`
    : sql`confirmed_at IS NULL AND code_attempts < ${ATTEMPTS}`;
  const now = clock.now();
  // Each attempt locks the row: of concurrent requests with the same code, one is accepted.
  const [result] = await db.rows<{ right: boolean }>(sql`
    UPDATE sms_factors SET code_attempts = sms_factors.code_attempts + 1,
      code_hash = CASE WHEN sms_factors.code_hash = ${sentCodeHash(keys, user_id, code)} THEN NULL ELSE sms_factors.code_hash END,
      confirmed_at = CASE WHEN sms_factors.code_hash = ${sentCodeHash(keys, user_id, code)}
        THEN coalesce(sms_factors.confirmed_at, ${now}::timestamptz) ELSE sms_factors.confirmed_at END
    WHERE id = ${user_id}::uuid AND ${isEligible} AND code_hash IS NOT NULL
      AND code_expires_at > ${now}::timestamptz
    RETURNING code_hash IS NULL AS right`);
  return result?.right === true;
}

/** Returns the number that can receive a code now, or undefined without a confirmed number or a connected gateway. */
export async function smsReceiver(db: Db, user_id: string): Promise<{ phone_end: string } | undefined> {
  const factor = await smsFactorOf(db, user_id);
  if (!factor?.confirmed_at || !(await hasSmsGateway(db))) return undefined;
  return { phone_end: lastDigits(factor.phone) };
}

/** Returns the state of a user's number, as shown to that user. */
export async function readSmsFactor(db: Db, user_id: string) {
  const [factor, available] = [await smsFactorOf(db, user_id), await hasSmsGateway(db)];
  if (!factor?.confirmed_at) return { available, enabled_at: null, phone_end: null };
  return { available, enabled_at: factor.confirmed_at.toISOString(), phone_end: lastDigits(factor.phone) };
}
