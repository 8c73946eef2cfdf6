/** Second factor: an authenticator app or a number for codes, with recovery codes if it is lost. */
import { sql } from '@suite/chassis/database';
import { type Fault, fault, invalid } from '@suite/chassis/faults';
import type { Caller, Keys } from '@suite/chassis/identity';
import type { RequestMetadata } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import { assertAllowance, codeAttempt, spendAttempt } from '../login-throttling/login-allowance.ts';
import { queueMail } from '../mail/mail-templates.ts';
import type { Db } from '../../operations.ts';
import { originOf } from '../sessions/device.ts';
import { findUser } from '../accounts/user.ts';
import { recordAccountEvent } from '../accounts/user-log.ts';
import { readSmsFactor, useSentCode } from './sms-factor.ts';
import { newRecoveryCode, newSecret, recoveryHash, encryptSecret, stepOf, decryptSecret } from './totp.ts';

export const WrongCode = fault(422, 'wrong_code', 'This code is wrong or was already used. Wait for the next code.');
export const SecondFactorExists = fault(
  409,
  'second_factor_on',
  'A second factor is already set up. Disable it first.',
);
export const NoSecondFactor = fault(409, 'no_second_factor', 'You have no second factor. Set one up first.');
export const SecondFactorMissing = fault(
  403,
  'second_factor_missing',
  'Your workspace requires a second factor. Sign in again to set one up.',
);
export const SecondFactorKept = fault(
  409,
  'second_factor_kept',
  'Your workspace requires a second factor. Set up another one first.',
);

const RECOVERY_CODES = 10;

/** User whose code is required. */
export interface FactorHolder {
  db: Db;
  keys: Keys;
  user_id: string;
  request: RequestMetadata;
  /** Device or session that the account knows, if any. */
  known?: string | undefined;
}

/** Returns the caller as the user whose code is required. */
export const factorHolderOf = ({
  db,
  keys,
  request,
  caller,
}: Omit<FactorHolder, 'user_id' | 'known'> & { caller: Caller }): FactorHolder => ({
  db,
  keys,
  request,
  user_id: caller.user_id,
  known: caller.session_id ?? caller.api_key_id,
});

/** Kinds of second factors. */
export type FactorKind = 'app' | 'sms';

/** Returns the confirmed second factors of a user. */
export async function factorsOf(db: Db, user_id: string): Promise<FactorKind[]> {
  const found = await db.rows<{ kind: FactorKind }>(sql`
    SELECT 'app' AS kind FROM second_factors WHERE id = ${user_id}::uuid AND confirmed_at IS NOT NULL
    UNION ALL SELECT 'sms' FROM sms_factors WHERE id = ${user_id}::uuid AND confirmed_at IS NOT NULL`);
  return found.map(({ kind }) => kind);
}

/** Returns true if a user has a confirmed second factor. */
export const hasSecondFactor = async (db: Db, user_id: string): Promise<boolean> =>
  (await factorsOf(db, user_id)).length > 0;

/** Returns true if the workspace requires a second factor for all users. */
export async function isRequired(db: Db): Promise<boolean> {
  const [workspace] = await db.rows<{ second_factor_required: boolean }>(
    sql`SELECT second_factor_required FROM workspaces`,
  );
  return workspace!.second_factor_required;
}

/** Creates a secret for an app. The factor becomes active with its first code. @throws SecondFactorExists */
export async function beginSecondFactor({ db, keys, user_id }: Omit<FactorHolder, 'request'>) {
  if ((await factorsOf(db, user_id)).includes('app')) throw SecondFactorExists();
  const { email } = await findUser(db, user_id);
  const { name } = await db.workspace.findFirstOrThrow();
  const newFactor = newSecret(name.replaceAll(':', ' '), email ?? '');
  await db.secondFactor.deleteMany({ where: { id: user_id, confirmed_at: null } });
  await db.secondFactor.create({ data: { id: user_id, secret: encryptSecret(keys, user_id, newFactor.secret) } });
  return newFactor;
}

/** Accepts a code of the app, once. */
async function useAppCode(holder: FactorHolder, code: string, confirmed: boolean): Promise<boolean> {
  const { db, keys, user_id } = holder;
  const factor = await db.secondFactor.findFirst({ where: { id: user_id } });
  if (!factor || (factor.confirmed_at !== null) !== confirmed) return false;
  const step = stepOf(decryptSecret(keys, user_id, factor.secret), code);
  if (step === undefined) return false;
  // The guard is in the update: of concurrent requests with the same code, one is accepted.
  const { count } = await db.secondFactor.updateMany({
    where: { id: user_id, last_step: { lt: step } },
    data: { last_step: step, ...(!confirmed && { confirmed_at: clock.now() }) },
  });
  return count === 1;
}

async function useRecoveryCode({ db, keys, user_id, request }: FactorHolder, code: string): Promise<boolean> {
  const { count } = await db.recoveryCode.updateMany({
    where: { user_id, code_hash: recoveryHash(keys, user_id, code), used_at: null },
    data: { used_at: clock.now() },
  });
  if (count === 1) await recordAccountEvent(db, 'recovery_code_used', user_id, request);
  return count === 1;
}

/**
 * Checks a code of the app, a sent code or a recovery code. A correct code is used up, and a wrong one is counted.
 * @throws TooManyRequests
 */
