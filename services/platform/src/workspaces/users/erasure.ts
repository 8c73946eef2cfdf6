import { sql } from '@suite/chassis/database';
import type { Emit } from '@suite/chassis/operations';
import { UserDeleted } from '@suite/proto/platform/v1/events';
import { redactAudit } from '../../identity/workspaces-of-users/across-workspaces.ts';
import { revokeKeys } from '../../identity/keys/api-key.ts';
import type { Db } from '../../operations.ts';
import { deleteSecondFactors } from '../../identity/second-factor/second-factor.ts';
import { deleteDevices } from '../../identity/sessions/device.ts';
import { endSessions } from '../../identity/sessions/session.ts';
import { eraseMessages } from '../../connections/sms-messages/sms-reminder.ts';
import { leaveTeam } from '../teams/membership.ts';
import { cancelLinks } from '../../identity/accounts/email.ts';
import { discardPhotos } from '../../identity/accounts/photo.ts';
import { assertOwnerRemains, type StoredUser } from '../../identity/accounts/user.ts';
import { users } from '../../identity/accounts/user.rules.ts';

/** Column values of an erased user. Records that refer to the ID remain valid. */
export const ERASED_COLUMNS = {
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

/** Erases the addresses and programs of a user's sign-ins and calls, and the names of their keys. */
async function eraseOrigins(db: Db, user_id: string): Promise<void> {
  await deleteDevices(db, user_id);
  await db.rows(sql`
    UPDATE last_uses SET address = '' WHERE id IN (
      SELECT id FROM sessions WHERE user_id = ${user_id}::uuid UNION ALL SELECT id FROM api_keys WHERE user_id = ${user_id}::uuid)`);
  await db.session.updateMany({ where: { user_id }, data: { address: '', user_agent: '' } });
  await db.apiKey.updateMany({ where: { user_id }, data: { name: 'Key of a former user', allowed_ips: [] } });
}

/**
 * Deletes an account: it loses all access, and personal data remains only in other users' texts.
 * @throws LastOwner
 */
export async function eraseUser(db: Db, emit: Emit, user: StoredUser): Promise<void> {
  const { id: user_id } = user;
  await assertOwnerRemains(db, user);
  if (!(await users.move(db.user, user_id, 'delete', ERASED_COLUMNS))) return;
  await endSessions(db, emit, 'user_deleted', { user_id });
  await revokeKeys(db, emit, { user_id }, undefined);
  await db.password.deleteMany({ where: { id: user_id } });
  await eraseOrigins(db, user_id);
  // The messages sent to a second factor contain its number.
  await eraseMessages(db, user);
  await deleteSecondFactors(db, user_id);
  await leaveTeam(db, emit, user_id);
  await cancelLinks(db, user_id);
  await db.oneTimeLink.deleteMany({ where: { user_id } });
  await db.socialAuthorization.deleteMany({ where: { user_id } });
  await db.integration.deleteMany({ where: { user_id } });
  await db.todoRemoval.deleteMany({ where: { user_id } });
  await db.outgoingMail.updateMany({ where: { user_id }, data: { email: null, facts: {}, last_error: null } });
  await db.clientRequest.updateMany({ where: { user_id }, data: { password_hash: null } });
  await db.checkoutSession.updateMany({ where: { created_by: user_id }, data: { customer_email: '' } });
  await discardPhotos(db, user);
  await redactAudit(db, user_id);
  emit(UserDeleted, { user_id });
}
