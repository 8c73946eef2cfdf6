/**
 * Users that other services need for the clients they deal with. A service asks before its own transaction, which may
 * still fail: until its event says that it did not, the user is `pending`. Row-level security hides such users from every
 * statement but those of this file and the count of seats, so they cannot sign in, are invited by nobody and are in no list.
 */
import {
  clock,
  deleteKeys,
  eachDue,
  type Emit,
  every,
  fault,
  findEverywhere,
  invalid,
  lifecycle,
  notPostponed,
  scheduled,
  type Sql,
  sql,
  type Tools,
} from '@suite/chassis';
import type { NewClient } from '@suite/proto/crm/v1/parts';
import { UserCreated } from '@suite/proto/platform/v1/events';
import { PlatformServiceDefinition } from '@suite/proto/platform/v1/platform';
import { redactAudit } from '../identity/across-workspaces.ts';
import { hashPassword, knownOrigin } from '../passwords/password.ts';
import { queueLetter } from '../mail/letter.ts';
import type { Db } from '../operations.ts';
import { FORMER } from './erasure.ts';
import { showPending, type User, unlessTaken } from '../accounts/user.ts';

/** The client user that another service asks for. */
export interface WantedClient {
  idempotency_key: string;
  name: string;
  email: string;
  phone: string;
  /** A password chosen for them, which works once they have accepted the invitation; empty for one that they choose then. */
  password: string;
}

/** The result of a call: the user, and whether a confirmation is awaited. */
export interface EnsuredUser {
  user: User;
  created: boolean;
}

export const ClientHasAccount = fault(
  422,
  'client_has_account',
  'This client already has an account. Leave out the password.',
);

/** The consumers that hear that the command has succeeded. */
const CONFIRMING = [
  'platform.confirm-new-client',
  'platform.confirm-invited-client',
  'platform.confirm-new-staff',
  'platform.confirm-staff-of-employee',
];

/** The lifecycle of a pending user: invited once the command that needs them has succeeded. */
export const confirmation = lifecycle(
  'pending_client',
  {
    pending: { invite: 'invited' },
    invited: {},
  },
  { actions: { invite: { by: CONFIRMING } } },
);

/** Serializes all that happens to one address, and shows this transaction the users that are pending. */
export async function lockAddress(db: Db, email: string): Promise<void> {
  await db.rows(sql`
    SELECT pg_advisory_xact_lock(hashtextextended(current_setting('suite.workspace_id') || ${`ensured address ${email}`}, 0))`);
  await showPending();
}

/** The user as confirmed by this call, also when another call asked for the address before. */
const asWanted = (user: User, { name, phone }: Pick<WantedClient, 'name' | 'phone'>): User =>
  user.status === 'pending' ? { ...user, name, phone, status: 'invited' } : user;

/** The hash of the password that was chosen for a client, if one was; it takes its time, before the transaction. */
export const hashOfPassword = async (
  { password }: WantedClient,
  workspace_id: string | undefined,
): Promise<string | null> => (password ? await hashPassword(password, knownOrigin(`workspace ${workspace_id}`)) : null);

/**
 * The client user with this address, or else a new one who is pending. Calls with the same address share the user.
 * @throws EmailTaken when the address belongs to a user of another workspace; a 422 for one who is no client;
 * ClientHasAccount for the password of a client who has an account
 */
export async function ensureClientUser(
  db: Db,
  wanted: WantedClient,
  password_hash: string | null,
): Promise<EnsuredUser> {
  const { idempotency_key, email } = wanted;
  await lockAddress(db, email);
  const known = await db.user.findFirst({ where: { email } });
  if (known && known.kind !== 'client') {
    throw invalid('email', 'This address belongs to a user who is not a client.');
  }
  if (known && known.status !== 'pending' && password_hash !== null) throw ClientHasAccount();
  const user = known ?? (await createPending(db, wanted));
  await db.clientRequest.create({ data: { idempotency_key, user_id: user.id, password_hash } });
  return { user: asWanted(user, wanted), created: user.status === 'pending' };
}

async function createPending(
  db: Db,
  { name, email, phone }: Pick<WantedClient, 'name' | 'email' | 'phone'>,
  id?: string,
) {
  const { id: role_id, kind } = await db.role.findFirstOrThrow({ where: { key: 'client' } });
  const client = { name, email, phone: phone || null, kind, role_id, status: 'pending' };
  return await unlessTaken(db.user.create({ data: { ...(id && { id }), ...client } }));
}