export async function useCode(holder: FactorHolder, code: string): Promise<boolean> {
  const { db, user_id, request } = holder;
  await db.rows(sql`SELECT FROM second_factors WHERE id = ${user_id}::uuid FOR UPDATE`);
  await db.rows(sql`SELECT FROM sms_factors WHERE id = ${user_id}::uuid FOR UPDATE`);
  const isRecovery = !/^\d{6}$/.test(code);
  const attempt = codeAttempt(user_id, { address: request.address, known: holder.known, isRecovery });
  await assertAllowance(db, attempt);
  const isCorrect = isRecovery
    ? await useRecoveryCode(holder, code)
    : (await useAppCode(holder, code, true)) || (await useSentCode(holder, code, true));
  if (isCorrect) return true;
  await spendAttempt(db, attempt);
  await recordAccountEvent(db, 'login_failed', user_id, request);
  return false;
}

/**
 * Returns the fault for a user who did not prove their second factor. The fault is returned rather than thrown, so that
 * the attempt counts.
 */
export async function codeFault(holder: FactorHolder, code: string | undefined): Promise<Fault | undefined> {
  if (!(await hasSecondFactor(holder.db, holder.user_id))) return undefined;
  if (code === undefined) return invalid('code', 'Enter a code of your second factor.');
  return (await useCode(holder, code)) ? undefined : WrongCode();
}

/** Replaces the existing recovery codes. */
export async function renewRecoveryCodes({ db, keys, user_id }: Omit<FactorHolder, 'request'>): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await db.recoveryCode.deleteMany({ where: { user_id } });
  await db.recoveryCode.createMany({
    data: codes.map((code) => ({ user_id, code_hash: recoveryHash(keys, user_id, code) })),
  });
  return codes;
}

/**
 * Activates a new factor by its first code.
 * @returns the recovery codes, empty if another factor has some. Undefined for a wrong code
 */
export async function confirmSecondFactor(holder: FactorHolder, code: string): Promise<string[] | undefined> {
  const { db, user_id, request } = holder;
  const hasOtherFactor = await hasSecondFactor(db, user_id);
  if (!(await useAppCode(holder, code, false)) && !(await useSentCode(holder, code, false))) return undefined;
  // Deletes other pending factors. They were started without a code of this factor, which adding a factor requires.
  await db.secondFactor.deleteMany({ where: { id: user_id, confirmed_at: null } });
  await db.smsFactor.deleteMany({ where: { id: user_id, confirmed_at: null } });
  await recordAccountEvent(db, 'second_factor_on', user_id, request);
  const { email } = await findUser(db, user_id);
  await queueMail(db, 'second_factor_on', user_id, email!, originOf(request));
  return hasOtherFactor ? [] : await renewRecoveryCodes(holder);
}

/** Removes a user's second factors and all related rows. */
export async function deleteSecondFactors(db: Db, user_id: string): Promise<void> {
  await db.secondFactor.deleteMany({ where: { id: user_id } });
  await db.smsFactor.deleteMany({ where: { id: user_id } });
  await db.recoveryCode.deleteMany({ where: { user_id } });
  await db.loginChallenge.deleteMany({ where: { user_id } });
}

/**
 * Removes second factors and notifies their owner.
 * @param kind the factor to remove, if there is another; recovery codes stay with the other
 */
export async function removeSecondFactor(
  { db, user_id, request }: Omit<FactorHolder, 'keys'>,
  kind?: FactorKind,
): Promise<void> {
  const factors = await factorsOf(db, user_id);
  if (factors.length === 0) return;
  if (!kind || factors.length === 1) await deleteSecondFactors(db, user_id);
  else if (kind === 'app') await db.secondFactor.deleteMany({ where: { id: user_id } });
  else await db.smsFactor.deleteMany({ where: { id: user_id } });
  await recordAccountEvent(db, 'second_factor_off', user_id, request);
  const { email } = await findUser(db, user_id);
  await queueMail(db, 'second_factor_off', user_id, email!, originOf(request));
}

/** Returns the state of a user's second factor. */
export async function readSecondFactor(db: Db, { user_id }: Caller) {
  const factor = await db.secondFactor.findFirst({ where: { id: user_id, confirmed_at: { not: null } } });
  const codes_left = await db.recoveryCode.count({ where: { user_id, used_at: null } });
  const sms = await readSmsFactor(db, user_id);
  const enabled_at = factor?.confirmed_at?.toISOString() ?? sms.enabled_at;
  return {
    enabled: enabled_at !== null,
    enabled_at,
    recovery_codes_left: enabled_at ? codes_left : 0,
    required: await isRequired(db),
    factors: await factorsOf(db, user_id),
    sms,
  };
}

/**
 * Disables a factor for a user who has proved their password.
 * @param missing the fault where there is no such factor
 * @returns WrongCode, so that the attempt is kept
 * @throws SecondFactorKept
 */
export async function disableFactor(
  context: Parameters<typeof factorHolderOf>[0],
  { kind, code, missing }: { kind: FactorKind; code: string; missing: () => Fault },
) {
  const { db, caller } = context;
  const factors = await factorsOf(db, caller.user_id);
  if (!factors.includes(kind)) throw missing();
  if (factors.length === 1 && (await isRequired(db))) throw SecondFactorKept();
  if (!(await useCode(factorHolderOf(context), code))) return WrongCode();
  await removeSecondFactor(factorHolderOf(context), kind);
  return await readSecondFactor(db, caller);
}
