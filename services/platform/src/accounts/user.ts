/** What may happen to a user account, and who may make it happen. */
import {
  type Caller,
  change,
  type Emit,
  type FileLinks,
  fault,
  find,
  lifecycle,
  NotFound,
  raw,
  Stale,
  sql,
  violatedConstraint,
} from '@suite/chassis';
import { UserUpdated } from '@suite/proto/platform/v1/events';
import type { Db } from '../operations.ts';
import { BeyondYourRights, covers, rightsOf } from '../roles/role.rules.ts';
import { lockPlan } from '../workspaces/workspace.ts';

export const LastOwner = fault(409, 'last_owner', 'A workspace needs an owner. Make somebody else an owner first.');
export const PlanLimit = fault(409, 'plan_limit', 'Your plan has no room for another user.');
export const EmailTaken = fault(
  409,
  'email_taken',
  'This e-mail address belongs to another account of this workspace.',
);

/** Verifying an active user again changes nothing; nobody comes back from being deleted. */
export const users = lifecycle('user', {
  invited: { verify: 'active', delete: 'deleted' },
  active: { disable: 'disabled', delete: 'deleted' },
  disabled: { enable: 'active', delete: 'deleted' },
  deleted: {},
});

export type User = NonNullable<Awaited<ReturnType<Db['user']['findFirst']>>>;

/** The permission that each action on an account takes. */
const PERMISSION = {
  verify: 'user.verify',
  disable: 'user.update',
  enable: 'user.update',
  delete: 'user.delete',
  reset_password: 'user.reset_password',
} as const;

/** The moment of the last sign-in, for statements on `users`. */
export const LAST_LOGIN = sql`(SELECT max(created_at) FROM user_log
  WHERE user_log.workspace_id = users.workspace_id AND user_id = users.id AND event = 'login')`;

/** The team that a user is in, for statements on `users`. */
export const TEAM = sql`(SELECT team_id FROM team_members
  WHERE team_members.workspace_id = users.workspace_id AND team_members.user_id = users.id)`;

/** People who are still here. */
export const PRESENT = raw(`users.status <> 'deleted'`);

/** The workspace's user with this id. @throws NotFound, for deleted users too */
export async function findUser(db: Db, id: string): Promise<User> {
  const user = await find(db.user, id);
  if (user.status === 'deleted') throw NotFound();
  return user;
}

const PHOTO_LINK_S = 3_600;

function photoLink(key: string | null, links: FileLinks): string | null {
  return key && `/api/user-photo/${links.sign({ key, name: 'photo.webp', mime: 'image/webp' }, PHOTO_LINK_S)}`;
}

/** Turns the keys of stored photos into links that open them for an hour. */
export function withPhotoLinks<Row extends { photo_url?: string | null; photo_thumbnail_url: string | null }>(
  row: Row,
  links: FileLinks,
): Row {
  const { photo_url = null, photo_thumbnail_url } = row;
  return { ...row, photo_url: photoLink(photo_url, links), photo_thumbnail_url: photoLink(photo_thumbnail_url, links) };
}

/** What this caller may do now with an account in this state. */
export const allowedActions = (status: string, caller: Caller): string[] =>
  [
    ...users.allowed(status),
    ...(status === 'invited' || status === 'active' ? (['reset_password'] as const) : []),
  ].filter((action) => caller.permissions.includes(PERMISSION[action]));

/** A user as an operation answers with it. */
export async function shown(db: Db, id: string, links: FileLinks, caller: Caller) {
  const user = await findUser(db, id);
  const [last] = await db.rows<{ last_login_at: string | null; team_id: string | null }>(
    sql`SELECT ${LAST_LOGIN} AS last_login_at, ${TEAM} AS team_id FROM users WHERE id = ${id}::uuid`,
  );
  const { photo: photo_url, photo_thumbnail: photo_thumbnail_url, ...row } = user;
  const keys = { ...row, photo_url, photo_thumbnail_url, email: row.email!, kind: row.kind as Caller['kind'] };
  const status = row.status as 'invited' | 'active' | 'disabled';
  return {
    ...withPhotoLinks(keys, links),
    status,
    team_id: last?.team_id ?? null,
    last_login_at: last?.last_login_at ?? null,
    allowed_actions: allowedActions(status, caller),
  };
}

/** @throws BeyondYourRights when the role allows anything that the caller may not do */
export function assertMayGrant(caller: Caller, role: Parameters<typeof rightsOf>[0]): void {
  if (!covers(caller, rightsOf(role))) throw BeyondYourRights();
}

/** The user, if the caller may manage somebody with such rights. @throws NotFound, BeyondYourRights */
export async function findManageable(db: Db, id: string, caller: Caller): Promise<User> {
  const user = await findUser(db, id);
  assertMayGrant(caller, await find(db.role, user.role_id));
  return user;
}

/** Owners and staff take a seat of the plan; people outside the workspace take none. */
export const takesSeat = (kind: string): boolean => kind === 'owner' || kind === 'staff';

/**
 * Makes sure that the plan has room for everybody who has a seat now. Asked after somebody was given one: whoever else
 * gives one at the same time waits at the lock and then counts both.
 * @throws PlanLimit
 */
export async function assertSeats(db: Db): Promise<void> {
  const { user_limit } = await lockPlan(db);
  if (user_limit === null) return;
  const taken = await db.user.count({
    where: { kind: { in: ['owner', 'staff'] }, status: { in: ['invited', 'active'] } },
  });
  if (taken > user_limit) throw PlanLimit({ user_limit });
}

/**
 * Makes sure that an active owner is left without this user. Two owners who take each other's place at once wait for
 * each other at the lock.
 * @throws LastOwner
 */
export async function assertOwnerRemains(db: Db, user: User): Promise<void> {
  if (user.kind !== 'owner') return;
  await lockPlan(db);
  const others = await db.user.count({ where: { kind: 'owner', status: 'active', id: { not: user.id } } });
  if (others === 0) throw LastOwner();
}

/** Says what other services may keep of a user. */
function announce(emit: Emit, { id, name, email, kind, status, phone }: User): void {
  emit(UserUpdated, { user_id: id, name, email: email ?? '', kind, status, phone: phone ?? '' });
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
