/**
 * Users that other services need for their clients. A service calls before its own transaction, which may still fail:
 * until its event confirms success, the user is `pending`. Row-level security hides such users from all statements
 * except the ones in this file and the count of seats. They therefore cannot sign in, are not invited and appear in no
 * list.
 */
import { type Sql, sql } from '@suite/chassis/database';
import { fault, invalid } from '@suite/chassis/faults';
import { type Emit, lifecycle } from '@suite/chassis/operations';
import { deleteKeys } from '@suite/chassis/rpc';
import { clock } from '@suite/chassis/runtime';
import {
  runDueWork,
  declareSchedule,
  findEverywhere,
  isNotPostponed,
  jobTransaction,
  type JobContext,
} from '@suite/chassis/service';
import type { NewClient } from '@suite/proto/crm/v1/parts';
import { UserCreated } from '@suite/proto/platform/v1/events';
import { PlatformServiceDefinition } from '@suite/proto/platform/v1/platform';
import { redactAudit } from '../../identity/workspaces-of-users/across-workspaces.ts';
import { hashPassword, knownOrigin } from '../../identity/passwords/password.ts';
import { queueMail } from '../../identity/mail/mail-templates.ts';
import type { Db } from '../../operations.ts';
import { ERASED_COLUMNS } from './erasure.ts';
import { showPending, type StoredUser, withEmailFault } from '../../identity/accounts/user.ts';

/** Client user requested by another service. */
export interface ClientUserRequest {
  idempotency_key: string;
  name: string;
  email: string;
  phone: string;
  /**
   * Password chosen for the client. Replaced by the one that the client chooses when they accept the invitation. Empty
   * for none.
   */
  password: string;
}

/** Result of a request: the user, and whether a confirmation is pending. */
export interface EnsuredUser {
  user: StoredUser;
  created: boolean;
}

export const ClientHasAccount = fault(
  422,
  'client_has_account',
  'This client already has an account. Omit the password.',
);

/** Consumers of the events that confirm the command. */
const CONFIRMING_CONSUMERS = [
  'platform.confirm-new-client',
  'platform.confirm-invited-client',
  'platform.confirm-new-staff',
  'platform.confirm-staff-of-employee',
];

/** Lifecycle of a pending user: invited after the command that needs them has succeeded. */
export const confirmation = lifecycle(
  'pending_client',
  {
    pending: { invite: 'invited' },
    invited: {},
  },
  { actions: { invite: { by: CONFIRMING_CONSUMERS } } },
);

/** Serializes all commands on one address, and makes pending users visible to this transaction. */
export async function lockAddress(db: Db, email: string): Promise<void> {
  await db.rows(sql`
    SELECT pg_advisory_xact_lock(hashtextextended(current_setting('suite.workspace_id') || ${`ensured address ${email}`}, 0))`);
  await showPending();
}

/** Returns the user as confirmed by this call, even if another call requested the address before. */
const withRequestedDetails = (
  user: StoredUser,
  { name, phone }: Pick<ClientUserRequest, 'name' | 'phone'>,
): StoredUser => (user.status === 'pending' ? { ...user, name, phone, status: 'invited' } : user);

/** Returns the hash of the password chosen for a client, if any. Slow, and therefore called before the transaction. */
export const hashOfPassword = async (
  { password }: ClientUserRequest,
  workspace_id: string | undefined,
): Promise<string | null> => (password ? await hashPassword(password, knownOrigin(`workspace ${workspace_id}`)) : null);

/**
 * Returns the client user with an address, or creates a pending one. Requests with the same address share the user.
 * @throws EmailTaken if the address belongs to a user of another workspace; a 422 fault if the user is not a client;
 * ClientHasAccount for a password of a client with an account
 */
export async function ensureClientUser(
  db: Db,
  request: ClientUserRequest,
  password_hash: string | null,
): Promise<EnsuredUser> {
  const { idempotency_key, email } = request;
  await lockAddress(db, email);
  const existing = await db.user.findFirst({ where: { email } });
  if (existing && existing.kind !== 'client') {
    throw invalid('email', 'This address belongs to a user who is not a client. Use another address.');
  }
  if (existing && existing.status !== 'pending' && password_hash !== null) throw ClientHasAccount();
  const user = existing ?? (await createPending(db, request));
  await db.clientRequest.create({ data: { idempotency_key, user_id: user.id, password_hash } });
  return { user: withRequestedDetails(user, request), created: user.status === 'pending' };
}

async function createPending(
  db: Db,
  { name, email, phone }: Pick<ClientUserRequest, 'name' | 'email' | 'phone'>,
  id?: string,
) {
  const { id: role_id, kind } = await db.role.findFirstOrThrow({ where: { key: 'client' } });
  const client = { name, email, phone: phone || null, kind, role_id, status: 'pending' };
  return await withEmailFault(db.user.create({ data: { ...(id && { id }), ...client } }));
}

