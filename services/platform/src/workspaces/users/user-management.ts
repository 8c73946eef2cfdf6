/** Manages the accounts of other users. */
import { find } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { Emit, RequestMetadata } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import {
  UserAccessChanged,
  UserCreated,
  UserDisabled,
  UserEnabled,
  UserVerified,
} from '@suite/proto/platform/v1/events';
import type { z } from 'zod';
import { revokeKeys } from '../../identity/keys/api-key.ts';
import { queueMail } from '../../identity/mail/mail-templates.ts';
import type { Db } from '../../operations.ts';
import { removeSecondFactor } from '../../identity/second-factor/second-factor.ts';
import { deleteDevices } from '../../identity/sessions/device.ts';
import { endSessions } from '../../identity/sessions/session.ts';
import { leaveTeam, isTeamKind } from '../teams/membership.ts';
import { lockLimits } from '../../entitlements/plans/plan.ts';
import { requestEmailFor } from '../../identity/accounts/email.ts';
import { eraseUser } from './erasure.ts';
import {
  assertOwnerRemains,
  assertSeats,
  findManageable,
  patchUser,
  type StoredUser,
  withEmailFault,
} from '../../identity/accounts/user.ts';
import { assertCanGrant, SecondFactorProtected, usesSeat, users } from '../../identity/accounts/user.rules.ts';
import type { NewUser, UserChange, UserReset } from '../../identity/accounts/user.schema.ts';
import { recordAccountEvent } from '../../identity/accounts/user-log.ts';

async function findGrantable(db: Db, caller: Caller, role_id: string) {
  const role = await db.role.findFirst({ where: { id: role_id } });
  if (!role) throw invalid('role_id', 'Role not found.');
  assertCanGrant(caller, role);
  return role;
}

/** Invites a user by e-mail. @throws RoleExceedsCaller, EmailTaken, PlanLimit */
export async function inviteUser(
  db: Db,
  emit: Emit,
  caller: Caller,
  invitation: z.output<typeof NewUser>,
): Promise<StoredUser> {
  const { kind } = await findGrantable(db, caller, invitation.role_id);
  const user = await withEmailFault(db.user.create({ data: { ...invitation, kind } }));
  if (usesSeat(kind)) await assertSeats(db);
  await queueMail(db, 'invitation', user.id, invitation.email);
  const { id, name, email, status, phone } = user;
  emit(UserCreated, { user_id: id, name, email: email ?? '', kind, status, phone: phone ?? '' });
  return user;
}

/**
 * Changes a user's account. `status` disables or enables it.
 * @throws NotFound, RoleExceedsCaller, Stale, LastOwner, PlanLimit, EmailTaken, InvalidTransition
 */
export async function changeUser(
  db: Db,
  emit: Emit,
  caller: Caller,
  id: string,
  input: Omit<z.output<typeof UserChange>, 'version'>,
  expect: number | undefined,
): Promise<void> {
  const user = await findManageable(db, id, caller);
  const { status, role_id, email, ...patch } = input;
  const role = role_id && role_id !== user.role_id ? await findGrantable(db, caller, role_id) : undefined;
  if (role && role.kind !== 'owner') await assertOwnerRemains(db, user);
  const changes = {
    ...patch,
    ...(role && { role_id: role.id, kind: role.kind }),
    ...(email && (await requestEmailFor(db, caller, user, email))),
  };
  await patchUser(db, emit, user, changes, expect);
  if (role) emit(UserAccessChanged, { user_id: id });
  if (role && !isTeamKind(role.kind)) await leaveTeam(db, emit, id);
  if (status === 'disabled') await disableUser(db, emit, caller, user);
  const isEnabled = status === 'active' && (await enableUser(db, emit, caller, user));
  const hasNewKind = role !== undefined && !usesSeat(user.kind);
  // Only a change that takes a seat needs one: a workspace over its limit can still change and disable its users.
  if ((isEnabled || hasNewKind) && usesSeat((await find(db.user, id)).kind)) await assertSeats(db);
}

