/**
 * Copies of platform's users. Platform alone says who exists, so users that a body names are looked up there. The copies
 * kept here are for showing names, and so that foreign keys hold.
 */
import { type Caller, type Clients, invalid, type Sql, sql } from '@suite/chassis';
import type { PlatformServiceDefinition, User as Person } from '@suite/proto/platform/v1/platform';
import type { Copies } from './copy.ts';

export type { Person };

/** The clients of a service that calls platform. */
type Rpc = Clients<{ platform: typeof PlatformServiceDefinition }>;

/** Fields of a body that name users, as it gave them. */
type Named = Record<string, string | readonly string[] | null | undefined>;

const idsOf = (named: Named[string]): readonly string[] => (typeof named === 'string' ? [named] : (named ?? []));

/**
 * Asks platform for the users that a body names.
 * @throws a 422 that names the field, when somebody is unknown in this workspace, or is not `wanted`
 */
async function askFor(rpc: Rpc, named: Named, wanted: (person: Person) => boolean, message: string): Promise<Person[]> {
  const user_ids = [...new Set(Object.values(named).flatMap(idsOf))];
  if (user_ids.length === 0) return [];
  const { users } = await rpc.platform.batchGetUsers({ user_ids });
  const suitable = new Set(users.filter(wanted).map(({ user_id }) => user_id));
  for (const [field, value] of Object.entries(named)) {
    if (!idsOf(value).every((id) => suitable.has(id))) throw invalid(field, message);
  }
  return users;
}

/** Asks platform for the colleagues that a body names: an owner, an assignee. @throws a 422 that names the field */
export const askForStaff = (rpc: Rpc, named: Named): Promise<Person[]> =>
  askFor(rpc, named, ({ kind }) => kind === 'staff' || kind === 'owner', 'User not found.');

/** Asks platform for the clients that a body names. @throws a 422 that names the field */
export const askForClients = (rpc: Rpc, named: Named): Promise<Person[]> =>
  askFor(rpc, named, ({ kind }) => kind === 'client', 'Client not found.');

/** The caller, as far as the call describes them. */
export const personOf = ({ user_id, user_name, kind }: Caller): Person => ({
  user_id,
  name: user_name,
  kind,
  email: '',
  phone: '',
  status: 'active',
});

/**
 * Makes sure that there is a copy of these users. Copies that exist are left to platform's events. The conflict names no
 * columns: of two unique indexes over the id, PostgreSQL would refuse by the other one what two insert at the same moment.
 */
export async function upsertUserCopies(db: Copies, people: readonly Person[]): Promise<void> {
  if (people.length === 0) return;
  await db.rows(sql`
    INSERT INTO users (id, name, email, phone, kind, status)
    SELECT user_id, name, nullif(email, ''), nullif(phone, ''), kind, status
    FROM jsonb_to_recordset(${JSON.stringify(people)}::jsonb)
      AS person (user_id uuid, name text, email text, phone text, kind text, status text)
    ON CONFLICT DO NOTHING`);
}

/** The labels of users, for expansions. */
export const userLabels =
  (db: Copies) =>
  (ids: string[]): Promise<object[]> =>
    db.rows(sql`SELECT id, name, kind FROM users WHERE id = ANY(${ids}::uuid[])`);

/** The labels of users with their pictures, where copies have them. */
export const userPortraits =
  (db: Copies) =>
  (ids: string[]): Promise<object[]> =>
    db.rows(sql`SELECT id, name, kind, avatar_url FROM users WHERE id = ANY(${ids}::uuid[])`);

/** A user as a JSON object inside another row, or null. */
export const userLabelOf = (id: Sql): Sql =>
  sql`(SELECT json_build_object('id', users.id, 'name', users.name, 'kind', users.kind) FROM users WHERE users.id = ${id})`;

/** The users that can be chosen: staff who may sign in. */
export const colleagues = sql`users.kind IN ('owner', 'staff') AND users.status IN ('active', 'invited')`;
