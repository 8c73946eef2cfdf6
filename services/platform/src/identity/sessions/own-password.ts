/** Confirms the identity of a signed-in user again before irreversible actions. */
import { type Fault, invalid, NotFound } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { RequestMetadata } from '@suite/chassis/operations';
import {
  assertAllowance,
  assertAllowanceLeft,
  loginAttempt,
  spendAttempt,
} from '../login-throttling/login-allowance.ts';
import { isPassword, knownOrigin } from '../passwords/password.ts';
import type { Db } from '../../operations.ts';
import { SessionRequired } from './session.ts';
import { recordAccountEvent } from '../accounts/user-log.ts';

/**
 * Returns the attempt for a session, because a thief of a session could guess here too. Each session has a separate
 * count, so failed sign-ins never block a password change.
 */
const passwordAttempt = ({ user_id, session_id }: Caller) => loginAttempt(`password of ${user_id}`, '', session_id);

/** Result of checking the password of the caller. */
export interface PasswordProof {
  name: string;
  email: string;
  right: boolean;
}

/**
 * Compares a password with the caller's own, outside of any transaction.
 * @throws SessionRequired for API keys, because the holder of a key need not know the password
 * @throws TooManyRequests
 */
export async function checkOwnPassword(
  read: <T>(work: (db: Db) => Promise<T>) => Promise<T>,
  caller: Caller,
  password: string,
): Promise<PasswordProof> {
  if (!caller.session_id) throw SessionRequired();
  const { name, email, hash } = await read(async (db) => {
    const user = await db.user.findFirst({ where: { id: caller.user_id }, include: { password: true } });
    if (!user?.email) throw NotFound();
    await assertAllowance(db, passwordAttempt(caller));
    return { name: user.name, email: user.email, hash: user.password?.hash ?? null };
  });
  return { name, email, right: await isPassword(password, hash, knownOrigin(`user ${caller.user_id}`)) };
}

/**
 * Counts a failed attempt.
 * @returns the fault for a wrong password; returned instead of thrown, so that the attempt is committed
 */
export async function passwordFault(
  db: Db,
  caller: Caller,
  proof: PasswordProof,
  field: string,
  request: RequestMetadata,
): Promise<Fault | undefined> {
  if (proof.right) {
    await assertAllowanceLeft(db, passwordAttempt(caller));
    return undefined;
  }
  await spendAttempt(db, passwordAttempt(caller));
  await recordAccountEvent(db, 'login_failed', caller.user_id, request);
  return invalid(field, 'The password is wrong. Try again.');
}
