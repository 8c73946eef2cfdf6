/** Changes of a user's account, which other services hear of, and what stands against them. */
import {
  type Caller,
  change,
  type Emit,
  find,
  NotFound,
  PlanLimit,
  setLocally,
  Stale,
  violatedConstraint,
} from '@suite/chassis';
import { UserUpdated } from '@suite/proto/platform/v1/events';
import type { Db } from '../operations.ts';
import { avatarUrl } from '../pictures/picture.ts';
import { lockLimits } from '../plans/plan.ts';
import { assertMayGrant, EmailTaken, LastOwner } from './user.rules.ts';

export type User = NonNullable<Awaited<ReturnType<Db['user']['findFirst']>>>;

/** The workspace's user with this id. @throws NotFound, for deleted users too */
export async function findUser(db: Db, id: string): Promise<User> {
  const user = await find(db.user, id);
  if (user.status === 'deleted') throw NotFound();
  return user;
}

/** The user, if the caller may manage somebody with such rights. @throws NotFound, BeyondYourRights */
export async function findManageable(db: Db, id: string, caller: Caller): Promise<User> {
  const user = await findUser(db, id);
  assertMayGrant(caller, await find(db.role, user.role_id));
  return user;
}

/** Shows this transaction the users who are pending: row-level security hides them from every other one. */
export const showPending = () => setLocally({ pending_users: 'on' });

/**
 * Makes sure that the plan has room for everybody who has a seat now, and for those whom another service is making. Asked
 * after somebody was given one: whoever else gives one at the same time waits at the lock and then counts both.
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
 * Makes sure that an active owner is left without this user. Two owners who take each other's place at once wait for
 * each other at the lock.
 * @throws LastOwner
 */
export async function assertOwnerRemains(db: Db, user: User): Promise<void> {
  if (user.kind !== 'owner') return;
  await lockLimits(db);
  const others = await db.user.count({ where: { kind: 'owner', status: 'active', id: { not: user.id } } });
  if (others === 0) throw LastOwner();
}

/** Announces what other services may keep of a user. */
export function announce(emit: Emit, user: User): void {
  const { id, name, email, kind, status, phone, timezone, photo_thumbnail } = user;
  const avatar_url = avatarUrl(photo_thumbnail);
  const known = {
    name,
    email: email ?? '',
    kind,
    status,
    phone: phone ?? '',
    timezone: timezone ?? undefined,
    avatar_url,
    email_verified: user.email_verified_at !== null,
  };
  emit(UserUpdated, { user_id: id, ...known });
}

/**
 * Changes a user's record and announces it; nothing to change is nothing to announce.
 * @param expect the version that the caller has seen, if they said so
 * @throws Stale, EmailTaken
 */
export async function patchUser(
  db: Db,
  emit: Emit,
  user: User,
  patch: Parameters<typeof change<Db['user']>>[2],
  expect?: number,
): Promise<void> {
  if (expect !== undefined && expect !== user.version) throw Stale({ version: user.version });
  if (Object.keys(patch).length === 0) return;
  announce(emit, await unlessTaken(change(db.user, user.id, patch, expect)));
}

/** Turns the refusal of a second account with the same address in this workspace into words. */
export async function unlessTaken<T>(work: Promise<T>): Promise<T> {
  return await work.catch((error: unknown) => {
    throw violatedConstraint(error) === 'users_workspace_id_email_key' ? EmailTaken() : error;
  });
}
