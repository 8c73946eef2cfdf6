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
const USUAL = { interval_s: 6, window_s: 60 };
/** One a minute, for unknown callers of an account that is under a distributed attack. */
const UNDER_ATTACK_LIMIT = { interval_s: 60, window_s: 60 };
/** Limit across all addresses: 300 failures, then one every two seconds. */
const ALL_ORIGINS_LIMIT = { interval_s: 2, window_s: 600 };

/** Attempt to authenticate. */
export interface Attempt {
  /** Key for failures from the same origin. */
  here: string;
  /** Key for failures from all origins; undefined if the account knows the caller. */
  everywhere: string | undefined;
  /** Limit that applies by default. */
  usual: typeof USUAL;
  /**
   * Limit of failures from all origins. Beyond it, no unknown origin is accepted. Without it, unknown callers get one
   * attempt a minute.
   */
  overall?: typeof USUAL;
}

/** Limit across all addresses unknown to the account: 30 codes, then one a minute. */
const CODES_EVERYWHERE = { interval_s: 60, window_s: 1_800 };

/**
 * Returns an attempt at a code of the second factor, by a caller who already knows the password. Each network, device
 * or session gets five attempts in a burst, then one a minute. No other caller can use up the owner's allowance.
 * Chosen: a code has six digits only, so wrong codes of all unknown networks together are limited, too. Beyond that,
 * only known devices, sessions and recovery codes are accepted.
 * @param how.known the device or session that the account knows, if there is one
 */
export const attemptAtCode = (
  user_id: string,
  { address, known, isRecovery }: { address: string; known?: string | undefined; isRecovery: boolean },
): Attempt => ({
  here: tokenHash(`code of ${user_id} ${known ? `known ${known}` : `from ${networkOf(address)}`}`),
  everywhere: known || isRecovery ? undefined : tokenHash(`codes of ${user_id}`),
  usual: { interval_s: 60, window_s: 300 },
  overall: CODES_EVERYWHERE,
});

/** Limit across all addresses unknown to the account: ten codes, then one every five minutes. */
const SENT_EVERYWHERE = { interval_s: 300, window_s: 3_000 };

/**
 * Returns a request for a code by text message. Each network, device or session gets three in a burst, then one every
 * five minutes. Callers elsewhere who know only the password cannot use up the owner's codes. Chosen: all unknown
 * networks together are limited, too, since each message costs money and reaches the owner.
 */
export const codeSentTo = (
  user_id: string,
  { address, known }: { address: string; known?: string | undefined },
): Attempt => ({
  here: tokenHash(`codes sent to ${user_id} ${known ? `known ${known}` : `from ${networkOf(address)}`}`),
  everywhere: known ? undefined : tokenHash(`codes sent to ${user_id}`),
  usual: { interval_s: 300, window_s: 900 },
  overall: SENT_EVERYWHERE,
});

/** Returns an attempt at an account. `known` names the device or session that the account knows, if any. */
export function attemptAt(account: string, address: string, known?: string | null): Attempt {
  return known
    ? { here: tokenHash(`${account} known ${known}`), everywhere: undefined, usual: USUAL }
    : { here: tokenHash(`${account} from ${networkOf(address)}`), everywhere: tokenHash(account), usual: USUAL };
}

const soon = sql`clock_timestamp()`;
const isAhead = (most_s: number, { interval_s }: typeof USUAL) =>
  sql`full_at > ${soon} + make_interval(secs => ${most_s - interval_s})`;

/** Returns the limit that applies to an attempt. */
async function limitOf(db: Db, { everywhere, usual, overall = ALL_ORIGINS_LIMIT }: Attempt): Promise<typeof USUAL> {
  if (!everywhere) return usual;
  const used_up = await db.rows(sql`
    SELECT FROM login_allowances WHERE account_hash = ${everywhere} AND ${isAhead(overall.window_s, overall)}`);
  return used_up.length > 0 ? UNDER_ATTACK_LIMIT : usual;
}

/** Rejects an attempt if the allowance is used up. Does not reduce the allowance. @throws TooManyRequests */
export async function assertAllowance(db: Db, { here, everywhere = '', usual, overall }: Attempt): Promise<void> {
  const { interval_s: every_s, window_s: most_s } = overall ?? ALL_ORIGINS_LIMIT;
  const [found] = await db.rows<{ ahead_s: number | null; guessed: boolean }>(sql`
    SELECT (SELECT extract(epoch FROM full_at - ${soon})::float8 FROM login_allowances WHERE account_hash = ${here}) AS ahead_s,
      EXISTS (SELECT FROM login_allowances WHERE account_hash = ${everywhere} AND ${isAhead(most_s, { interval_s: every_s, window_s: most_s })}) AS guessed`);
  const { ahead_s, guessed } = found!;
  if (guessed && overall) throw TooManyRequests({ retry_after_s: every_s });
  const { interval_s, window_s } = guessed ? UNDER_ATTACK_LIMIT : usual;
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
  await db.rows(sql`SELECT FROM login_allowances WHERE account_hash = ${attempt.here} FOR SHARE`);
  await assertAllowance(db, attempt);
}

/**
 * Counts a failure. The failure may only be reported afterwards, so that parallel attempts learn no more than the
 * allowance permits.
 * @throws TooManyRequests
 */
export async function spendAttempt(db: Db, attempt: Attempt): Promise<void> {
  const { interval_s, window_s } = await limitOf(db, attempt);
  const next = sql`greatest(login_allowances.full_at, ${soon}) + make_interval(secs => ${interval_s})`;
  const spent = await db.rows(sql`
    INSERT INTO login_allowances (account_hash, full_at) VALUES (${attempt.here}, ${soon} + make_interval(secs => ${interval_s}))
    ON CONFLICT (account_hash) DO UPDATE SET full_at = ${next} WHERE ${next} <= ${soon} + make_interval(secs => ${window_s})
    RETURNING account_hash`);
  if (spent.length === 0) {
    await assertAllowance(db, attempt);
    throw TooManyRequests({ retry_after_s: 1 });
  }
  if (!attempt.everywhere) return;
  const { interval_s: every_s, window_s: most_s } = attempt.overall ?? ALL_ORIGINS_LIMIT;
  const later = sql`greatest(login_allowances.full_at, ${soon}) + make_interval(secs => ${every_s})`;
  await db.rows(sql`
    INSERT INTO login_allowances (account_hash, full_at) VALUES (${attempt.everywhere}, ${soon} + make_interval(secs => ${every_s}))
    ON CONFLICT (account_hash) DO UPDATE SET full_at = least(${later}, ${soon} + make_interval(secs => ${most_s}))`);
}
