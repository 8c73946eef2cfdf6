/** Users and customer in the body of a ticket, fetched before the transaction. */
import { sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { Customer } from '@suite/proto/finance/v1/finance';
import { fetchStaff, type PlatformUser, recordVerifiedEmail, upsertUserCopies } from '@suite/user-copies';
import type { Db, Rpc } from '../../operations.ts';

/** Requester of a ticket. */
export interface Requester {
  requester_name: string;
  requester_email: string;
  requester_user_id: string | null;
}

/** IDs of other services' records in a request body. */
interface ReferenceIds {
  assignee_id?: string | null | undefined;
  customer_id?: string | null | undefined;
}

export interface TicketReferences {
  assignee: PlatformUser | undefined;
  customer: Customer | undefined;
}

/** Permission that an assignee needs. */
const REPLY_PERMISSION = 'ticket.reply';

/**
 * Fetches the assignee of a ticket from platform, and checks that they may reply to the ticket.
 * @throws a 422 that names the field
 */
export async function fetchAssignee(
  rpc: Rpc,
  user_id: string | null | undefined,
  field = 'assignee_id',
): Promise<PlatformUser | undefined> {
  if (!user_id) return undefined;
  const [[person], { users: holders }] = await Promise.all([
    fetchStaff(rpc, { [field]: user_id }),
    rpc.platform.batchGetRights({ user_ids: [user_id] }),
  ]);
  if (person?.status !== 'active') throw invalid(field, 'This user is not active.');
  if (!holders[0]?.permissions.includes(REPLY_PERMISSION))
    throw invalid(field, 'This user does not have the permission to reply to tickets. Select another one.');
  return person;
}

/**
 * Checks the assignee with platform and the customer with finance.
 * @throws a 422 fault that names the field
 */
export async function fetchReferences(
  rpc: Rpc,
  { assignee_id, customer_id }: ReferenceIds,
  field = 'customer_id',
): Promise<TicketReferences> {
  const assignee = await fetchAssignee(rpc, assignee_id);
  if (!customer_id) return { assignee, customer: undefined };
  const { customers } = await rpc.finance.batchGetCustomers({ customer_ids: [customer_id] });
  if (!customers[0]?.active) throw invalid(field, 'Customer not found.');
  return { assignee, customer: customers[0] };
}

/**
 * Checks the customers in SLA policy conditions with finance. @throws a 422 fault for an unknown or archived customer
 */
export async function assertCustomersActive(rpc: Rpc, customer_ids: readonly string[] = []): Promise<void> {
  if (customer_ids.length === 0) return;
  const { customers } = await rpc.finance.batchGetCustomers({ customer_ids: [...new Set(customer_ids)] });
  const known = new Set(customers.filter(({ active }) => active).map(({ customer_id }) => customer_id));
  const unknown = customer_ids.findIndex((id) => !known.has(id));
  if (unknown !== -1) throw invalid(`conditions.customer_id.${unknown}`, 'Customer not found.');
}

/** Fetches the caller from platform, with the address for e-mails about their ticket. */
export async function fetchCaller(rpc: Rpc, { user_id, user_name }: Caller): Promise<PlatformUser> {
  const { users } = await rpc.platform.batchGetUsers({ user_ids: [user_id] });
  const [person] = users;
  if (!person?.email)
    throw invalid('requester', 'The requester has no e-mail address. Enter a requester with an address.');
  return { ...person, name: person.name || user_name };
}

/** Returns the caller as the requester of a ticket. */
export async function callerAsRequester(db: Db, person: PlatformUser): Promise<Requester> {
  await upsertUserCopies(db, [person]);
  if (person.email_verified) await recordVerifiedEmail(db, person.user_id);
  return {
    requester_name: person.name,
    requester_email: person.email.toLowerCase(),
    requester_user_id: person.user_id,
  };
}

/**
 * Returns a requester by address, in lower case as platform stores it. Links the user who has verified the address, if
 * there is one.
 */
export async function requesterByAddress(db: Db, { name, email }: { name: string; email: string }): Promise<Requester> {
  const [user] = await db.rows<{ id: string }>(sql`
    SELECT id FROM users WHERE email = ${email} AND status = 'active' AND email_verified ORDER BY id LIMIT 1`);
  return { requester_name: name, requester_email: email, requester_user_id: user?.id ?? null };
}

/** Returns the active agent with an address. */
export async function colleagueByAddress(db: Db, email: string): Promise<{ id: string; name: string } | undefined> {
  const [user] = await db.rows<{ id: string; name: string }>(sql`
    SELECT id, name FROM users WHERE lower(email) = ${email} AND status = 'active' AND email_verified AND kind IN ('owner', 'staff')
    ORDER BY id LIMIT 1`);
  return user;
}

/** Short form of a customer, as in tickets. */
export interface CustomerLabel {
  customer_id: string | null;
  customer_name: string | null;
}

/**
 * Returns the customer of a requester's last ticket with a customer. Chosen: an agent assigns a requester to a customer
 * once, and further tickets follow.
 */
export async function customerOf(db: Db, requester_user_id: string | null): Promise<CustomerLabel> {
  const [last] = requester_user_id
    ? await db.rows<CustomerLabel>(sql`
        SELECT shared_customer_id AS customer_id, customer_name FROM tickets
        WHERE requester_user_id = ${requester_user_id}::uuid AND shared_customer_id IS NOT NULL
        ORDER BY created_at DESC, id DESC LIMIT 1`)
    : [];
  return last ?? { customer_id: null, customer_name: null };
}
