/**
 * How often an account may be guessed at: ten times at once, then once every six seconds, over all replicas, whether
 * the account exists or not (GCRA: the row keeps the moment at which the allowance is full again).
 */
import { sql, TooManyRequests } from '@suite/chassis';
import type { Db } from '../operations.ts';
import { hashOf } from './token.ts';

const INTERVAL_S = 6;
const WINDOW_S = 60;

interface Wait {
  wait_s: number;
}

/**
 * Refuses when the allowance is used up; spends nothing. Asked before a password is hashed.
 * @throws TooManyRequests
 */
export async function assertAllowance(db: Db, account: string): Promise<void> {
  const [used] = await db.rows<Wait>(sql`
    SELECT extract(epoch FROM full_at - clock_timestamp())::float8 + ${INTERVAL_S} - ${WINDOW_S} AS wait_s
    FROM login_allowances WHERE account_hash = ${hashOf(account)}`);
  if (used && used.wait_s > 0) throw TooManyRequests({ retry_after_s: Math.ceil(used.wait_s) });
}

/**
 * Spends one attempt. What an attempt found out may only be told afterwards, so that parallel attempts learn no more
 * than the allowance permits.
 * @throws TooManyRequests
 */
export async function spendAttempt(db: Db, account: string): Promise<void> {
  const next = sql`greatest(login_allowances.full_at, clock_timestamp()) + make_interval(secs => ${INTERVAL_S})`;
  const spent = await db.rows(sql`
    INSERT INTO login_allowances (account_hash, full_at) VALUES (${hashOf(account)}, clock_timestamp() + make_interval(secs => ${INTERVAL_S}))
    ON CONFLICT (account_hash) DO UPDATE SET full_at = ${next} WHERE ${next} <= clock_timestamp() + make_interval(secs => ${WINDOW_S})
    RETURNING account_hash`);
  if (spent.length === 0) {
    await assertAllowance(db, account);
    throw TooManyRequests({ retry_after_s: 1 });
  }
}
