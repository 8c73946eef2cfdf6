/** Creates tickets and replies from e-mails. Each e-mail has its effect once, regardless of repeated submissions. */
import { createHash } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import type { FileLinks, StoredFile } from '@suite/chassis/files';
import type { OpenMailbox } from '../../settings/mailboxes/token.ts';
import type { Db } from '../../operations.ts';
import { addReply } from '../../tickets/replies/reply.ts';
import type { ReplyAuthor } from '../../tickets/replies/reply-author.ts';
import { colleagueByAddress, requesterByAddress } from '../../settings/ticket-references/ticket-references.ts';
import type { ChangeContext, TicketRow } from '../../tickets/ticket-states/ticket-change.ts';
import { openTicket } from '../../tickets/tickets/ticket.ts';
import type { MailBody } from '../../emails/correspondence/body.ts';
import { looksOutOfOffice, suppressesAnswers } from '../../emails/correspondence/classification.ts';
import { type MailHandling, handlingOf, reasonToIgnore } from './mail-handling.ts';
import type { InboundMailResult } from './inbound.schema.ts';
import { claimMail, readReceived, recordOutcome } from '../../emails/correspondence/mail-records.ts';
import { LIMITS } from '../../content/mime/mail.rules.ts';
import { cutText, type ReadMail } from '../../emails/correspondence/message.ts';
import { shouldAcknowledge, pauseAddressInLoop } from '../../emails/correspondence/mail-loops.ts';
import { requesterOf, sendersOf } from '../../emails/correspondence/thread.ts';

/** Parsed e-mail, with the content to store. */
export interface PreparedMail {
  mail: ReadMail;
  body: MailBody;
  files: readonly StoredFile[];
  /** Full text of a long e-mail. */
  full_text: StoredFile | undefined;
  refused: InboundMailResult['attachments_refused'];
}

/** Maximum length of a ticket subject. */
const SUBJECT_MAX = 200;

/** Returns the hash of an e-mail, which identifies unreadable e-mails and those without a Message-ID. */
export const emailHash = (raw: Uint8Array): string => `sha256:${createHash('sha256').update(raw).digest('hex')}`;

const storageKeysOf = ({ files, full_text }: PreparedMail): string[] =>
  [...files, ...(full_text ? [full_text] : [])].map(({ key }) => key);

/** Removes objects from the storage after the transaction. */
const discardFiles = (db: Db, keys: readonly string[]): Promise<unknown> =>
  db.discardedFile.createMany({ data: keys.map((key) => ({ key })), skipDuplicates: true });

const NO_RESULT = { reason: null, ticket_id: null, number: null, reply_id: null, attachments_refused: [] };

/** Returns the copied addresses, without our own. */
async function copiedAddresses(db: Db, mail: ReadMail, requester: string): Promise<string[]> {
  const mailboxes = await db.rows<{ address: string }>(sql`SELECT address FROM mailboxes`);
  const isOwnAddress = (address: string) =>
    mailboxes.some((one) => one.address === address.replace(/^([^@+]*)\+[^@]*/, '$1'));
  const others = mail.cc
    .map(({ address }) => address)
    .filter((address) => address !== requester && !isOwnAddress(address));
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
  await discardFiles(db, [full_text.key]);
  return files;
}

/** Returns true if the author is authenticated. Only the From address is ever verified. */
const authenticationOf = ({ from, authenticated }: ReadMail, author: string): boolean | null =>
  author === from.address ? authenticated : null;

/** Stores the e-mail-specific data of a ticket. */
const storeMailDetails = (
  db: Db,
  { id, requester_email }: Pick<TicketRow, 'id' | 'requester_email'>,
  { mail, body, refused }: PreparedMail,
  description_truncated: boolean,
) =>
  db.ticket.updateMany({
    where: { id },
    data: {
      authenticated: authenticationOf(mail, requester_email),
      description_html: body.html,
      description_truncated,
      attachments_refused: refused,
    },
  });

/** Creates the ticket of an e-mail. */
async function createTicketFromMail(
  context: ChangeContext,
  mailbox: OpenMailbox,
  prepared: PreparedMail,
  { kind, match: { suspected_ticket_id } }: MailHandling,
): Promise<TicketRow> {
  const { db } = context;
  const { mail, body } = prepared;
  const { name, address: email } = requesterOf(mail, mailbox.requester_from);
  const requester = await requesterByAddress(db, { name, email });
  const isAnswered = kind === 'personal' && !suppressesAnswers(mail) && mailbox.auto_acknowledge;
  const acknowledged = isAnswered && (await shouldAcknowledge(db, email));
  const subject = cutText(mail.subject, SUBJECT_MAX) || 'No subject';
  const isTruncated = body.full_text !== null;
  const content = {
    subject,
    description: body.whole,
    category_id: mailbox.category_id,
    cc: await copiedAddresses(db, mail, email),
  };
  const origin = { channel: 'email', mailbox_id: mailbox.id, suspected_ticket_id, acknowledged };
  const files = await filesOf(db, prepared, isTruncated);
  const opened = await openTicket(context, { ...content, ...requester, ...origin }, files);
  await storeMailDetails(db, opened, prepared, isTruncated);
  return opened;
}

