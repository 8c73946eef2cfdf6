/** Views of user accounts. */
import { type Sql, sql } from '@suite/chassis/database';
import type { FileLinks } from '@suite/chassis/files';
import type { Caller } from '@suite/chassis/identity';
import type { Db } from '../../operations.ts';
import { includesRights, rightsOf } from '../roles/role.rules.ts';
import { SEEDED_ROLES } from '../roles/seeded-roles.ts';
import { users } from './user.rules.ts';
import { findUser } from './user.ts';

/** Time of the last sign-in, for statements on `users`. */
export const LAST_LOGIN = sql`(SELECT max(created_at) FROM user_log
  WHERE user_log.workspace_id = users.workspace_id AND user_id = users.id AND event = 'login')`;

/** Team of a user, for statements on `users`. */
export const TEAM = sql`(SELECT team_id FROM team_members
  WHERE team_members.workspace_id = users.workspace_id AND team_members.user_id = users.id)`;

/** Condition for users who are not deleted. */
export const NOT_DELETED = sql`users.status <> 'deleted'`;

function photoLink(key: string | null, links: FileLinks): string | null {
  return key && links.url('/api/user-photo', { key, name: 'photo.webp', mime: 'image/webp' });
}

/** Replaces the keys of stored photos by links that expire after one to three hours. */
export function withPhotoLinks<Row extends { photo_url?: string | null; photo_thumbnail_url: string | null }>(
  row: Row,
  links: FileLinks,
): Row {
  const { photo_url = null, photo_thumbnail_url } = row;
  return { ...row, photo_url: photoLink(photo_url, links), photo_thumbnail_url: photoLink(photo_thumbnail_url, links) };
}

/** Returns the allowed actions of users as SQL. A user whose role exceeds the caller's permissions has none. */
export async function actionsOnUsers(db: Db, caller: Caller): Promise<Sql> {
  // No role exceeds an owner's permissions, so that the roles need not be read.
  if (includesRights(caller, SEEDED_ROLES.owner)) return users.shownTo(caller, 'users');
  const roles = await db.role.findMany();
  const manageable = roles.filter((role) => includesRights(caller, rightsOf(role))).map(({ id }) => id);
  return sql`CASE WHEN users.role_id = ANY (${manageable}::uuid[]) THEN ${users.shownTo(caller, 'users')} ELSE '{}'::text[] END`;
}

/** Returns a user as in the responses of operations. */
export async function readUser(db: Db, id: string, links: FileLinks, caller: Caller) {
  const user = await findUser(db, id);
  const actions = await actionsOnUsers(db, caller);
  const [details] = await db.rows<{
    last_login_at: string | null;
    team_id: string | null;
    allowed_actions: string[];
  }>(sql`
    SELECT ${LAST_LOGIN} AS last_login_at, ${TEAM} AS team_id, (${actions}) AS allowed_actions FROM users WHERE id = ${id}::uuid`);
  const { photo: photo_url, photo_thumbnail: photo_thumbnail_url, ...row } = user;
  const keys = { ...row, photo_url, photo_thumbnail_url, email: row.email!, kind: row.kind as Caller['kind'] };
  const status = row.status as 'invited' | 'active' | 'disabled';
  return {
    ...withPhotoLinks(keys, links),
    status,
    team_id: details?.team_id ?? null,
    last_login_at: details?.last_login_at ?? null,
    allowed_actions: details?.allowed_actions ?? [],
  };
}
