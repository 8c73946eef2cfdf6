/**
 * Limits login attempts per account over all replicas, whether the account exists or not. Only failures count.
 *
 * Failures are counted by origin: per account and address, or per account and known device. An attacker elsewhere
 * therefore cannot lock out the owner of an account. In addition, the failures of all addresses together are counted
 * per account. When there are very many, each unknown address and device gets one attempt a minute. The owner's correct
 * password is still accepted at the first attempt, from any origin.
 *
 * A row stores the time at which its allowance is full again (GCRA).
 */
import { sql } from '@suite/chassis/database';
import { TooManyRequests } from '@suite/chassis/faults';
import type { Db } from '../../operations.ts';
import { networkOf } from './network.ts';
import { tokenHash } from '../../tokens/token.ts';

/** Ten in a burst, then one every six seconds. */
const DEFAULT_LIMIT = { interval_s: 6, window_s: 60 };
/** One a minute, for unknown callers of an account that is under a distributed attack. */
const UNDER_ATTACK_LIMIT = { interval_s: 60, window_s: 60 };
/** Limit across all addresses: 300 failures, then one every two seconds. */
const ALL_ORIGINS_LIMIT = { interval_s: 2, window_s: 600 };

/** Attempt to authenticate. */
export interface Attempt {
  /** Key for failures from the same origin. */
  origin_key: string;
  /** Key for failures from all origins. Undefined if the account knows the caller. */
  account_key: string | undefined;
  /** Limit that applies by default. */
  limit: typeof DEFAULT_LIMIT;
  /**
   * Limit of failures from all origins. Beyond it, no unknown origin is accepted. Without it, unknown callers get one
   * attempt a minute.
   */
  account_limit?: typeof DEFAULT_LIMIT;
}

/** Limit across all addresses unknown to the account: 30 codes, then one a minute. */
const CODES_LIMIT = { interval_s: 60, window_s: 1_800 };

/**
 * Returns an attempt at a code of the second factor, by a caller who already knows the password. Each network, device
 * or session gets five attempts in a burst, then one a minute. No other caller can use up the owner's allowance.
 * Chosen: a code has six digits only, so wrong codes of all unknown networks together are limited, too. Beyond that,
 * only known devices, sessions and recovery codes are accepted.
 * @param how.known the device or session that the account knows, if there is one
 */
export const codeAttempt = (
  user_id: string,
  { address, known, isRecovery }: { address: string; known?: string | undefined; isRecovery: boolean },
): Attempt => ({
  origin_key: tokenHash(`code of ${user_id} ${known ? `known ${known}` : `from ${networkOf(address)}`}`),
  account_key: known || isRecovery ? undefined : tokenHash(`codes of ${user_id}`),
  limit: { interval_s: 60, window_s: 300 },
  account_limit: CODES_LIMIT,
});

/** Limit across all addresses unknown to the account: ten codes, then one every five minutes. */
const SENT_CODES_LIMIT = { interval_s: 300, window_s: 3_000 };

/**
 * Returns a request for a code by text message. Each network, device or session gets three in a burst, then one every
 * five minutes. Callers elsewhere who know only the password cannot use up the owner's codes. Chosen: all unknown
 * networks together are limited, too, since each message costs money and reaches the owner.
 */
export const codeDelivery = (
  user_id: string,
  { address, known }: { address: string; known?: string | undefined },
): Attempt => ({
  origin_key: tokenHash(`codes sent to ${user_id} ${known ? `known ${known}` : `from ${networkOf(address)}`}`),
  account_key: known ? undefined : tokenHash(`codes sent to ${user_id}`),
  limit: { interval_s: 300, window_s: 900 },
  account_limit: SENT_CODES_LIMIT,
});

/** Returns an attempt at an account. `known` names the device or session that the account knows, if any. */
export function loginAttempt(account: string, address: string, known?: string | null): Attempt {
  return known
    ? { origin_key: tokenHash(`${account} known ${known}`), account_key: undefined, limit: DEFAULT_LIMIT }
    : {
        origin_key: tokenHash(`${account} from ${networkOf(address)}`),
        account_key: tokenHash(account),
        limit: DEFAULT_LIMIT,
      };
}

