/** The effects of following a link. */
import { clock, type Emit, type RequestFacts } from '@suite/chassis';
import { UserVerified } from '@suite/proto/platform/v1/events';
import { revokeKeys } from '../keys/api-key.ts';
import type { Db } from '../operations.ts';
import { endChallenges } from '../second-factor/challenge.ts';
import { forgetDevices } from '../sessions/device.ts';
import { endSessions } from '../sessions/session.ts';
import { cancelLinks } from '../accounts/email.ts';
import { findUser, patchUser, type User } from '../accounts/user.ts';
import { users } from '../accounts/user.rules.ts';
import { recordAccountEvent } from '../accounts/user-log.ts';
import { queueLetter } from '../mail/letter.ts';
import { LinkSpent, useLink } from '../mail/one-time-link.ts';

/** The token of a link, and the password that its user chose. */
interface Choice {
  token: string;
  /** The hash of the password. */
  hash: string;
}

/** The address and the workspace that a user signs in with. */
export async function loginOf(db: Db, { email }: User): Promise<{ email: string; workspace: string }> {
  const { slug } = await db.workspace.findFirstOrThrow();
  return { email: email!, workspace: slug };
}

/** Lets an invited user in. @throws LinkSpent */
export async function acceptInvitation(db: Db, emit: Emit, choice: Choice, request: RequestFacts): Promise<User> {
  const { user_id } = await useLink(db, 'accept_invitation', choice.token);
  const user = await findUser(db, user_id);
  if (user.status === 'disabled') throw LinkSpent();
  const verified = await users.move(db.user, user_id, 'verify');
  await setPassword(db, user_id, choice.hash, request);
  if (verified) emit(UserVerified, { user_id });
  return await findUser(db, user_id);
}

/** Replaces a forgotten password and ends all sessions. @throws LinkSpent */
export async function replacePassword(
  db: Db,
  emit: Emit,
  choice: Choice & { revoke_api_keys: boolean },
  request: RequestFacts,
): Promise<User> {
  const { user_id, email } = await useLink(db, 'reset_password', choice.token);
  const user = await findUser(db, user_id);
  if (user.status !== 'active') throw LinkSpent();
  await setPassword(db, user_id, choice.hash, request);
  await endSessions(db, emit, 'password_reset', { user_id });
  if (choice.revoke_api_keys) await revokeKeys(db, emit, { user_id }, request);
  await queueLetter(db, 'password_changed', user_id, email);
  return user;
}

/** Sets the password of somebody whose mailbox has just proved who they are. */
async function setPassword(db: Db, user_id: string, hash: string, request: RequestFacts): Promise<void> {
  await db.password.deleteMany({ where: { id: user_id } });
  await db.password.create({ data: { id: user_id, hash } });
  await forgetDevices(db, user_id);
  await endChallenges(db, user_id);
  await db.user.updateMany({
    where: { id: user_id, email_verified_at: null },
    data: { email_verified_at: clock.now() },
  });
  await cancelLinks(db, user_id);
  await recordAccountEvent(db, 'password_reset', user_id, request);
}

/**
 * Makes the address that the link was sent to the user's own, tells the former one, and ends all sessions.
 * @throws LinkSpent, EmailTaken
 */
export async function confirmEmail(db: Db, emit: Emit, token: string, request: RequestFacts): Promise<User> {
  const { user_id, email } = await useLink(db, 'verify_email', token);
  const before = await findUser(db, user_id);
  if (before.pending_email !== email) throw LinkSpent();
  await patchUser(db, emit, before, { email, pending_email: null, email_verified_at: clock.now() });
  await endSessions(db, emit, 'email_changed', { user_id });
  await queueLetter(db, 'email_changed', user_id, before.email!);
  await recordAccountEvent(db, 'email_change', user_id, request);
  return await findUser(db, user_id);
}
