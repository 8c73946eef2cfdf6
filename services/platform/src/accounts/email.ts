import type { Db } from '../operations.ts';
import { queueLetter } from '../mail/letter.ts';
import type { User } from './user.ts';

/**
 * Gives a user a new address, as a change to their record. It counts once its owner has confirmed it; an invitation that
 * nobody has accepted is simply sent to the new address.
 * Chosen: whether the address belongs to another account is told only to whoever confirms it, so that nobody can find
 * out addresses by asking for them.
 */
export async function requestEmail(
  db: Db,
  user: User,
  email: string,
): Promise<{ email?: string; pending_email: string | null }> {
  if (email === user.email) return { pending_email: null };
  await cancelLinks(db, user.id);
  if (user.status === 'invited') {
    await queueLetter(db, 'invitation', user.id, email);
    return { email, pending_email: null };
  }
  await queueLetter(db, 'verify_email', user.id, email);
  return { pending_email: email };
}

/** Makes the links that a user was sent worthless, and those that are still to be sent. */
export async function cancelLinks(db: Db, user_id: string): Promise<void> {
  await db.oneTimeLink.deleteMany({ where: { user_id, used_at: null } });
  const letter = { in: ['invitation', 'reset_password', 'verify_email'] };
  await db.outgoingMail.updateMany({
    where: { user_id, status: 'queued', letter },
    data: { status: 'cancelled', email: null },
  });
}