/**
 * Makes a pending user a real one, as the call with this key asked for them: the command that needed them has succeeded.
 * One that was removed meanwhile, since the news came late, is made anew.
 * @throws EmailTaken when the address has gone to somebody else since they were removed
 */
export async function confirmClientUser(db: Db, emit: Emit, client: NewClient): Promise<void> {
  const { idempotency_key, user_id: id, name, email, phone } = client;
  await lockAddress(db, email);
  const known = await db.user.findFirst({ where: { id } });
  if (known && known.status !== 'pending') return;
  if (!known) await createPending(db, client, id);
  const asked = await db.clientRequest.findFirst({ where: { idempotency_key } });
  const hash = asked?.password_hash;
  await confirmation.move(db.user, id, 'invite', { name, phone: phone || null });
  // The invitation proves that the address is the client's.
  if (hash) await db.password.create({ data: { id, hash } });
  await queueLetter(db, 'invitation', id, email);
  const { kind, status } = await db.user.findFirstOrThrow({ where: { id } });
  emit(UserCreated, { user_id: id, name, email, kind, status, phone });
}

const SCHEDULE = 'platform.remove-unconfirmed-clients';
const INTERVAL_MS = 300_000;
/** A command takes seconds. Its event comes as late as NATS does, and then makes the user anew. */
const FORGOTTEN_MS = 3_600_000;
/** Nobody repeats a call after this; with it goes the hash of a password. */
const REPEATED_MS = 24 * 3_600_000;

/** Removes calls together with their keys: the same call would be a new one. */
async function removeRequests(db: Db, which: Sql): Promise<void> {
  const removed = await db.rows<{ idempotency_key: string }>(sql`
    DELETE FROM client_requests WHERE ${which} RETURNING idempotency_key`);
  const keys = removed.map(({ idempotency_key }) => idempotency_key);
  await deleteKeys(PlatformServiceDefinition.methods.ensureClientUser, 'key', keys);
  await deleteKeys(PlatformServiceDefinition.methods.ensureStaffUser, 'key', keys);
}

/** Removes a user whom no command has confirmed, unless one asks for them at this moment. */
async function removeUnconfirmed(db: Db, id: string, before: Date): Promise<void> {
  const [user] = await db.rows(sql`SELECT id FROM users WHERE id = ${id}::uuid AND status = 'pending' FOR UPDATE`);
  if (!user || (await db.clientRequest.count({ where: { user_id: id, created_at: { gt: before } } })) > 0) return;
  await removeRequests(db, sql`user_id = ${id}::uuid`);
  // Their audit record stays, without what is personal.
  await db.user.updateMany({ where: { id }, data: { ...FORMER, status: 'deleted' } });
  await redactAudit(db, id);
  await db.user.deleteMany({ where: { id } });
}

/** Removes, in every workspace, the users whom no command has confirmed in time, and what is known of old calls. */
export async function removeUnconfirmedClients(tools: Pick<Tools<Db>, 'database' | 'log'>): Promise<void> {
  const { database } = tools;
  const [forgotten, repeated] = [FORGOTTEN_MS, REPEATED_MS].map((ms) => new Date(clock.now().getTime() - ms)) as [
    Date,
    Date,
  ];
  const due = await findEverywhere<{ workspace_id: string; pending: string[] }>(
    database,
    SCHEDULE,
    sql`SELECT workspace_id, coalesce(array_agg(DISTINCT users.id) FILTER (WHERE users.status = 'pending'), '{}') AS pending
      FROM client_requests AS asked JOIN users USING (workspace_id)
      WHERE asked.user_id = users.id AND (asked.created_at < ${repeated}
        OR (users.status = 'pending' AND asked.created_at < ${forgotten}))
        AND ${notPostponed(SCHEDULE, sql`workspace_id`)} GROUP BY workspace_id`,
  );
  await eachDue(tools, SCHEDULE, due, ({ workspace_id, pending }) =>
    database.write(scheduled(SCHEDULE, workspace_id), async (db) => {
      await showPending();
      for (const id of pending) await removeUnconfirmed(db, id, forgotten);
      await removeRequests(
        db,
        sql`created_at < ${repeated} AND user_id NOT IN (SELECT id FROM users WHERE status = 'pending')`,
      );
    }),
  );
}

export const removeForgottenClients = every(SCHEDULE, INTERVAL_MS, removeUnconfirmedClients);