const currentTime = sql`clock_timestamp()`;
const isUsedUp = (most_s: number, { interval_s }: typeof DEFAULT_LIMIT) =>
  sql`full_at > ${currentTime} + make_interval(secs => ${most_s - interval_s})`;

/** Returns the limit that applies to an attempt. */
async function limitOf(
  db: Db,
  { account_key, limit, account_limit = ALL_ORIGINS_LIMIT }: Attempt,
): Promise<typeof DEFAULT_LIMIT> {
  if (!account_key) return limit;
  const used_up = await db.rows(sql`
    SELECT FROM login_allowances WHERE account_hash = ${account_key} AND ${isUsedUp(account_limit.window_s, account_limit)}`);
  return used_up.length > 0 ? UNDER_ATTACK_LIMIT : limit;
}

/** Rejects an attempt if the allowance is used up. Does not reduce the allowance. @throws TooManyRequests */
export async function assertAllowance(
  db: Db,
  { origin_key, account_key = '', limit, account_limit }: Attempt,
): Promise<void> {
  const { interval_s: every_s, window_s: most_s } = account_limit ?? ALL_ORIGINS_LIMIT;
  const [state] = await db.rows<{ ahead_s: number | null; guessed: boolean }>(sql`
    SELECT (SELECT extract(epoch FROM full_at - ${currentTime})::float8 FROM login_allowances WHERE account_hash = ${origin_key}) AS ahead_s,
      EXISTS (SELECT FROM login_allowances WHERE account_hash = ${account_key} AND ${isUsedUp(most_s, { interval_s: every_s, window_s: most_s })}) AS guessed`);
  const { ahead_s, guessed } = state!;
  if (guessed && account_limit) throw TooManyRequests({ retry_after_s: every_s });
  const { interval_s, window_s } = guessed ? UNDER_ATTACK_LIMIT : limit;
  const wait_s = ahead_s === null ? 0 : ahead_s + interval_s - window_s;
  if (wait_s > 0) throw TooManyRequests({ retry_after_s: Math.ceil(wait_s) });
}

/**
 * Asserts that there is allowance for a correct password, and spends none. Waits for failures that are being counted.
 * Among concurrent guesses, a correct one is therefore revealed only within the allowance.
 * @throws TooManyRequests
 */
export async function assertAllowanceLeft(db: Db, attempt: Attempt): Promise<void> {
  // The second statement sees the changes that the first waited for.
  await db.rows(sql`SELECT FROM login_allowances WHERE account_hash = ${attempt.origin_key} FOR SHARE`);
  await assertAllowance(db, attempt);
}

/**
 * Counts a failure. The failure may only be reported afterwards, so that parallel attempts learn no more than the
 * allowance permits.
 * @throws TooManyRequests
 */
export async function spendAttempt(db: Db, attempt: Attempt): Promise<void> {
  const { interval_s, window_s } = await limitOf(db, attempt);
  const next = sql`greatest(login_allowances.full_at, ${currentTime}) + make_interval(secs => ${interval_s})`;
  const spent = await db.rows(sql`
    INSERT INTO login_allowances (account_hash, full_at) VALUES (${attempt.origin_key}, ${currentTime} + make_interval(secs => ${interval_s}))
    ON CONFLICT (account_hash) DO UPDATE SET full_at = ${next} WHERE ${next} <= ${currentTime} + make_interval(secs => ${window_s})
    RETURNING account_hash`);
  if (spent.length === 0) {
    await assertAllowance(db, attempt);
    throw TooManyRequests({ retry_after_s: 1 });
  }
  if (!attempt.account_key) return;
  const { interval_s: every_s, window_s: most_s } = attempt.account_limit ?? ALL_ORIGINS_LIMIT;
  const later = sql`greatest(login_allowances.full_at, ${currentTime}) + make_interval(secs => ${every_s})`;
  await db.rows(sql`
    INSERT INTO login_allowances (account_hash, full_at) VALUES (${attempt.account_key}, ${currentTime} + make_interval(secs => ${every_s}))
    ON CONFLICT (account_hash) DO UPDATE SET full_at = least(${later}, ${currentTime} + make_interval(secs => ${most_s}))`);
}
