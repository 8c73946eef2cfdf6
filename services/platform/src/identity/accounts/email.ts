/** Changes of the e-mail address for login. An address takes effect only after its owner confirms it. */
import { sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import type { Db } from '../../operations.ts';
import { queueMail } from '../mail/mail-templates.ts';
import type { StoredUser } from './user.ts';

export const EmailChangeUnapproved = fault(
  409,
  'email_change_unapproved',
  'The current address has not approved this change. Open the link in the e-mail to the current address.',
);

export const TooManyEmailChanges = fault(
  429,
  'too_many_email_changes',
  'The address of this account was changed too often today. Use the latest e-mail, or try again tomorrow.',
);

const DAY_MS = 24 * 3_600_000;
/** Daily limit of new addresses for one account, by its user and by colleagues together. */
const CHANGES_A_DAY = 5;

/**
 * Asserts that an account may request a further address. Every request sends an e-mail to an address that its caller
 * has typed. Requests for one account are serialized.
 * @throws TooManyEmailChanges with the seconds until the next request is allowed
 */
async function assertChangesLeft(db: Db, user_id: string): Promise<void> {
  const now = clock.now().getTime();
  await db.rows(sql`SELECT FROM users WHERE id = ${user_id}::uuid FOR UPDATE`);
  const requests = await db.rows<{ created_at: Date | string }>(sql`
    SELECT created_at FROM outgoing_mail
    WHERE user_id = ${user_id}::uuid AND letter IN ('verify_email', 'verify_requested_email')
      AND created_at > ${new Date(now - DAY_MS)}::timestamptz ORDER BY created_at DESC LIMIT ${CHANGES_A_DAY}`);
  const blocking = requests[CHANGES_A_DAY - 1];
  if (!blocking) return;
  const free_at = new Date(blocking.created_at).getTime() + DAY_MS;
  throw TooManyEmailChanges({ retry_after_s: Math.max(1, Math.ceil((free_at - now) / 1_000)) });
}

/** Time after which an owner's request needs no approval by the current address. */
export const APPROVAL_WAIT_MS = 7 * 24 * 3_600_000;

/** Columns of a user without a pending change of address. */
export const NO_PENDING_EMAIL = {
  pending_email: null,
  pending_email_by: null,
  pending_email_approved_at: null,
  pending_email_free_at: null,
};

/**
 * Requests a new address for the caller's own account, as a change to their record. The address takes effect after
 * confirmation. Chosen: only the confirming user learns that the address belongs to another account, so requests do not
 * reveal addresses.
 * @throws TooManyEmailChanges
 */
export async function requestOwnEmail(db: Db, user: StoredUser, email: string) {
  await cancelLinks(db, user.id);
  if (email === user.email) return NO_PENDING_EMAIL;
  await assertChangesLeft(db, user.id);
  await queueMail(db, 'verify_email', user.id, email);
  return { ...NO_PENDING_EMAIL, pending_email: email };
}

/** Returns true if only the inviter and owners rely on the address of an invitation. */
const isUnlinkedInvitation = (user: StoredUser, caller: Caller): boolean =>
  user.status === 'invited' &&
  (user.created_by === caller.user_id || caller.kind === 'owner') &&
  !user.employee_id &&
  !user.customer_id &&
  !user.vendor_id;

/**
 * Requests a new address for another user's account. The current address must approve the change first, and is notified
 * immediately. Chosen: a change that an owner requests needs no approval after seven days, so that losing a
 * mailbox does not mean losing the account. Chosen: an unlinked invitation is simply sent to the new address, by its inviter or an owner.
 * @throws TooManyEmailChanges
 */
export async function requestEmailFor(db: Db, caller: Caller, user: StoredUser, email: string) {
  if (user.id === caller.user_id) return await requestOwnEmail(db, user, email);
  await cancelLinks(db, user.id);
  if (email === user.email) return NO_PENDING_EMAIL;
  if (isUnlinkedInvitation(user, caller)) {
    await queueMail(db, 'invitation', user.id, email);
    return { ...NO_PENDING_EMAIL, email };
  }
  await assertChangesLeft(db, user.id);
  await queueMail(db, caller.kind === 'owner' ? 'approve_owners_email' : 'approve_email', user.id, user.email!);
  await queueMail(db, 'verify_requested_email', user.id, email);
  return {
    ...NO_PENDING_EMAIL,
    pending_email: email,
    pending_email_by: caller.user_id,
    pending_email_free_at: caller.kind === 'owner' ? new Date(clock.now().getTime() + APPROVAL_WAIT_MS) : null,
  };
}

/**
 * Returns true if a pending change may take effect: its user requested it, the current address approved it, or the wait
 * is over.
 */
export const isApproved = (user: StoredUser): boolean =>
  user.pending_email_by === null ||
  user.pending_email_approved_at !== null ||
  (user.pending_email_free_at !== null && user.pending_email_free_at <= clock.now());

/** Invalidates the links that a user has received, and the links in the send queue. */
export async function cancelLinks(db: Db, user_id: string): Promise<void> {
  await db.oneTimeLink.deleteMany({ where: { user_id, used_at: null } });
  const mailNames = {
    in: [
      'invitation',
      'reset_password',
      'verify_email',
      'verify_requested_email',
      'approve_email',
      'approve_owners_email',
    ],
  };
  await db.outgoingMail.updateMany({
    where: { user_id, status: 'queued', letter: mailNames },
    data: { status: 'cancelled', email: null },
  });
}
