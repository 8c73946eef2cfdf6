import type { Emit } from '@suite/chassis';
import { UserDeleted } from '@suite/proto/platform/v1/events';
import { redactAudit } from '../identity/across-workspaces.ts';
import { revokeKeys } from '../keys/api-key.ts';
import type { Db } from '../operations.ts';
import { dropSecondFactor } from '../second-factor/second-factor.ts';
import { forgetDevices } from '../sessions/device.ts';
import { endSessions } from '../sessions/session.ts';
import { leaveTeam } from '../teams/membership.ts';
import { cancelLinks } from '../accounts/email.ts';
import { discardPhotos } from '../accounts/photo.ts';
import { assertOwnerRemains, type User } from '../accounts/user.ts';
import { users } from '../accounts/user.rules.ts';

/** The columns of an erased user: records that name the id stay whole. */
export const FORMER = {
  name: 'Former user',
  email: null,
  pending_email: null,
  email_verified_at: null,
  phone: null,
  photo: null,
  photo_thumbnail: null,
  locale: null,
  language: null,
  timezone: null,
  employee_id: null,
  customer_id: null,
  vendor_id: null,
};

/**
 * Deletes an account: it can do nothing any more, and nothing personal of it is left but in what others wrote.
 * @throws LastOwner
 */
export async function eraseUser(db: Db, emit: Emit, user: User): Promise<void> {
  const { id: user_id } = user;
  await assertOwnerRemains(db, user);
  if (!(await users.move(db.user, user_id, 'delete', FORMER))) return;
  await endSessions(db, emit, 'user_deleted', { user_id });
  await revokeKeys(db, emit, { user_id }, undefined);
  await db.password.deleteMany({ where: { id: user_id } });
  await forgetDevices(db, user_id);
  await dropSecondFactor(db, user_id);
  await leaveTeam(db, emit, user_id);
  await cancelLinks(db, user_id);
  await db.oneTimeLink.deleteMany({ where: { user_id } });
  await db.socialAuthorization.deleteMany({ where: { user_id } });
  await db.integration.deleteMany({ where: { user_id } });
  await db.todoRemoval.deleteMany({ where: { user_id } });
  await db.outgoingMail.updateMany({ where: { user_id }, data: { email: null, facts: {} } });
  await discardPhotos(db, user);
  await redactAudit(db, user_id);
  emit(UserDeleted, { user_id });
}
