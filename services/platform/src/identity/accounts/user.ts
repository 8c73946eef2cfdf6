/** Changes of a user's account that are published as events, and the checks that prevent them. */
import { change, find, setLocally, violatedConstraint } from '@suite/chassis/database';
import { NotFound, PlanLimit, Stale } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { Emit } from '@suite/chassis/operations';
import { UserUpdated } from '@suite/proto/platform/v1/events';
import type { Db } from '../../operations.ts';
import { avatarUrl } from './picture.ts';
import { lockLimits } from '../../entitlements/plans/plan.ts';
import { assertCanGrant, EmailTaken, LastOwner } from './user.rules.ts';

export type StoredUser = NonNullable<Awaited<ReturnType<Db['user']['findFirst']>>>;

/** Returns a user of the workspace by ID. @throws NotFound, including for deleted users */
export async function findUser(db: Db, id: string): Promise<StoredUser> {
  const user = await find(db.user, id);
  if (user.status === 'deleted') throw NotFound();
  return user;
}

/** Returns the user, if the caller may manage a user with such permissions. @throws NotFound, RoleExceedsCaller */
export async function findManageable(db: Db, id: string, caller: Caller): Promise<StoredUser> {
  const user = await findUser(db, id);
  assertCanGrant(caller, await find(db.role, user.role_id));
  return user;
}

/** Makes pending users visible to this transaction. Row-level security hides them from all others. */
export const showPending = () => setLocally({ pending_users: 'on' });

/**
 * Asserts that the plan has room for all users with a seat, including users that another service is creating. Called
 * after a seat was assigned. Concurrent assignments wait at the lock and then count both seats.
 * @throws PlanLimit
 */
export async function assertSeats(db: Db): Promise<void> {
  const { users: allowed } = await lockLimits(db);
  if (allowed === null) return;
  await showPending();
  const taken = await db.user.count({
    where: { kind: { in: ['owner', 'staff'] }, status: { in: ['invited', 'active', 'pending'] } },
  });
  if (taken > allowed) throw PlanLimit({ limit: 'users', allowed, used: taken - 1 });
}

/**
 * Asserts that an active owner remains without this user. Two owners who replace each other concurrently wait for each
 * other at the lock.
 * @throws LastOwner
 */
export async function assertOwnerRemains(db: Db, user: StoredUser): Promise<void> {
  if (user.kind !== 'owner') return;
  await lockLimits(db);
  const others = await db.user.count({ where: { kind: 'owner', status: 'active', id: { not: user.id } } });
  if (others === 0) throw LastOwner();
}

/** Emits the user data that other services can store. */
export function emitUserUpdated(emit: Emit, user: StoredUser): void {
  const { id, name, email, kind, status, phone, timezone, photo_thumbnail } = user;
  const avatar_url = avatarUrl(photo_thumbnail);
  const published = {
    name,
    email: email ?? '',
    kind,
    status,
    phone: phone ?? '',
    timezone: timezone ?? undefined,
    avatar_url,
    email_verified: user.email_verified_at !== null,
  };
  emit(UserUpdated, { user_id: id, ...published });
}

/**
 * Updates a user and emits the change. Without a change, emits nothing.
 * @param expect version that the caller has seen, if specified
 * @throws Stale, EmailTaken
 */
export async function patchUser(
  db: Db,
  emit: Emit,
  user: StoredUser,
  patch: Parameters<typeof change<Db['user']>>[2],
  expect?: number,
): Promise<void> {
  if (expect !== undefined && expect !== user.version) throw Stale({ version: user.version });
  if (Object.keys(patch).length === 0) return;
  emitUserUpdated(emit, await withEmailFault(change(db.user, user.id, patch, expect)));
}

/** Converts the unique violation of an address in the workspace to a fault. */
export async function withEmailFault<T>(work: Promise<T>): Promise<T> {
  return await work.catch((error: unknown) => {
    throw violatedConstraint(error) === 'users_workspace_id_email_key' ? EmailTaken() : error;
  });
}
