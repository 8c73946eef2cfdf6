/** Requester of a follow-up to a closed ticket. */
import { sql } from '@suite/chassis/database';
import type { Db } from '../../operations.ts';
import type { Requester } from '../../settings/ticket-references/ticket-references.ts';

/** Author of a customer's reply, as the requester of a separate ticket. */
export type FollowUpRequester = Requester;

/** Fields of a closed ticket that its follow-up copies. */
interface ClosedTicket extends Requester {
  id: string;
  customer_id: string | null;
  customer_name: string | null;
  cc: readonly string[];
}

interface Sender {
  id: string | null;
  name: string;
  email: string | null;
}

const isRequester = (ticket: Requester, { id, email }: Pick<Sender, 'id' | 'email'>): boolean =>
  (email !== null && email === ticket.requester_email) || (id !== null && id === ticket.requester_user_id);

/**
 * Returns the author of a reply. The requester keeps the name and address of the ticket. Authors of e-mails have their
 * own.
 * @param ticket_id ticket of the reply, before merges and follow-ups are resolved
 */
export async function requesterOfReply(db: Db, ticket_id: string, sender: Sender): Promise<FollowUpRequester> {
  const [ticket] = await db.rows<Requester>(sql`
    SELECT requester_name, requester_email, requester_user_id FROM tickets WHERE id = ${ticket_id}::uuid`);
  const { id, name, email } = sender;
  if (email === null || isRequester(ticket!, sender)) return ticket!;
  return { requester_name: name, requester_email: email, requester_user_id: id };
}

/**
 * Returns the requester, customer and copies of a follow-up. Chosen: the follow-up belongs to its author. Anyone who
 * knows the address of a conversation can write to it. The requester of a merged ticket can also differ from the
 * target's requester. Their text must not appear under the previous requester's name.
 * @param cc copies of the closed ticket and of the reply
 */
export async function followUpFields(
  db: Db,
  ticket: ClosedTicket,
  author: FollowUpRequester,
  cc: readonly string[],
): Promise<FollowUpRequester & Partial<Pick<ClosedTicket, 'customer_id' | 'customer_name'>> & { cc: string[] }> {
  const { customer_id, customer_name, requester_email } = ticket;
  if (author.requester_email === requester_email) return { ...author, customer_id, customer_name, cc: [...cc] };
  const takesPart = ticket.cc.includes(author.requester_email) && !(await isMergedRequester(db, ticket, author));
  const others = takesPart ? [requester_email, ...cc].filter((address) => address !== author.requester_email) : [];
  return { ...author, cc: [...new Set(others)] };
}

/** Returns true if the author is the requester of another ticket that was merged into this one. */
async function isMergedRequester(
  db: Db,
  { id }: ClosedTicket,
  { requester_email }: FollowUpRequester,
): Promise<boolean> {
  const [merged] = await db.rows(sql`
    SELECT FROM tickets WHERE merged_into = ${id}::uuid AND requester_email = ${requester_email} AND deleted_at IS NULL LIMIT 1`);
  return merged !== undefined;
}
