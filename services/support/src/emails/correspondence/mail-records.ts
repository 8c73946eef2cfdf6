/** Records of e-mails by ID: inbound ones take effect once, and replies to outbound ones find their ticket. */
import { sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import type { Db } from '../../operations.ts';

/** Received e-mail, as recorded. */
interface ReceivedMail {
  mailbox_id: string;
  received_key: string;
  message_id: string | null;
  from_address: string;
  subject: string;
  size: number;
  raw_key: string;
}

/** Outcome of an e-mail. */
export interface MailOutcome {
  outcome: 'created' | 'replied' | 'ignored';
  reason?: 'loop' | 'bounce' | 'auto_reply' | 'automatic' | 'mailing_list' | 'blocked';
  ticket_id?: string;
  reply_id?: string | null;
}

/** Records an e-mail before it is processed. Among concurrent deliveries of the same e-mail, one continues. */
export async function claimMail(db: Db, received: ReceivedMail) {
  const { mailbox_id, received_key, message_id, from_address, subject, size, raw_key } = received;
  const [claimed] = await db.rows<{ id: string }>(sql`
    INSERT INTO mail_messages (id, direction, mailbox_id, received_key, message_id, from_address, subject, size, raw_key, at)
    VALUES (gen_random_uuid(), 'in', ${mailbox_id}::uuid, ${received_key}, ${message_id}, ${from_address}, ${subject}, ${size}::int,
      ${raw_key}, ${clock.now()})
    ON CONFLICT (workspace_id, mailbox_id, received_key) DO NOTHING RETURNING id`);
  return claimed?.id;
}

/** Returns the ticket and reply of an e-mail that was already received. */
export async function readReceived(db: Db, mailbox_id: string, received_key: string) {
  const [received] = await db.rows<{ ticket_id: string | null; number: string | null; reply_id: string | null }>(sql`
    SELECT mail.ticket_id, tickets.number, mail.reply_id FROM mail_messages AS mail
    LEFT JOIN tickets ON tickets.id = mail.ticket_id
    WHERE mail.mailbox_id = ${mailbox_id}::uuid AND mail.received_key = ${received_key}`);
  return received ?? { ticket_id: null, number: null, reply_id: null };
}

/** Records the outcome of an e-mail. */
export const recordOutcome = (db: Db, id: string, outcome: MailOutcome): Promise<unknown> =>
  db.mailMessage.updateMany({ where: { id }, data: { ...outcome, updated_at: clock.now() } });

interface TicketMail {
  message_id: string;
  ticket_id: string;
  reply_id: string | null;
}

/** Returns the ticket and reply of a sent e-mail. */
export async function findSentMail(db: Db, message_id: string): Promise<TicketMail | undefined> {
  const [sent] = await db.rows<TicketMail>(sql`
    SELECT message_id, ticket_id, reply_id FROM mail_messages
    WHERE message_id = ${message_id} AND ticket_id IS NOT NULL AND direction = 'out' ORDER BY at LIMIT 1`);
  return sent;
}

/**
 * Returns the ticket of the e-mails with these IDs, first known one first. An e-mail to several mailboxes creates a
 * ticket in each. The ticket of this mailbox takes precedence.
 */
export async function findAnsweredMail(
  db: Db,
  ids: readonly string[],
  mailbox_id: string,
): Promise<TicketMail | undefined> {
  if (ids.length === 0) return undefined;
  const rows = await db.rows<TicketMail>(sql`
    SELECT message_id, ticket_id, reply_id FROM mail_messages JOIN tickets ON tickets.id = ticket_id
    WHERE message_id = ANY(${ids}::text[]) AND deleted_at IS NULL AND status <> 'spam'
    ORDER BY tickets.mailbox_id IS NOT DISTINCT FROM ${mailbox_id}::uuid DESC, at`);
  return ids.map((id) => rows.find(({ message_id }) => message_id === id)).find(Boolean);
}

/** Returns the number of e-mails from an address since a given time. */
export async function countMailFrom(db: Db, address: string, since: Date): Promise<number> {
  const [counted] = await db.rows<{ times: number }>(sql`
    SELECT count(*) AS times FROM mail_messages WHERE direction = 'in' AND from_address = ${address} AND at > ${since}`);
  return counted!.times;
}
