/** The requester of a ticket that continues a closed one. */
import { sql } from '@suite/chassis';
import type { Db } from '../operations.ts';
import type { Requester } from '../people/people.ts';

/** The author of a customer's reply, as the requester of a ticket of their own. */
export type Author = Requester;

/** The fields of a closed ticket that its follow-up copies. */
interface Continued extends Requester {
  id: string;
  customer_id: string | null;
  customer_name: string | null;
  cc: readonly string[];
}

interface Speaker {
  id: string | null;
  name: string;
  email: string | null;
}

const isRequester = (ticket: Requester, { id, email }: Pick<Speaker, 'id' | 'email'>): boolean =>
  (email !== null && email === ticket.requester_email) || (id !== null && id === ticket.requester_user_id);

/**
 * Returns the author of a reply. The requester keeps the name and address of the ticket. Authors of e-mails have their own.
 * @param ticket_id the ticket that they wrote to, before merges and successors are followed
 */
export async function authorOf(db: Db, ticket_id: string, speaker: Speaker): Promise<Author> {
  const [ticket] = await db.rows<Requester>(sql`
    SELECT requester_name, requester_email, requester_user_id FROM tickets WHERE id = ${ticket_id}::uuid`);
  const { id, name, email } = speaker;
  if (email === null || isRequester(ticket!, speaker)) return ticket!;
  return { requester_name: name, requester_email: email, requester_user_id: id };
}

/**
 * Returns the requester, customer and copies of a follow-up.
 * Chosen: the follow-up belongs to its author. Anyone who knows the address of a conversation can write to it, and the requester
 * of a merged ticket differs from the requester of the target. Their words must not appear under the name of the former requester.
 * @param cc the copies of the closed ticket and of the reply
 */
export async function followedBy(
  db: Db,
  ticket: Continued,
  author: Author,
  cc: readonly string[],
): Promise<Author & Partial<Pick<Continued, 'customer_id' | 'customer_name'>> & { cc: string[] }> {
  const { customer_id, customer_name, requester_email } = ticket;
  if (author.requester_email === requester_email) return { ...author, customer_id, customer_name, cc: [...cc] };
  const takesPart = ticket.cc.includes(author.requester_email) && !(await isMergedRequester(db, ticket, author));
  const others = takesPart ? [requester_email, ...cc].filter((address) => address !== author.requester_email) : [];
  return { ...author, cc: [...new Set(others)] };
}

/** Whether the author is the requester of another ticket that was merged into this one. */
async function isMergedRequester(db: Db, { id }: Continued, { requester_email }: Author): Promise<boolean> {
  const [merged] = await db.rows(sql`
    SELECT FROM tickets WHERE merged_into = ${id}::uuid AND requester_email = ${requester_email} AND deleted_at IS NULL LIMIT 1`);
  return merged !== undefined;
}
