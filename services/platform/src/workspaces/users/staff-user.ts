/**
 * Users that hr needs for employees. As with clients, the command behind a call may still fail: until its event
 * confirms success, the user is `pending`. Unconfirmed users are removed with the other pending users.
 */
import { invalid } from '@suite/chassis/faults';
import { Id } from '@suite/chassis/fields';
import type { Caller } from '@suite/chassis/identity';
import type { Emit } from '@suite/chassis/operations';
import type { NewStaff } from '@suite/proto/hr/v1/parts';
import { UserCreated } from '@suite/proto/platform/v1/events';
import { assertSeats, type StoredUser, withEmailFault } from '../../identity/accounts/user.ts';
import { canHireWith } from '../../identity/roles/hiring.rules.ts';
import { RoleExceedsCaller } from '../../identity/roles/role.rules.ts';
import { queueMail } from '../../identity/mail/mail-templates.ts';
import type { Db } from '../../operations.ts';
import { confirmation, type EnsuredUser, lockAddress } from './client-user.ts';
import { eraseUser } from './erasure.ts';

/** Staff user requested by another service. */
export interface StaffUserRequest {
  idempotency_key: string;
  name: string;
  email: string;
  role_key: string;
}

const isStaffKind = (kind: string): boolean => kind === 'staff' || kind === 'owner';

/** Returns a role for staff. @throws a 422 fault if none exists */
async function findStaffRole(db: Db, key: string) {
  const role = await db.role.findFirst({ where: { key } });
  if (!role || !isStaffKind(role.kind))
    throw invalid('role_key', 'This role is not available for staff users. Select another role.');
  return role;
}

/**
 * Returns the staff user with this address, or creates a pending one. Calls with the same address share the user.
 * @throws RoleExceedsCaller, PlanLimit; a 422 for an address of a user who is not staff
 */
export async function ensureStaffUser(db: Db, caller: Caller, request: StaffUserRequest): Promise<EnsuredUser> {
  const { idempotency_key, name, email, role_key } = request;
  await lockAddress(db, email);
  const role = await findStaffRole(db, role_key);
  if (!canHireWith(caller, role)) throw RoleExceedsCaller();
  const existing = await db.user.findFirst({ where: { email } });
  if (existing && !isStaffKind(existing.kind))
    throw invalid('email', 'This address belongs to a user who is not staff. Use another address.');
  // The key determines the user ID, so that a dry run returns the same ID as the command.
  const id = Id.safeParse(idempotency_key).data;
  const pending = { ...(id && { id }), name, email, kind: role.kind, role_id: role.id, status: 'pending' };
  const user = existing ?? (await withEmailFault(db.user.create({ data: pending })));
  if (user.status === 'pending') await assertSeats(db);
  await db.clientRequest.create({ data: { idempotency_key, user_id: user.id } });
  const created = user.status === 'pending';
  return { user: created ? { ...user, name, kind: role.kind, status: 'invited' } : user, created };
}

/**
 * Confirms a pending user with the role of this call, and invites them. Creates the user again if they were removed
 * before a late event.
 */
export async function confirmStaffUser(
  db: Db,
  emit: Emit,
  { user_id: id, name, email, role_key }: NewStaff,
): Promise<void> {
  await lockAddress(db, email);
  const { id: role_id, kind } = await findStaffRole(db, role_key);
  const existing = await db.user.findFirst({ where: { id } });
  if (existing && existing.status !== 'pending') return;
  if (!existing) await withEmailFault(db.user.create({ data: { id, name, email, kind, role_id, status: 'pending' } }));
  await confirmation.move(db.user, id, 'invite', { name, kind, role_id });
  await queueMail(db, 'invitation', id, email);
  emit(UserCreated, { user_id: id, name, email, kind, status: 'invited', phone: '' });
}

/** Erases a user created for a person who was never employed, unless they have signed in. */
export async function removeUnusedStaff(db: Db, emit: Emit, id: string): Promise<void> {
  const user: StoredUser | null = await db.user.findFirst({ where: { id, status: 'invited' } });
  if (user) await eraseUser(db, emit, user);
}