async function disableUser(db: Db, emit: Emit, caller: Caller, user: StoredUser): Promise<void> {
  await assertOwnerRemains(db, user);
  if (!(await users.move(db.user, user.id, 'disable', {}, caller))) return;
  await endSessions(db, emit, 'user_disabled', { user_id: user.id });
  emit(UserDisabled, { user_id: user.id });
}

/**
 * Disables the login of a former colleague: their sessions and keys end immediately, and a pending invitation becomes
 * invalid. Chosen: the last owner of a workspace keeps their login, since no other user could assign ownership.
 */
export async function disableFormerColleague(db: Db, emit: Emit, id: string): Promise<void> {
  const user = await db.user.findFirst({ where: { id, status: { in: ['invited', 'active'] } } });
  if (!user) return;
  await lockLimits(db);
  const owners = await db.user.count({ where: { kind: 'owner', status: 'active' } });
  if (user.kind === 'owner' && owners <= 1) return;
  if (user.status === 'invited') return await eraseUser(db, emit, user);
  if (!(await users.move(db.user, id, 'disable'))) return;
  await endSessions(db, emit, 'user_disabled', { user_id: id });
  await revokeKeys(db, emit, { user_id: id }, undefined);
  emit(UserDisabled, { user_id: id });
}

async function enableUser(db: Db, emit: Emit, caller: Caller, user: StoredUser): Promise<boolean> {
  const enabled = await users.move(db.user, user.id, 'enable', {}, caller);
  if (enabled) emit(UserEnabled, { user_id: user.id });
  return enabled;
}

/**
 * Activates an invited user, who then chooses a password by "forgot password". An active user stays unchanged. Chosen:
 * the address stays unverified until its owner follows a link, and a password that a colleague chose is deleted. A
 * colleague's statement must not let a person sign in as someone else.
 */
export async function verifyUser(db: Db, emit: Emit, caller: Caller, id: string): Promise<void> {
  await findManageable(db, id, caller);
  if (!(await users.move(db.user, id, 'verify', {}, caller))) return;
  await db.password.deleteMany({ where: { id } });
  emit(UserVerified, { user_id: id, vouched: true });
}

/**
 * Asserts that the second factor may be removed. @throws SecondFactorProtected while another user changes the address,
 * and for a week after a change without approval
 */
function assertFactorRemovable({ pending_email_by, second_factor_kept_until }: StoredUser): void {
  if (pending_email_by || (second_factor_kept_until && second_factor_kept_until > clock.now()))
    throw SecondFactorProtected();
}

/**
 * Sends a user a link to choose a new password, or the invitation again if they never chose one. Chosen: the old
 * password becomes invalid immediately, since the usual reason for a reset is that someone else knows it.
 * @throws NotFound, RoleExceedsCaller, SecondFactorProtected, InvalidTransition
 */
export async function resetPassword(
  db: Db,
  emit: Emit,
  caller: Caller,
  id: string,
  { revoke_api_keys, remove_second_factor }: z.output<typeof UserReset>,
  request: RequestMetadata,
): Promise<void> {
  const user = await findManageable(db, id, caller);
  if (user.status === 'invited') return await queueMail(db, 'invitation', id, user.email!);
  users.assertFits('reset_password', user, caller);
  if (remove_second_factor) assertFactorRemovable(user);
  await db.password.deleteMany({ where: { id } });
  await deleteDevices(db, id);
  await endSessions(db, emit, 'password_reset', { user_id: id });
  if (remove_second_factor) await removeSecondFactor({ db, user_id: id, request });
  if (revoke_api_keys) await revokeKeys(db, emit, { user_id: id }, request);
  await queueMail(db, 'reset_password', id, user.email!);
  await recordAccountEvent(db, 'password_reset', id, request);
}
