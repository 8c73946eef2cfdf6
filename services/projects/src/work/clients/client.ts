/** Clients of projects: users of a customer who follow a project and see what is shared with them. */
import { randomUUIDv7 } from 'node:crypto';
import { find } from '@suite/chassis/database';
import { fault, Fault, invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { Emit } from '@suite/chassis/operations';
import { ProjectClientsInvited } from '@suite/proto/projects/v1/events';
import type { NewClient } from '@suite/proto/projects/v1/parts';
import { fetchClients, type PlatformUser, upsertUserCopies } from '@suite/user-copies';
import { enterProject } from '../access/access.ts';
import { type NewActivity, recordActivities } from '../activities/activity.ts';
import type { CommandContext, Db, Rpc } from '../../operations.ts';
import type { Invitation } from './client.schema.ts';

export const EmailTaken = fault(
  409,
  'email_taken',
  'This e-mail address belongs to another account. Enter another address.',
);

/** Invited users, as platform returned them. */
export interface InvitedUsers {
  people: readonly PlatformUser[];
  /** Customer of the users, if known. */
  customer_id: string | null;
  /** Client that platform created for this request, hidden until the request is confirmed. */
  new_client?: NewClient | undefined;
}

type Write = <T>(work: (db: Db, emit: Emit) => Promise<T>) => Promise<T>;

/** Converts a fault of platform for the caller: the address belongs to a user who is not a client. */
function convertPlatformFault(error: unknown): unknown {
  if (!(error instanceof Fault) || !error.errors) return error;
  return error.errors['email'] ? EmailTaken() : error;
}

/**
 * Requests a new client from platform. Each attempt has a separate key. For the same address, platform always returns
 * the same user.
 */
async function requestNewClient(
  rpc: Rpc,
  { name, email, phone = '' }: NonNullable<Invitation['client']>,
): Promise<InvitedUsers> {
  const idempotency_key = randomUUIDv7();
  const reply = await rpc.platform
    .ensureClientUser({ idempotency_key, name, email, phone, password: '' })
    .catch((error: unknown) => {
      throw convertPlatformFault(error);
    });
  const user = reply.user!;
  const { user_id } = user;
  const new_client = reply.created
    ? { idempotency_key, user_id, name: user.name, email: user.email, phone: user.phone }
    : undefined;
  return { people: [user], customer_id: null, new_client };
}

/** Returns the users of a customer. @throws a 422 if the customer is unknown or has no users */
async function requestCustomerUsers(rpc: Rpc, customer_id: string): Promise<InvitedUsers> {
  const { customers } = await rpc.finance.batchGetCustomers({ customer_ids: [customer_id] });
  const [customer] = customers;
  if (!customer?.active) throw invalid('customer_id', 'Customer not found.');
  if (!customer.user_id) throw invalid('customer_id', 'This customer has no client user. Choose another customer.');
  return { people: await fetchClients(rpc, { customer_id: customer.user_id }), customer_id };
}

/** Determines the invited users. Checks first that the caller may invite. Platform creates a user only after that. */
export async function requestInvitedUsers(
  { rpc, write, caller }: { rpc: Rpc; write: Write; caller: Caller },
  { project_id, client_id, customer_id, client }: Invitation,
): Promise<InvitedUsers> {
  if (client_id) return { people: await fetchClients(rpc, { client_id }), customer_id: null };
  if (customer_id) return await requestCustomerUsers(rpc, customer_id);
  await write((db) => enterProject({ db, caller }, project_id, 'manager', { absent: projectNotFound }));
  return await requestNewClient(rpc, client!);
}

const projectNotFound = () => invalid('project_id', 'Project not found.');

/** Adds clients to a project. @returns a history entry for each new client */
export async function addClients(
  db: Db,
  project_id: string,
  user_ids: readonly string[],
  customer_id: string | null = null,
): Promise<NewActivity[]> {
  const userIds = [...new Set(user_ids)];
  const existing = await db.projectClient.findMany({ where: { project_id, user_id: { in: userIds } } });
  const fresh = userIds.filter((user_id) => !existing.some((row) => row.user_id === user_id));
  if (fresh.length === 0) return [];
  await db.projectClient.createMany({ data: fresh.map((user_id) => ({ project_id, user_id, customer_id })) });
  const rows = await db.projectClient.findMany({
    where: { project_id, user_id: { in: fresh } },
    include: { user: true },
  });
  // Platform itself invites people without an account.
  const known_people = rows.filter(({ user }) => user.status === 'active');
  await db.mail.createMany({ data: known_people.map(({ user_id }) => ({ kind: 'invitation', user_id, project_id })) });
  return rows.map(({ id, user }) => ({
    project_id,
    verb: 'invited',
    object: { type: 'client', id, label: user.name },
  }));
}

/** Replaces the clients of a project. @returns the history entries of the changes */
export async function replaceClients(db: Db, project_id: string, user_ids: readonly string[]): Promise<NewActivity[]> {
  const gone = await db.projectClient.findMany({
    where: { project_id, user_id: { notIn: [...user_ids] } },
    include: { user: true },
  });
  await db.projectClient.deleteMany({ where: { id: { in: gone.map(({ id }) => id) } } });
  const left: NewActivity[] = gone.map(({ id, user }) => ({
    project_id,
    verb: 'removed',
    object: { type: 'client', id, label: user.name },
  }));
  return [...left, ...(await addClients(db, project_id, user_ids))];
}

/**
 * Invites clients to a project. Clients who already follow it are not notified. @returns true if a client is new in the
 * project
 */
export async function inviteClients(
  context: CommandContext,
  project_id: string,
  invited: InvitedUsers,
): Promise<boolean> {
  const { db, emit } = context;
  const { people, customer_id, new_client } = invited;
  await enterProject(context, project_id, 'manager', { lock: 'update', absent: projectNotFound });
  await upsertUserCopies(db, people);
  const client_ids = people.map(({ user_id }) => user_id);
  const lines = await addClients(db, project_id, client_ids, customer_id);
  if (lines.length === 0) return false;
  await recordActivities(db, lines);
  emit(ProjectClientsInvited, { project_id, client_ids, new_client });
  return true;
}

/** Removes a client from a project. */
export async function removeClient(context: CommandContext, id: string): Promise<{ id: string }> {
  const { db } = context;
  const { project_id, user_id } = await find(db.projectClient, id);
  await enterProject(context, project_id, 'manager', { lock: 'update' });
  const { name } = await find(db.user, user_id);
  await db.projectClient.deleteMany({ where: { id } });
  await recordActivities(db, [{ project_id, verb: 'removed', object: { type: 'client', id, label: name } }]);
  return { id };
}
