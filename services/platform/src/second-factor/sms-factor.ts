/** A second factor by text message: a mobile number that was proved, to which a code is sent when one is asked for. */
import { clock, fault, type Keys, type RequestFacts, sql } from '@suite/chassis';
import { assertAllowance, codeSentTo, spendAttempt } from '../attempts/login-allowance.ts';
import type { Db } from '../operations.ts';
import { hasSmsGateway, queueSms } from '../sms-messages/sms-message.ts';
import { newSentCode, sentCodeHash } from './totp.ts';

export const SmsFactorOn = fault(409, 'sms_factor_on', 'Text-message codes are already set up. Disable them first.');
export const NoSmsFactor = fault(409, 'no_sms_factor', 'No telephone number is set up for codes. Set one up first.');

const LIFE_S = 600;
const ATTEMPTS = 5;

/** The user to whom codes are sent. */
export interface Receiver {
  db: Db;
  keys: Keys;
  user_id: string;
  request: RequestFacts;
  /** The device or session that the account knows, if there is one. */
  known?: string | undefined;
}

/** A code on its way: nobody is told more of the number than its end. */
export interface SentCode {
  phone_end: string;
  expires_in_s: number;
}

const endOf = (phone: string): string => phone.slice(-2);

/** The number that counts as somebody's factor, or the one that is to be proved. */
export const smsFactorOf = (db: Db, user_id: string) => db.smsFactor.findFirst({ where: { id: user_id } });

/** Sends a new code in the place of the one before. @throws TooManyRequests, NotConnected, DailyLimit */
async function sendCode(receiver: Receiver, phone: string, field?: string): Promise<SentCode> {
  const { db, keys, user_id, request, known } = receiver;
  const attempt = codeSentTo(user_id, { address: request.address, known });
  await assertAllowance(db, attempt);
  await spendAttempt(db, attempt);
  const code = newSentCode();
  const { name } = await db.workspace.findFirstOrThrow();
  const text = `${code} is your code for ${name}. It works for ten minutes. Tell it nobody.`;
  await queueSms(db, keys, { user_id, to: phone, text, purpose: 'second_factor', ...(field && { field }) });
  const code_expires_at = new Date(clock.now().getTime() + LIFE_S * 1_000);
  const data = { code_hash: sentCodeHash(keys, user_id, code), code_attempts: 0, code_expires_at };
  await db.smsFactor.updateMany({ where: { id: user_id }, data });
  return { phone_end: endOf(phone), expires_in_s: LIFE_S };
}

/** Keeps a number, which counts once the code was given that is sent to it. @throws SmsFactorOn, and as `sendCode` */
export async function beginSmsFactor(receiver: Receiver, phone: string): Promise<SentCode> {
  const { db, user_id } = receiver;
  await db.rows(sql`
    INSERT INTO sms_factors (id, phone) VALUES (${user_id}::uuid, ${phone})
    ON CONFLICT (id) DO UPDATE SET phone = EXCLUDED.phone, code_hash = NULL WHERE sms_factors.confirmed_at IS NULL`);
  const factor = await smsFactorOf(db, user_id);
  if (factor?.confirmed_at !== null) throw SmsFactorOn();
  return await sendCode(receiver, phone, 'phone');
}

/** Sends a code to the number that there is. @param confirmed whether it must count already @throws NoSmsFactor */
export async function sendAgain(receiver: Receiver, { confirmed }: { confirmed: boolean }): Promise<SentCode> {
  const factor = await smsFactorOf(receiver.db, receiver.user_id);
  if (!factor || (confirmed && !factor.confirmed_at)) throw NoSmsFactor();
  return await sendCode(receiver, factor.phone);
}

/**
 * Accepts the code that was sent last, once.
 * Chosen: five wrong codes end the code only while the number is set up. At sign-in, wrong codes come from anyone who knows
 * the password, and would end the code of the owner. There `attemptAtCode` limits them: at most 40 in the life of a code
 * from all networks that the account does not know, and 15 from a known device, of a million codes.
 * @param confirmed whether the number counts already; the first code lets it
 */
export async function takeSentCode(receiver: Receiver, code: string, confirmed: boolean): Promise<boolean> {
  const { db, keys, user_id } = receiver;
  const isOurs = confirmed ? sql`confirmed_at IS NOT NULL` : sql`confirmed_at IS NULL AND code_attempts < ${ATTEMPTS}`;
  const now = clock.now();
  // Each attempt takes the lock of the row: of many who send the same code at once, one is let in.
  const [tried] = await db.rows<{ right: boolean }>(sql`
    UPDATE sms_factors SET code_attempts = sms_factors.code_attempts + 1,
      code_hash = CASE WHEN sms_factors.code_hash = ${sentCodeHash(keys, user_id, code)} THEN NULL ELSE sms_factors.code_hash END,
      confirmed_at = CASE WHEN sms_factors.code_hash = ${sentCodeHash(keys, user_id, code)}
        THEN coalesce(sms_factors.confirmed_at, ${now}::timestamptz) ELSE sms_factors.confirmed_at END
    WHERE id = ${user_id}::uuid AND ${isOurs} AND code_hash IS NOT NULL
      AND code_expires_at > ${now}::timestamptz
    RETURNING code_hash IS NULL AS right`);
  return tried?.right === true;
}

/** Where a code can be sent to now; nothing without a number that counts and a gateway that sends. */
export async function reachableBySms(db: Db, user_id: string): Promise<{ phone_end: string } | undefined> {
  const factor = await smsFactorOf(db, user_id);
  if (!factor?.confirmed_at || !(await hasSmsGateway(db))) return undefined;
  return { phone_end: endOf(factor.phone) };
}

/** How things stand with somebody's number, as they themselves are shown it. */
export async function shownSmsFactor(db: Db, user_id: string) {
  const [factor, available] = [await smsFactorOf(db, user_id), await hasSmsGateway(db)];
  if (!factor?.confirmed_at) return { available, enabled_at: null, phone_end: null };
  return { available, enabled_at: factor.confirmed_at.toISOString(), phone_end: endOf(factor.phone) };
}
