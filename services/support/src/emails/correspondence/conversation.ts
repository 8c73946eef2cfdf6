/** Finds the ticket that an e-mail belongs to. */
import { sql } from '@suite/chassis/database';
import type { Db } from '../../operations.ts';
import type { OpenMailbox } from '../../settings/mailboxes/token.ts';
import { findAnswered } from './known-mail.ts';
import { ForgedThread } from '../../content/mime/mail.rules.ts';
import type { ReadMail } from './message.ts';
import { numberIn, sendersOf, type ThreadAddresses, threadAddresses } from './thread.ts';

/** Ticket of an e-mail, or a ticket that it only appears to be about. */
export interface Found {
  ticket_id?: string;
  suspected_ticket_id?: string;
}

interface Candidate {
  id: string;
  status: string;
  requester_email: string;
  cc: string[];
}

const columns = sql`id, status, requester_email, cc`;

/** Returns the addresses of a workspace's conversations. */
export async function addressesOf(db: Db, workspace_id: string): Promise<ThreadAddresses> {
  const [settings] = await db.rows<{ thread_secret: Uint8Array }>(sql`SELECT thread_secret FROM settings`);
  // A workspace that is still being created has not issued any address yet.
  return threadAddresses(Buffer.from(settings?.thread_secret ?? workspace_id), workspace_id);
}

/** Returns true if a ticket exists and is not spam. */
const isAlive = (ticket: Candidate | undefined): ticket is Candidate =>
  ticket !== undefined && ticket.status !== 'spam';

async function byNumber(db: Db, number: string): Promise<Candidate | undefined> {
  const [ticket] = await db.rows<Candidate>(sql`
    SELECT ${columns} FROM tickets WHERE number = ${number} AND deleted_at IS NULL`);
  return isAlive(ticket) ? ticket : undefined;
}

async function byId(db: Db, id: string): Promise<Candidate | undefined> {
  const [ticket] = await db.rows<Candidate>(sql`
    SELECT ${columns} FROM tickets WHERE id = ${id}::uuid AND deleted_at IS NULL`);
  return isAlive(ticket) ? ticket : undefined;
}

/**
 * Finds the conversation of an e-mail: by a signed address, by the IDs in its references, or by the number in its
 * subject. Any sender can write a number, so it counts only from a participant.
 * @param options.isForgedIgnored whether an agent has checked the e-mail and accepts it nevertheless
 * @throws ForgedThread
 */
export async function findConversation(
  db: Db,
  mailbox: OpenMailbox,
  mail: ReadMail,
  { isForgedIgnored = false } = {},
): Promise<Found> {
  const addressed = (await addressesOf(db, mailbox.workspace_id)).read(mailbox.address, mail.recipients);
  if (addressed === 'forged' && !isForgedIgnored) throw ForgedThread();
  const named = addressed && addressed !== 'forged' && (await byNumber(db, addressed.number));
  if (named) return { ticket_id: named.id };
  const known = await findAnswered(db, mail.answers, mailbox.id);
  const answered = known && (await byId(db, known.ticket_id));
  if (answered) return { ticket_id: answered.id };
  const number = numberIn(mail.subject);
  const told = number && (await byNumber(db, number));
  if (!told) return {};
  const senders = sendersOf(mail, mailbox.requester_from);
  const takesPart = [told.requester_email, ...told.cc].some((address) => senders.includes(address));
  return takesPart ? { ticket_id: told.id } : { suspected_ticket_id: told.id };
}