/**
 * Returns the author of an e-mail to a ticket. An agent requires an authenticated address, and the ticket must not be
 * their own. Defaults to a customer.
 */
async function authorOf(db: Db, ticket: TicketRow, mail: ReadMail, mailbox: OpenMailbox): Promise<ReplyAuthor> {
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
  { email }: ReplyAuthor,
  { requester_from }: OpenMailbox,
) {
  if (email === null) return { unverified: false, authenticated: authenticationOf(mail, mail.from.address) };
  const participant = [email, ...sendersOf(mail, requester_from)].find((one) => [requester_email, ...cc].includes(one));
  const isOther = participant !== undefined && participant !== email;
  return { unverified: !participant, authenticated: isOther ? null : authenticationOf(mail, email) };
}

/** Adds an e-mail to its ticket. A sender who is not a participant is shown as unverified, and gets no e-mails. */
async function addReplyFromMail(
  context: ChangeContext,
  mailbox: OpenMailbox,
  ticket: TicketRow,
  { prepared, links }: { prepared: PreparedMail; links: FileLinks },
) {
  const { db } = context;
  const { mail, body, refused } = prepared;
  const author = await authorOf(db, ticket, mail, mailbox);
  const files = await filesOf(db, prepared, body.is_truncated);
  const draft = { body: body.body, files, isQuiet: looksOutOfOffice(mail) };
  const reply = await addReply(context, ticket.id, draft, author, links);
  const { quoted, html, is_truncated: body_truncated } = body;
  const origin = { quoted, html, body_truncated, attachments_refused: refused };
  const verification = verificationOf(ticket, mail, author, mailbox);
  if (reply.id) await db.reply.updateMany({ where: { id: reply.id }, data: { ...verification, ...origin } });
  // A reply to a closed ticket has already become a new ticket.
  else
    await storeMailDetails(
      db,
      { id: reply.ticket.id, requester_email: author.email ?? ticket.requester_email },
      prepared,
      body.is_truncated,
    );
  return reply;
}

/**
 * Processes an e-mail. The transaction is restricted to the mailbox's workspace.
 * @throws ForgedThread, and TicketClosed for an agent's reply to a completed ticket
 */
export async function receiveMail(
  context: ChangeContext,
  mailbox: OpenMailbox,
  prepared: PreparedMail,
  stored: { received_key: string; raw_key: string; size: number; links: FileLinks; isRetried?: boolean },
): Promise<InboundMailResult> {
  const { db } = context;
  const { mail, refused } = prepared;
  const { received_key, raw_key, size, links, isRetried: isForgedIgnored = false } = stored;
  const { message_id, subject, from } = mail;
  const received = { mailbox_id: mailbox.id, received_key, message_id, subject, size, raw_key };
  const id = await claimMail(db, { ...received, from_address: from.address });
  if (!id) {
    await discardFiles(db, [raw_key, ...storageKeysOf(prepared)]);
    return { ...NO_RESULT, outcome: 'duplicate', ...(await readReceived(db, mailbox.id, received_key)) };
  }
  const handling = await handlingOf(db, mailbox, mail, isForgedIgnored);
  const { ticket } = handling;
  const ignored = await reasonToIgnore(db, mailbox, mail, handling);
  if (ignored) {
    await discardFiles(db, storageKeysOf(prepared));
    await recordOutcome(db, id, ignored);
    return { ...NO_RESULT, outcome: 'ignored', reason: ignored.reason!, ticket_id: ignored.ticket_id ?? null };
  }
  await pauseAddressInLoop(db, from.address);
  const { reply_id, affectedTicket } = ticket
    ? await addReplyFromMail(context, mailbox, ticket, { prepared, links }).then((reply) => ({
        reply_id: reply.id,
        affectedTicket: reply.ticket,
      }))
    : { reply_id: null, affectedTicket: await createTicketFromMail(context, mailbox, prepared, handling) };
  const outcome = reply_id ? 'replied' : 'created';
  await recordOutcome(db, id, { outcome, ticket_id: affectedTicket.id, reply_id });
  return {
    ...NO_RESULT,
    outcome,
    ticket_id: affectedTicket.id,
    number: affectedTicket.number,
    reply_id,
    attachments_refused: refused,
  };
}
