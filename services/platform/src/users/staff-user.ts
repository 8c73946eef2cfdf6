/**
 * Users that hr needs for the people it employs. As with clients, the command behind a call may still fail: until its event says
 * that it did not, the user is `pending`, and is removed with the others that nobody has confirmed.
 */
import { type Caller, type Emit, Id, invalid } from '@suite/chassis';
import type { NewStaff } from '@suite/proto/hr/v1/parts';
import { UserCreated } from '@suite/proto/platform/v1/events';
import { assertSeats, type User, unlessTaken } from '../accounts/user.ts';
import { mayHireWith } from '../roles/hiring.rules.ts';
import { RoleExceedsCaller } from '../roles/role.rules.ts';
import { queueLetter } from '../mail/letter.ts';
import type { Db } from '../operations.ts';
import { confirmation, type EnsuredUser, lockAddress } from './client-user.ts';
import { eraseUser } from './erasure.ts';

/** The member of staff that another service asks for. */
export interface WantedStaff {
  idempotency_key: string;
  name: string;
  email: string;
  role_key: string;
}

const worksHere = (kind: string): boolean => kind === 'staff' || kind === 'owner';

/** A role that staff can have. @throws a 422 where there is none */
async function staffRole(db: Db, key: string) {
  const role = await db.role.findFirst({ where: { key } });
  if (!role || !worksHere(role.kind)) throw invalid('role_key', 'This role is not available for staff users.');
  return role;
}

/**
 * The member of staff with this address, or else a new one who is pending. Calls with the same address share the user.
 * @throws RoleExceedsCaller, PlanLimit; a 422 for an address of somebody who does not work here
 */
export async function ensureStaffUser(db: Db, caller: Caller, wanted: WantedStaff): Promise<EnsuredUser> {
  const { idempotency_key, name, email, role_key } = wanted;
  await lockAddress(db, email);
  const role = await staffRole(db, role_key);
  if (!mayHireWith(caller, role)) throw RoleExceedsCaller();
  const known = await db.user.findFirst({ where: { email } });
  if (known && !worksHere(known.kind)) throw invalid('email', 'This address belongs to a user who is not staff.');
  // The key names the user, so that a dry run answers what the call does.
  const id = Id.safeParse(idempotency_key).data;
  const pending = { ...(id && { id }), name, email, kind: role.kind, role_id: role.id, status: 'pending' };
  const user = known ?? (await unlessTaken(db.user.create({ data: pending })));
  if (user.status === 'pending') await assertSeats(db);
  await db.clientRequest.create({ data: { idempotency_key, user_id: user.id } });
  const created = user.status === 'pending';
  return { user: created ? { ...user, name, kind: role.kind, status: 'invited' } : user, created };
}

/**
 * Makes a pending user a real one, with the role of this call, and invites him. One who was removed meanwhile, since the news
 * came late, is made anew.
 */
export async function confirmStaffUser(
  db: Db,
  emit: Emit,
  { user_id: id, name, email, role_key }: NewStaff,
): Promise<void> {
  await lockAddress(db, email);
  const { id: role_id, kind } = await staffRole(db, role_key);
  const known = await db.user.findFirst({ where: { id } });
  if (known && known.status !== 'pending') return;
  if (!known) await unlessTaken(db.user.create({ data: { id, name, email, kind, role_id, status: 'pending' } }));
  await confirmation.move(db.user, id, 'invite', { name, kind, role_id });
  await queueLetter(db, 'invitation', id, email);
  emit(UserCreated, { user_id: id, name, email, kind, status: 'invited', phone: '' });
}

/** Erases a user who was made for somebody that was never employed, unless he has signed in. */
export async function removeUnusedStaff(db: Db, emit: Emit, id: string): Promise<void> {
  const user: User | null = await db.user.findFirst({ where: { id, status: 'invited' } });
  if (user) await eraseUser(db, emit, user);
}
