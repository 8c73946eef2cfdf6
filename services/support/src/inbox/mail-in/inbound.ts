/** Creates tickets and replies from e-mails. Each e-mail has its effect once, regardless of repeated submissions. */
import { createHash } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import type { FileLinks, StoredFile } from '@suite/chassis/files';
import type { OpenMailbox } from '../../settings/mailboxes/token.ts';
import type { Db } from '../../operations.ts';
import { addReply, type Speaker } from '../../tickets/replies/reply.ts';
import { colleagueByAddress, requesterByAddress } from '../../settings/people/people.ts';
import type { ChangeContext, TicketRow } from '../../tickets/ticket-states/ticket-change.ts';
import { openTicket } from '../../tickets/tickets/ticket.ts';
import type { MailBody } from '../../emails/correspondence/body.ts';
import { looksOutOfOffice, suppressesAnswers } from '../../emails/correspondence/classification.ts';
import { type Handling, handlingOf, reasonToIgnore } from './handling.ts';
import type { TakenMail } from './inbound.schema.ts';
import { claimMail, readTaken, settleMail } from '../../emails/correspondence/known-mail.ts';
import { LIMITS } from '../../content/mime/mail.rules.ts';
import { cutText, type ReadMail } from '../../emails/correspondence/message.ts';
import { getsAcknowledgement, noteExchange } from '../../emails/correspondence/storms.ts';
import { requesterOf, sendersOf } from '../../emails/correspondence/thread.ts';

/** Parsed e-mail, with the content to store. */
export interface PreparedMail {
  mail: ReadMail;
  body: MailBody;
  files: readonly StoredFile[];
  /** Full text of a long e-mail. */
  full_text: StoredFile | undefined;
  refused: TakenMail['attachments_refused'];
}

/** Maximum length of a ticket subject. */
const SUBJECT_MAX = 200;

/** Returns the hash of an e-mail, which identifies unreadable e-mails and those without a Message-ID. */
export const emailHash = (raw: Uint8Array): string => `sha256:${createHash('sha256').update(raw).digest('hex')}`;

const keysOf = ({ files, full_text }: PreparedMail): string[] =>
  [...files, ...(full_text ? [full_text] : [])].map(({ key }) => key);

/** Removes objects from the storage after the transaction. */
const discard = (db: Db, keys: readonly string[]): Promise<unknown> =>
  db.discardedFile.createMany({ data: keys.map((key) => ({ key })), skipDuplicates: true });

const nothing = { reason: null, ticket_id: null, number: null, reply_id: null, attachments_refused: [] };

/** Returns the copied addresses, without our own. */
async function copiesOf(db: Db, mail: ReadMail, requester: string): Promise<string[]> {
  const own = await db.rows<{ address: string }>(sql`SELECT address FROM mailboxes`);
  const isOurs = (address: string) => own.some((one) => one.address === address.replace(/^([^@+]*)\+[^@]*/, '$1'));
  const others = mail.cc.map(({ address }) => address).filter((address) => address !== requester && !isOurs(address));
  return [...new Set(others)].slice(0, LIMITS.cc);
}

/** Returns the files of a ticket or reply. Includes the full text if the stored text is truncated. */
async function filesOf(
  db: Db,
  { files, full_text }: PreparedMail,
  isTruncated: boolean,
): Promise<readonly StoredFile[]> {
  if (!full_text) return files;
  if (isTruncated) return [...files, full_text];
  await discard(db, [full_text.key]);
  return files;
}

/** Returns true if the author is authenticated. Only the From address is ever verified. */
const authenticatedAs = ({ from, authenticated }: ReadMail, author: string): boolean | null =>
  author === from.address ? authenticated : null;

/** Stores the e-mail-specific data of a ticket. */
const keepOrigin = (
  db: Db,
  { id, requester_email }: Pick<TicketRow, 'id' | 'requester_email'>,
  { mail, body, refused }: PreparedMail,
  description_truncated: boolean,
) =>
  db.ticket.updateMany({
    where: { id },
    data: {
      authenticated: authenticatedAs(mail, requester_email),
      description_html: body.html,
      description_truncated,
      attachments_refused: refused,
    },
  });

/** Creates the ticket of an e-mail. */
async function openFromMail(
  context: ChangeContext,
  mailbox: OpenMailbox,
  prepared: PreparedMail,
  { kind, found: { suspected_ticket_id } }: Handling,
): Promise<TicketRow> {
  const { db } = context;
  const { mail, body } = prepared;
  const { name, address: email } = requesterOf(mail, mailbox.requester_from);
  const whose = await requesterByAddress(db, { name, email });
  const isAnswered = kind === 'personal' && !suppressesAnswers(mail) && mailbox.auto_acknowledge;
  const acknowledged = isAnswered && (await getsAcknowledgement(db, email));
  const subject = cutText(mail.subject, SUBJECT_MAX) || 'No subject';
  const isTruncated = body.full_text !== null;
  const about = {
    subject,
    description: body.whole,
    category_id: mailbox.category_id,
    cc: await copiesOf(db, mail, email),
  };
  const origin = { channel: 'email', mailbox_id: mailbox.id, suspected_ticket_id, acknowledged };
  const files = await filesOf(db, prepared, isTruncated);
  const opened = await openTicket(context, { ...about, ...whose, ...origin }, files);
  await keepOrigin(db, opened, prepared, isTruncated);
  return opened;
}

