/** Effects of e-mail links. */
import { fault } from '@suite/chassis/faults';
import type { Emit, RequestMetadata } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import { UserVerified } from '@suite/proto/platform/v1/events';
import { revokeKeys } from '../keys/api-key.ts';
import type { Db } from '../../operations.ts';
import { endChallenges } from '../second-factor/challenge.ts';
import { deleteDevices } from '../sessions/device.ts';
import { endSessions } from '../sessions/session.ts';
import {
  APPROVAL_WAIT_MS,
  cancelLinks,
  EmailChangeUnapproved,
  isApproved,
  NO_PENDING_EMAIL,
} from '../accounts/email.ts';
import { emitUserUpdated, findUser, patchUser, type StoredUser } from '../accounts/user.ts';
import { users } from '../accounts/user.rules.ts';
import { recordAccountEvent } from '../accounts/user-log.ts';
import { queueMail } from '../mail/mail-templates.ts';
import { LinkSpent, useLink } from '../mail/one-time-link.ts';

export const PasswordRequired = fault(422, 'password_needed', 'Choose a password for your account.');

/** Token of a link, and the password that its user chose. */
interface LinkWithPassword {
  token: string;
  /** Hash of the password. */
  hash: string;
}

/** Returns the address and workspace for a user's login. */
export async function loginOf(db: Db, { email }: StoredUser): Promise<{ email: string; workspace: string }> {
  const { slug } = await db.workspace.findFirstOrThrow();
  return { email: email!, workspace: slug };
}

/**
 * Activates an invited user, whose address the link proves.
 * Chosen: the user chooses a password even if another user has set one. The other user could otherwise sign in as them
 * and read what belongs to their address.
 * @param choice.hash hash of the new password. Undefined for a user who proved their address before
 * @throws LinkSpent, PasswordRequired
 */
export async function acceptInvitation(
  db: Db,
  emit: Emit,
  { token, hash }: { token: string; hash: string | undefined },
  request: RequestMetadata,
): Promise<StoredUser> {
  const { user_id } = await useLink(db, 'accept_invitation', token);
  const user = await findUser(db, user_id);
  if (user.status === 'disabled') throw LinkSpent();
  if (!hash && !(user.email_verified_at && (await hasPassword(db, user_id)))) throw PasswordRequired();
  const verified = await users.move(db.user, user_id, 'verify');
  if (hash) await setPassword(db, user_id, hash, request);
  else await confirmAddress(db, user_id);
  if (verified) emit(UserVerified, { user_id, vouched: false });
  return await findUser(db, user_id);
}

const hasPassword = async (db: Db, id: string): Promise<boolean> => (await db.password.count({ where: { id } })) > 0;

/** Records that the user has access to their mailbox. @returns true if this is the first proof */
async function confirmAddress(db: Db, user_id: string): Promise<boolean> {
  const { count } = await db.user.updateMany({
    where: { id: user_id, email_verified_at: null },
    data: { email_verified_at: clock.now() },
  });
  await cancelLinks(db, user_id);
  return count > 0;
}

/** Replaces a forgotten password and ends all sessions. @throws LinkSpent */
export async function replacePassword(
  db: Db,
  emit: Emit,
  input: LinkWithPassword & { revoke_api_keys: boolean },
  request: RequestMetadata,
): Promise<StoredUser> {
  const { user_id, email } = await useLink(db, 'reset_password', input.token);
  const user = await findUser(db, user_id);
  if (user.status !== 'active') throw LinkSpent();
  if (await setPassword(db, user_id, input.hash, request)) emitUserUpdated(emit, await findUser(db, user_id));
  await endSessions(db, emit, 'password_reset', { user_id });
  if (input.revoke_api_keys) await revokeKeys(db, emit, { user_id }, request);
  await queueMail(db, 'password_changed', user_id, email);
  return user;
}

/** Sets the password of a user who has just confirmed access to their mailbox. @returns whether it had not before */
async function setPassword(db: Db, user_id: string, hash: string, request: RequestMetadata): Promise<boolean> {
  await db.password.deleteMany({ where: { id: user_id } });
  await db.password.create({ data: { id: user_id, hash } });
  await deleteDevices(db, user_id);
  await endChallenges(db, user_id);
  await recordAccountEvent(db, 'password_reset', user_id, request);
  return await confirmAddress(db, user_id);
}

/**
 * Makes the address that received the link the user's own, notifies the previous address, and ends all sessions.
 * @throws LinkSpent, EmailTaken, EmailChangeUnapproved
 */
export async function confirmEmail(db: Db, emit: Emit, token: string, request: RequestMetadata): Promise<StoredUser> {
  const { user_id, email } = await useLink(db, ['verify_email', 'verify_requested_email'], token);
  const before = await findUser(db, user_id);
  if (before.pending_email !== email) throw LinkSpent();
  if (!isApproved(before)) throw EmailChangeUnapproved();
  const isUnapproved = before.pending_email_by !== null && before.pending_email_approved_at === null;
  await patchUser(db, emit, before, {
    ...NO_PENDING_EMAIL,
    email,
    email_verified_at: clock.now(),
    ...(isUnapproved && { second_factor_kept_until: new Date(clock.now().getTime() + APPROVAL_WAIT_MS) }),
  });
  await cancelLinks(db, user_id);
  await endSessions(db, emit, 'email_changed', { user_id });
  await queueMail(db, 'email_changed', user_id, before.email!);
  if (before.status === 'invited') await queueMail(db, 'invitation', user_id, email);
  await recordAccountEvent(db, 'email_change', user_id, request);
  return await findUser(db, user_id);
}

/** Approves a change requested by another user, from the current address. @throws LinkSpent */
export async function approveEmail(db: Db, token: string): Promise<StoredUser> {
  const user = await findUserWithRequest(db, token);
  await db.user.updateMany({ where: { id: user.id }, data: { pending_email_approved_at: clock.now() } });
  return user;
}

/** Rejects a change requested by another user, from the current address. @throws LinkSpent */
export async function rejectEmail(db: Db, token: string): Promise<StoredUser> {
  const user = await findUserWithRequest(db, token);
  await db.user.updateMany({ where: { id: user.id }, data: NO_PENDING_EMAIL });
  await cancelLinks(db, user.id);
  return user;
}

/** Returns the user with a requested change of address, by the link sent to the current address. @throws LinkSpent */
async function findUserWithRequest(db: Db, token: string): Promise<StoredUser> {
  const { user_id, email } = await useLink(db, 'approve_email', token);
  const user = await findUser(db, user_id);
  if (user.email !== email || user.pending_email_by === null) throw LinkSpent();
  return user;
}
