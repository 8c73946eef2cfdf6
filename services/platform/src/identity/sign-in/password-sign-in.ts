/** First step of each sign-in: finds the account of an address and checks its password. */
import { enterWorkspace } from '@suite/chassis/database';
import { type Fault, fault } from '@suite/chassis/faults';
import type { RequestMetadata } from '@suite/chassis/operations';
import { recordRequest } from '../login-throttling/account-request.ts';
import {
  assertAllowance,
  assertAllowanceLeft,
  type Attempt,
  loginAttempt,
  spendAttempt,
} from '../login-throttling/login-allowance.ts';
import { tokenHash } from '../../tokens/token.ts';
import type { Db } from '../../operations.ts';
import { hashPassword, isHashOutdated, isPassword, knownOrigin, unknownNetwork } from '../passwords/password.ts';
import { challengeFor } from '../second-factor/challenge.ts';
import type { SessionPurpose } from '../sessions/session.ts';
import { type LoginAccount, findAccountByEmail } from './account.ts';

export const WrongCredentials = fault(
  401,
  'wrong_credentials',
  'The e-mail address or the password is wrong. Try again.',
);
export const AccountDisabled = fault(
  403,
  'account_disabled',
  'This account has been disabled. Ask an owner of your workspace.',
);
export const EmailUnverified = fault(
  403,
  'email_unverified',
  'Your e-mail address is not verified. Accept the invitation that was sent to you, or request a new password.',
);
export const WorkspaceSuspended = fault(
  403,
  'workspace_suspended',
  'This workspace has been suspended. Ask its owner to contact support.',
);

/** Credentials of a sign-in. */
interface Credentials {
  email: string;
  password: string;
  workspace?: string | undefined;
  device_token?: string | undefined;
}

/** Account with the result of the password check. */
interface CheckedPassword {
  account: LoginAccount;
  attempt: Attempt;
  right: boolean;
  /** Hash with the current parameters, if the stored hash has others. */
  renewed: string | undefined;
}

/**
 * Compares a password with the password of the intended account, outside of any transaction. @throws TooManyRequests
 */
export async function checkPassword(
  read: <T>(work: (db: Db) => Promise<T>) => Promise<T>,
  { email, password, workspace, device_token = '' }: Credentials,
  { address }: RequestMetadata,
): Promise<CheckedPassword> {
  const { account, attempt, origin } = await read(async (db) => {
    const found = await findAccountByEmail(db, { email, workspace, device_token_hash: tokenHash(device_token) });
    const login_attempt = loginAttempt(email, address, found.device_id);
    await assertAllowance(db, login_attempt);
    const password_origin = found.device_id ? knownOrigin(`device ${found.device_id}`) : unknownNetwork(address);
    return { account: found, attempt: login_attempt, origin: password_origin };
  });
  const right = await isPassword(password, account.password_hash, origin);
  const renewed = right && isHashOutdated(account.password_hash!) ? await hashPassword(password, origin) : undefined;
  return { account, attempt, right, renewed };
}

/** Circumstances of a sign-in. */
interface SignInOptions {
  request: RequestMetadata;
  purpose: SessionPurpose;
  /** Returns a further reason to reject a user with a correct password. */
  furtherFault?(user_id: string): Promise<Fault | undefined>;
}

/**
 * Enters the workspace of a user with a correct password, and counts a wrong one.
 * @returns the user's id; or the fault to answer with, which is returned and not thrown, so that the attempt counts
 */
export async function enterByPassword(
  db: Db,
  { account, attempt, right, renewed }: CheckedPassword,
  { request, purpose, furtherFault }: SignInOptions,
): Promise<Fault | string> {
  const { user_id, workspace_id } = account;
  if (!right || !user_id) {
    await spendAttempt(db, attempt);
    await recordRequest(db, { kind: 'login_failed', user_id }, request);
    return WrongCredentials();
  }
  await assertAllowanceLeft(db, attempt);
  if (account.workspace_status !== 'active') return WorkspaceSuspended();
  if (account.status === 'invited' || (account.status === 'active' && !account.is_verified)) return EmailUnverified();
  if (account.status !== 'active') return AccountDisabled();
  await enterWorkspace(workspace_id, user_id);
  const loginFault = (await furtherFault?.(user_id)) ?? (await challengeFor(db, user_id, purpose));
  if (renewed) await db.password.updateMany({ where: { id: user_id }, data: { hash: renewed } });
  return loginFault ?? user_id;
}
