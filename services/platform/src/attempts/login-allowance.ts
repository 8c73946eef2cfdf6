/**
 * How often an account may be guessed at, over all replicas, whether the account exists or not. Only failures count.
 *
 * They are counted where they come from: per account and address, or per account and known device. So nobody can keep the
 * owner of an account out from somewhere else. Beside that, the failures of all addresses together are counted per
 * account; when there are very many, each address and device that the account does not know is given one try a minute:
 * the owner's right password is still taken at the first try, from wherever it comes.
 *
 * A row keeps the moment at which its allowance is full again (GCRA).
 */
import { sql, TooManyRequests } from '@suite/chassis';
import type { Db } from '../operations.ts';
import { networkOf } from './network.ts';
import { hashOf } from '../identity/token.ts';

/** Ten at once, then one every six seconds. */
const USUAL = { interval_s: 6, window_s: 60 };
/** One a minute, for strangers to an account that is being guessed at from everywhere. */
const SLOW = { interval_s: 60, window_s: 60 };
/** Three hundred over all addresses, then one every two seconds. */
const EVERYWHERE = { interval_s: 2, window_s: 600 };

/** One try to prove who one is. */
export interface Attempt {
  /** Counts the failures that come from where this one comes from. */
  here: string;
  /** Counts those from everywhere; undefined where the account knows whoever it is. */
  everywhere: string | undefined;
  /** The limit that counts as long as nothing else is the matter. */
  usual: typeof USUAL;
  /** The limit of failures from everywhere, beyond which nothing from there is accepted; by default strangers get one try a minute. */
  overall?: typeof USUAL;
}

/** Thirty codes over all addresses that the account does not know, then one a minute. */
const CODES_EVERYWHERE = { interval_s: 60, window_s: 1_800 };

/**
 * An attempt at a code of the second factor, by somebody who knows the password already: five at once from each network,
 * device or session, then one a minute. Nobody can use up the allowance of the owner.
 * Chosen: a code has six digits only, so wrong codes of all unknown networks together are limited, too. Beyond that, only
 * known devices, sessions and recovery codes are accepted.
 * @param how.known the device or session that the account knows, if there is one
 */
export const attemptAtCode = (
  user_id: string,
  { address, known, isRecovery }: { address: string; known?: string | undefined; isRecovery: boolean },
): Attempt => ({
  here: hashOf(`code of ${user_id} ${known ? `known ${known}` : `from ${networkOf(address)}`}`),
  everywhere: known || isRecovery ? undefined : hashOf(`codes of ${user_id}`),
  usual: { interval_s: 60, window_s: 300 },
  overall: CODES_EVERYWHERE,
});

/** Ten codes over all addresses that the account does not know, then one every five minutes. */
const SENT_EVERYWHERE = { interval_s: 300, window_s: 3_000 };

/**
 * A request for a code by text message: three at once from each network, device or session, then one every five minutes.
 * Callers elsewhere, who know only the password, cannot use up the codes of the owner.
 * Chosen: all unknown networks together are limited, too, since each message costs money and arrives at the owner.
 */
export const codeSentTo = (
  user_id: string,
  { address, known }: { address: string; known?: string | undefined },
): Attempt => ({
  here: hashOf(`codes sent to ${user_id} ${known ? `known ${known}` : `from ${networkOf(address)}`}`),
  everywhere: known ? undefined : hashOf(`codes sent to ${user_id}`),
  usual: { interval_s: 300, window_s: 900 },
  overall: SENT_EVERYWHERE,
});

/** An attempt at an account. `known` names the device or session that the account knows, if there is one. */
export function attemptAt(account: string, address: string, known?: string | null): Attempt {
  return known
    ? { here: hashOf(`${account} known ${known}`), everywhere: undefined, usual: USUAL }
    : { here: hashOf(`${account} from ${networkOf(address)}`), everywhere: hashOf(account), usual: USUAL };
}

const soon = sql`clock_timestamp()`;
const isAhead = (most_s: number, { interval_s }: typeof USUAL) =>
  sql`full_at > ${soon} + make_interval(secs => ${most_s - interval_s})`;

/** The limit that counts for this attempt. */
async function limitOf(db: Db, { everywhere, usual, overall = EVERYWHERE }: Attempt): Promise<typeof USUAL> {
  if (!everywhere) return usual;
  const used_up = await db.rows(sql`
    SELECT FROM login_allowances WHERE account_hash = ${everywhere} AND ${isAhead(overall.window_s, overall)}`);
  return used_up.length > 0 ? SLOW : usual;
}

/** Refuses when the allowance is used up; spends nothing. @throws TooManyRequests */
export async function assertAllowance(db: Db, { here, everywhere = '', usual, overall }: Attempt): Promise<void> {
  const { interval_s: every_s, window_s: most_s } = overall ?? EVERYWHERE;
  const [found] = await db.rows<{ ahead_s: number | null; guessed: boolean }>(sql`
    SELECT (SELECT extract(epoch FROM full_at - ${soon})::float8 FROM login_allowances WHERE account_hash = ${here}) AS ahead_s,
      EXISTS (SELECT FROM login_allowances WHERE account_hash = ${everywhere} AND ${isAhead(most_s, { interval_s: every_s, window_s: most_s })}) AS guessed`);
  const { ahead_s, guessed } = found!;
  if (guessed && overall) throw TooManyRequests({ retry_after_s: every_s });
  const { interval_s, window_s } = guessed ? SLOW : usual;
  const wait_s = ahead_s === null ? 0 : ahead_s + interval_s - window_s;
  if (wait_s > 0) throw TooManyRequests({ retry_after_s: Math.ceil(wait_s) });
}

/**
 * Lets a right password in; spends nothing. It waits for the failures that are being counted, so that of many guesses at
 * once a right one is told only when there was still allowance for it.
 * @throws TooManyRequests
 */
export async function assertAllowanceLeft(db: Db, attempt: Attempt): Promise<void> {
  // The second statement, sent with the first one, sees what that one has waited for.
  await Promise.all([
    db.rows(sql`SELECT FROM login_allowances WHERE account_hash = ${attempt.here} FOR SHARE`),
    assertAllowance(db, attempt),
  ]);
}

/**
 * Counts a failure. That an attempt failed may only be told afterwards, so that parallel attempts learn no more than the
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
  const { interval_s: every_s, window_s: most_s } = attempt.overall ?? EVERYWHERE;
  const later = sql`greatest(login_allowances.full_at, ${soon}) + make_interval(secs => ${every_s})`;
  await db.rows(sql`
    INSERT INTO login_allowances (account_hash, full_at) VALUES (${attempt.everywhere}, ${soon} + make_interval(secs => ${every_s}))
    ON CONFLICT (account_hash) DO UPDATE SET full_at = least(${later}, ${soon} + make_interval(secs => ${most_s}))`);
}
