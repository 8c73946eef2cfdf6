/** Finds the ticket that an e-mail belongs to. */
import { sql } from '@suite/chassis/database';
import type { Db } from '../../operations.ts';
import type { OpenMailbox } from '../../settings/mailboxes/token.ts';
import { findAnsweredMail } from './mail-records.ts';
import { ForgedThread } from '../../content/mime/mail.rules.ts';
import type { ReadMail } from './message.ts';
import { numberIn, sendersOf, type ThreadAddresses, threadAddresses } from './thread.ts';

/** Ticket of an e-mail, or a ticket that it only appears to be about. */
export interface ConversationMatch {
  ticket_id?: string;
  suspected_ticket_id?: string;
}

interface TicketCandidate {
  id: string;
  status: string;
  requester_email: string;
  cc: string[];
}

const CANDIDATE_COLUMNS = sql`id, status, requester_email, cc`;

/** Returns the addresses of a workspace's conversations. */
export async function addressesOf(db: Db, workspace_id: string): Promise<ThreadAddresses> {
  const [settings] = await db.rows<{ thread_secret: Uint8Array }>(sql`SELECT thread_secret FROM settings`);
  // A workspace that is still being created has not issued any address yet.
  return threadAddresses(Buffer.from(settings?.thread_secret ?? workspace_id), workspace_id);
}

/** Returns true if a ticket exists and is not spam. */
const isOpenToReplies = (ticket: TicketCandidate | undefined): ticket is TicketCandidate =>
  ticket !== undefined && ticket.status !== 'spam';

async function findByNumber(db: Db, number: string): Promise<TicketCandidate | undefined> {
  const [ticket] = await db.rows<TicketCandidate>(sql`
    SELECT ${CANDIDATE_COLUMNS} FROM tickets WHERE number = ${number} AND deleted_at IS NULL`);
  return isOpenToReplies(ticket) ? ticket : undefined;
}

async function findById(db: Db, id: string): Promise<TicketCandidate | undefined> {
  const [ticket] = await db.rows<TicketCandidate>(sql`
    SELECT ${CANDIDATE_COLUMNS} FROM tickets WHERE id = ${id}::uuid AND deleted_at IS NULL`);
  return isOpenToReplies(ticket) ? ticket : undefined;
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
): Promise<ConversationMatch> {
  const signedAddress = (await addressesOf(db, mailbox.workspace_id)).read(mailbox.address, mail.recipients);
  if (signedAddress === 'forged' && !isForgedIgnored) throw ForgedThread();
  const addressedTicket = signedAddress && signedAddress !== 'forged' && (await findByNumber(db, signedAddress.number));
  if (addressedTicket) return { ticket_id: addressedTicket.id };
  const known = await findAnsweredMail(db, mail.answers, mailbox.id);
  const answered = known && (await findById(db, known.ticket_id));
  if (answered) return { ticket_id: answered.id };
  const number = numberIn(mail.subject);
  const numbered = number && (await findByNumber(db, number));
  if (!numbered) return {};
  const senders = sendersOf(mail, mailbox.requester_from);
  const takesPart = [numbered.requester_email, ...numbered.cc].some((address) => senders.includes(address));
  return takesPart ? { ticket_id: numbered.id } : { suspected_ticket_id: numbered.id };
}