/**
 * Returns the author of an e-mail to a ticket. An agent requires an authenticated address, and the ticket must not be
 * their own. Defaults to a customer.
 */
async function authorOf(db: Db, ticket: TicketRow, mail: ReadMail, mailbox: OpenMailbox): Promise<Speaker> {
  const { address } = mail.from;
  const isOwn = ticket.requester_email === address;
  const colleague = mail.authenticated === true && !isOwn ? await colleagueByAddress(db, address) : undefined;
  if (colleague && colleague.id !== ticket.requester_user_id)
    return { kind: 'agent', id: colleague.id, name: colleague.name, email: null, by_link: false };
  const { name, address: email } =
    mailbox.requester_from === 'reply_to' ? requesterOf(mail, mailbox.requester_from) : mail.from;
  const { requester_user_id: id } = await requesterByAddress(db, { name, email });
  return { kind: 'customer', id, name: name || email, email, by_link: false };
}

/**
 * Returns whether the sender of an e-mail takes part in the ticket, and whether their address is authenticated. Chosen:
 * a sender who takes part only by another address than the author's is not authenticated. Anyone can write a Reply-To.
 */
function verificationOf(
  { requester_email, cc }: TicketRow,
  mail: ReadMail,
  { email }: Speaker,
  { requester_from }: OpenMailbox,
) {
  if (email === null) return { unverified: false, authenticated: authenticatedAs(mail, mail.from.address) };
  const participant = [email, ...sendersOf(mail, requester_from)].find((one) => [requester_email, ...cc].includes(one));
  const isOther = participant !== undefined && participant !== email;
  return { unverified: !participant, authenticated: isOther ? null : authenticatedAs(mail, email) };
}

/** Adds an e-mail to its ticket. A sender who is no participant is shown as unverified, and gets no e-mails. */
async function replyFromMail(
  context: ChangeContext,
  mailbox: OpenMailbox,
  ticket: TicketRow,
  { prepared, links }: { prepared: PreparedMail; links: FileLinks },
) {
  const { db } = context;
  const { mail, body, refused } = prepared;
  const speaker = await authorOf(db, ticket, mail, mailbox);
  const files = await filesOf(db, prepared, body.is_truncated);
  const said = { body: body.body, files, isQuiet: looksOutOfOffice(mail) };
  const reply = await addReply(context, ticket.id, said, speaker, links);
  const { quoted, html, is_truncated: body_truncated } = body;
  const origin = { quoted, html, body_truncated, attachments_refused: refused };
  const verification = verificationOf(ticket, mail, speaker, mailbox);
  if (reply.id) await db.reply.updateMany({ where: { id: reply.id }, data: { ...verification, ...origin } });
  // A reply to a closed ticket has already become a new ticket.
  else
    await keepOrigin(
      db,
      { id: reply.ticket.id, requester_email: speaker.email ?? ticket.requester_email },
      prepared,
      body.is_truncated,
    );
  return reply;
}

/**
 * Processes an e-mail. The transaction is restricted to the mailbox's workspace.
 * @throws ForgedThread, and TicketClosed for an agent's reply to a completed ticket
 */
export async function takeMail(
  context: ChangeContext,
  mailbox: OpenMailbox,
  prepared: PreparedMail,
  kept: { received_key: string; raw_key: string; size: number; links: FileLinks; isRetried?: boolean },
): Promise<TakenMail> {
  const { db } = context;
  const { mail, refused } = prepared;
  const { received_key, raw_key, size, links, isRetried: isForgedIgnored = false } = kept;
  const { message_id, subject, from } = mail;
  const received = { mailbox_id: mailbox.id, received_key, message_id, subject, size, raw_key };
  const id = await claimMail(db, { ...received, from_address: from.address });
  if (!id) {
    await discard(db, [raw_key, ...keysOf(prepared)]);
    return { ...nothing, outcome: 'duplicate', ...(await readTaken(db, mailbox.id, received_key)) };
  }
  const handling = await handlingOf(db, mailbox, mail, isForgedIgnored);
  const { ticket } = handling;
  const ignored = await reasonToIgnore(db, mailbox, mail, handling);
  if (ignored) {
    await discard(db, keysOf(prepared));
    await settleMail(db, id, ignored);
    return { ...nothing, outcome: 'ignored', reason: ignored.reason!, ticket_id: ignored.ticket_id ?? null };
  }
  await noteExchange(db, from.address);
  const { reply_id, of } = ticket
    ? await replyFromMail(context, mailbox, ticket, { prepared, links }).then((reply) => ({
        reply_id: reply.id,
        of: reply.ticket,
      }))
    : { reply_id: null, of: await openFromMail(context, mailbox, prepared, handling) };
  const outcome = reply_id ? 'replied' : 'created';
  await settleMail(db, id, { outcome, ticket_id: of.id, reply_id });
  return { ...nothing, outcome, ticket_id: of.id, number: of.number, reply_id, attachments_refused: refused };
}
