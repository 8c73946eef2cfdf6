/** Somebody who is signed in proves once more who they are, before what cannot be undone. */
import { type Caller, type Fault, invalid, NotFound, type RequestFacts } from '@suite/chassis';
import { assertAllowance, spendAttempt } from '../identity/login-allowance.ts';
import { isPassword } from '../identity/password.ts';
import type { Db } from '../operations.ts';
import { SessionRequired } from '../sessions/session.ts';
import { note } from './user-log.ts';

/** What was found out about the password that a caller gave. */
export interface Proof {
  email: string;
  right: boolean;
}

/**
 * Compares a password with the caller's own, outside of any transaction.
 * @throws SessionRequired for API keys: whoever holds one need not know the password
 * @throws TooManyRequests
 */
export async function provePassword(
  read: <T>(work: (db: Db) => Promise<T>) => Promise<T>,
  caller: Caller,
  password: string,
): Promise<Proof> {
  if (!caller.session_id) throw SessionRequired();
  const { email, hash } = await read(async (db) => {
    const user = await db.user.findFirst({ where: { id: caller.user_id }, include: { password: true } });
    if (!user?.email) throw NotFound();
    await assertAllowance(db, user.email);
    return { email: user.email, hash: user.password?.hash ?? null };
  });
  return { email, right: await isPassword(password, hash) };
}

/**
 * Counts the attempt. It comes from the same allowance as signing in, since a thief of a session could guess here too.
 * @returns the fault to answer with when the password was wrong; returned and not thrown, so that the attempt counts
 */
export async function refusal(
  db: Db,
  caller: Caller,
  proof: Proof,
  field: string,
  request: RequestFacts,
): Promise<Fault | undefined> {
  await spendAttempt(db, proof.email);
  if (proof.right) return undefined;
  await note(db, 'login_failed', caller.user_id, request);
  return invalid(field, 'This is not your password.');
}
