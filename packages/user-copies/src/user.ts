/**
 * Copies of platform's users. Only platform knows which users exist, so users in a body are looked up there. The local
 * copies serve to show names and to satisfy foreign keys.
 */
import { type WorkspaceDatabase, type Sql, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { Clients } from '@suite/chassis/rpc';
import type { PlatformServiceDefinition, User as PlatformUser } from '@suite/proto/platform/v1/platform';

export type { PlatformUser };

/** The database of a service that has the table `users` (see the schema of crm). */
export type UserCopies = WorkspaceDatabase<object>;

/** The clients of a service that calls platform. */
type Rpc = Clients<{ platform: typeof PlatformServiceDefinition }>;

/** Fields of a request body that name users. */
type UserFields = Record<string, string | readonly string[] | null | undefined>;

const idsOf = (named: UserFields[string]): readonly string[] => (typeof named === 'string' ? [named] : (named ?? []));

/**
 * Requests the users in a body from platform.
 * @throws a 422 that names the field, if a user is unknown in this workspace, or is not `wanted`
 */
async function fetchUsers(
  rpc: Rpc,
  named: UserFields,
  wanted: (person: PlatformUser) => boolean,
  message: string,
): Promise<PlatformUser[]> {
  const user_ids = [...new Set(Object.values(named).flatMap(idsOf))];
  if (user_ids.length === 0) return [];
  const { users } = await rpc.platform.batchGetUsers({ user_ids });
  const suitable = new Set(users.filter(wanted).map(({ user_id }) => user_id));
  for (const [field, value] of Object.entries(named)) {
    if (!idsOf(value).every((id) => suitable.has(id))) throw invalid(field, message);
  }
  return users;
}

/**
 * Fetches from platform the staff that a request body names, such as an owner or assignee. @throws a 422 that names the
 * field
 */
export const fetchStaff = (rpc: Rpc, named: UserFields): Promise<PlatformUser[]> =>
  fetchUsers(rpc, named, ({ kind }) => kind === 'staff' || kind === 'owner', 'User not found.');

/** Fetches from platform the clients that a request body names. @throws a 422 that names the field */
export const fetchClients = (rpc: Rpc, named: UserFields): Promise<PlatformUser[]> =>
  fetchUsers(rpc, named, ({ kind }) => kind === 'client', 'Client not found.');

/** Returns the caller with the profile fields of the call. */
export const userOf = ({ user_id, user_name, kind }: Caller): PlatformUser => ({
  user_id,
  name: user_name,
  kind,
  email: '',
  phone: '',
  status: 'active',
});

/**
 * Inserts missing copies of these users. Existing copies are updated by platform's events only. `ON CONFLICT` names no
 * columns because two unique indexes cover the ID. Concurrent inserts could otherwise violate the other index.
 */
export async function upsertUserCopies(db: UserCopies, people: readonly PlatformUser[]): Promise<void> {
  if (people.length === 0) return;
  await db.rows(sql`
    INSERT INTO users (id, name, email, phone, kind, status)
    SELECT user_id, name, nullif(email, ''), nullif(phone, ''), kind, status
    FROM jsonb_to_recordset(${JSON.stringify(people)}::jsonb)
      AS person (user_id uuid, name text, email text, phone text, kind text, status text)
    ON CONFLICT DO NOTHING`);
}

/** Returns the labels of users, for expansions. */
export const userLabels =
  (db: UserCopies) =>
  (ids: string[]): Promise<object[]> =>
    db.rows(sql`SELECT id, name, kind FROM users WHERE id = ANY(${ids}::uuid[])`);

/** Returns the labels of users with their photos, for services whose copies have photos. */
export const userPortraits =
  (db: UserCopies) =>
  (ids: string[]): Promise<object[]> =>
    db.rows(sql`SELECT id, name, kind, avatar_url FROM users WHERE id = ANY(${ids}::uuid[])`);

/** Returns SQL for a user as a JSON object inside another row, or null. */
export const userLabelOf = (id: Sql): Sql =>
  sql`(SELECT json_build_object('id', users.id, 'name', users.name, 'kind', users.kind) FROM users WHERE users.id = ${id})`;

/** The condition for selectable users: active or invited staff. */
export const selectableUsers = sql`users.kind IN ('owner', 'staff') AND users.status IN ('active', 'invited')`;