/**
 * Confirms a pending user, as requested by the call with this key, after the command that needed the user has
 * succeeded. Creates the user again if they were removed before a late event.
 * @throws EmailTaken when another user has taken the address since they were removed
 */
export async function confirmClientUser(db: Db, emit: Emit, client: NewClient): Promise<void> {
  const { idempotency_key, user_id: id, name, email, phone } = client;
  await lockAddress(db, email);
  const existing = await db.user.findFirst({ where: { id } });
  if (existing && existing.status !== 'pending') return;
  if (!existing) await createPending(db, client, id);
  const request = await db.clientRequest.findFirst({ where: { idempotency_key } });
  const hash = request?.password_hash;
  await confirmation.move(db.user, id, 'invite', { name, phone: phone || null });
  // The invitation proves that the address belongs to the client.
  if (hash) await db.password.create({ data: { id, hash } });
  await queueMail(db, 'invitation', id, email);
  const { kind, status } = await db.user.findFirstOrThrow({ where: { id } });
  emit(UserCreated, { user_id: id, name, email, kind, status, phone });
}

const SCHEDULE = 'platform.remove-unconfirmed-clients';
const INTERVAL_MS = 300_000;
/** Age at which an unconfirmed user is removed. A command takes seconds. A later event creates the user again. */
const UNCONFIRMED_MS = 3_600_000;
/** Time after which no call is retried. The stored password hash is deleted with the call. */
const RETRIED_MS = 24 * 3_600_000;

/** Deletes requests together with their keys. A repeated request is then a new one. */
async function removeRequests(db: Db, condition: Sql): Promise<void> {
  const removed = await db.rows<{ idempotency_key: string }>(sql`
    DELETE FROM client_requests WHERE ${condition} RETURNING idempotency_key`);
  const keys = removed.map(({ idempotency_key }) => idempotency_key);
  await deleteKeys(PlatformServiceDefinition.methods.ensureClientUser, 'key', keys);
  await deleteKeys(PlatformServiceDefinition.methods.ensureStaffUser, 'key', keys);
}

/** Deletes an unconfirmed user, unless a concurrent request needs them. */
async function removeUnconfirmed(db: Db, id: string, before: Date): Promise<void> {
  const [user] = await db.rows(sql`SELECT id FROM users WHERE id = ${id}::uuid AND status = 'pending' FOR UPDATE`);
  if (!user || (await db.clientRequest.count({ where: { user_id: id, created_at: { gt: before } } })) > 0) return;
  await removeRequests(db, sql`user_id = ${id}::uuid`);
  // The audit record remains, without personal data.
  await db.user.updateMany({ where: { id }, data: { ...ERASED_COLUMNS, status: 'deleted' } });
  await redactAudit(db, id);
  await db.user.deleteMany({ where: { id } });
}

/** Deletes unconfirmed users and old requests in every workspace, after their time limit. */
export async function removeUnconfirmedClients(tools: Pick<JobContext<Db>, 'database' | 'log'>): Promise<void> {
  const { database } = tools;
  const [unconfirmed_since, retried_since] = [UNCONFIRMED_MS, RETRIED_MS].map(
    (ms) => new Date(clock.now().getTime() - ms),
  ) as [Date, Date];
  const due = await findEverywhere<{ workspace_id: string; pending: string[] }>(
    database,
    SCHEDULE,
    sql`SELECT workspace_id, coalesce(array_agg(DISTINCT users.id) FILTER (WHERE users.status = 'pending'), '{}') AS pending
      FROM client_requests AS asked JOIN users USING (workspace_id)
      WHERE asked.user_id = users.id AND (asked.created_at < ${retried_since}
        OR (users.status = 'pending' AND asked.created_at < ${unconfirmed_since}))
        AND ${isNotPostponed(SCHEDULE, sql`workspace_id`)} GROUP BY workspace_id`,
  );
  await runDueWork(tools, SCHEDULE, due, ({ workspace_id, pending }) =>
    database.write(jobTransaction(SCHEDULE, workspace_id), async (db) => {
      await showPending();
      for (const id of pending) await removeUnconfirmed(db, id, unconfirmed_since);
      await removeRequests(
        db,
        sql`created_at < ${retried_since} AND user_id NOT IN (SELECT id FROM users WHERE status = 'pending')`,
      );
    }),
  );
}

export const removeUnconfirmedClientsRegularly = declareSchedule(SCHEDULE, INTERVAL_MS, removeUnconfirmedClients);
