/** Makes tickets and replies of e-mails. Each e-mail has its effect once, however often it is handed in. */
import { createHash } from 'node:crypto';
import { type FileLinks, sql, type StoredFile } from '@suite/chassis';
import { recordActivities } from '../activities/activity.ts';
import { isForAgents, queueFailureNotice } from '../mails/mail.ts';
import type { OpenMailbox } from '../mailboxes/token.ts';
import type { Db } from '../operations.ts';
import { addReply, type Speaker } from '../replies/reply.ts';
import { colleagueByAddress, requesterByAddress } from '../people/people.ts';
import { type ChangeContext, TICKET_COLUMNS, type TicketRow } from '../tickets/ticket-change.ts';
import { openTicket } from '../tickets/ticket.ts';
import type { MailBody } from '../correspondence/body.ts';
import { bouncedId, kindOf } from '../correspondence/classification.ts';
import { type Found, findConversation } from '../correspondence/conversation.ts';
import type { TakenMail } from './inbound.schema.ts';
import { claimMail, findByIds, readTaken, type Settled, settleMail } from '../correspondence/known-mail.ts';
import { LIMITS } from '../correspondence/mail.rules.ts';
import { cutText, type ReadMail } from '../correspondence/message.ts';
import { floodedTicket, isAcknowledged, noteExchange } from '../correspondence/storms.ts';
import { requesterOf } from '../correspondence/thread.ts';

/** An e-mail that was read, with what is kept of it. */
export interface PreparedMail {
  mail: ReadMail;
  body: MailBody;
  files: readonly StoredFile[];
  refused: TakenMail['attachments_refused'];
}

/** The longest subject of a ticket. */
const SUBJECT_MAX = 200;

/** By what an e-mail is known again: its own id, or its bytes. */
export const keyOf = (raw: Uint8Array, message_id: string | null): string =>
  message_id ?? `sha256:${createHash('sha256').update(raw).digest('hex')}`;

const keysOf = ({ files }: PreparedMail): string[] => files.map(({ key }) => key);

/** Has objects removed from the storage once the transaction is done. */
const discard = (db: Db, keys: readonly string[]): Promise<unknown> =>
  db.discardedFile.createMany({ data: keys.map((key) => ({ key })), skipDuplicates: true });

const nothing = { reason: null, ticket_id: null, number: null, reply_id: null, attachments_refused: [] };

async function isBlocked(db: Db, address: string): Promise<boolean> {
  const senders = [address, address.slice(address.lastIndexOf('@'))];
  return (await db.blockedSender.count({ where: { sender: { in: senders } } })) > 0;
}

/** A reply that did not arrive: its mail server gave it back. */
async function markBounced(db: Db, mail: ReadMail): Promise<void> {
  const id = bouncedId(mail);
  const sent = id && (await findByIds(db, [id], 'out'));
  if (!sent) return;
  if (sent.reply_id) await db.reply.updateMany({ where: { id: sent.reply_id }, data: { delivery: 'bounced' } });
  await recordActivities(db, [{ ticket_id: sent.ticket_id, verb: 'mail_bounced' }]);
  const mailed = await db.mail.findFirst({ where: { message_id: id }, select: { to: true, kind: true } });
  if (mailed && !isForAgents(mailed.kind)) await queueFailureNotice(db, sent.ticket_id, mailed.to);
}

/** Why an e-mail is not read as somebody's words; undefined for one that is. */
async function reasonToIgnore(
  db: Db,
  mailbox: OpenMailbox,
  mail: ReadMail,
  isForgedIgnored: boolean,
): Promise<Settled | undefined> {
  const isOurs = Boolean(mail.message_id && (await findByIds(db, [mail.message_id], 'out')));
  const kind = kindOf(mail, { workspace_id: mailbox.workspace_id, isOurs });
  if (kind === 'loop') return { outcome: 'ignored', reason: 'loop' };
  if (kind === 'bounce') {
    await markBounced(db, mail);
    return { outcome: 'ignored', reason: 'bounce' };
  }
  if (kind === 'auto_reply') {
    const { ticket_id } = await findConversation(db, mailbox, mail, { isForgedIgnored });
    if (ticket_id) await recordActivities(db, [{ ticket_id, verb: 'auto_reply' }]);
    return { outcome: 'ignored', reason: 'auto_reply', ...(ticket_id && { ticket_id }) };
  }
  return (await isBlocked(db, mail.from.address)) ? { outcome: 'ignored', reason: 'blocked' } : undefined;
}

/** The addresses that read along, without our own. */
async function copiesOf(db: Db, mail: ReadMail, requester: string): Promise<string[]> {
  const own = await db.rows<{ address: string }>(sql`SELECT address FROM mailboxes`);
  const isOurs = (address: string) => own.some((one) => one.address === address.replace(/\+[^@]*(?=@)/, ''));
  const others = mail.cc.map(({ address }) => address).filter((address) => address !== requester && !isOurs(address));
  return [...new Set(others)].slice(0, LIMITS.cc);
}

/** Keeps with a ticket what it is that only e-mails have. */
const keepOrigin = (db: Db, id: string, { mail, body, refused }: Pick<PreparedMail, 'mail' | 'body' | 'refused'>) =>
  db.ticket.updateMany({
    where: { id },
    data: { authenticated: mail.authenticated, description_html: body.html, attachments_refused: refused },
  });

/** Opens the ticket of an e-mail. */
async function openFromMail(
  context: ChangeContext,
  mailbox: OpenMailbox,
  { mail, body, files, refused }: PreparedMail,
  { suspected_ticket_id }: Found,
): Promise<TicketRow> {
  const { db } = context;
  const { name, address: email } = requesterOf(mail);
  const whose = await requesterByAddress(db, { name, email });
  const acknowledged = mailbox.auto_acknowledge && (await isAcknowledged(db, email));
  const subject = cutText(mail.subject, SUBJECT_MAX) || 'No subject';
  const description = [body.body, body.quoted].filter(Boolean).join('\n\n').slice(0, LIMITS.shown);
  const about = { subject, description, category_id: mailbox.category_id, cc: await copiesOf(db, mail, email) };
  const origin = { channel: 'email', mailbox_id: mailbox.id, suspected_ticket_id, acknowledged };
  const opened = await openTicket(context, { ...about, ...whose, ...origin }, files);
  await keepOrigin(db, opened.id, { mail, body, refused });
  return opened;
}

/**
 * The author of an e-mail to a ticket: a colleague, where the mail server vouches for the address and it is not his own ticket;
 * otherwise somebody on the requester's side.
 */
async function authorOf(db: Db, ticket: TicketRow, { from, authenticated }: ReadMail): Promise<Speaker> {
  const { name, address: email } = from;
  const isOwn = ticket.requester_email === email;
  const colleague = authenticated === true && !isOwn ? await colleagueByAddress(db, email) : undefined;
  if (colleague && colleague.id !== ticket.requester_user_id)
    return { kind: 'agent', id: colleague.id, name: colleague.name, email: null, by_link: false };
  const { requester_user_id: id } = await requesterByAddress(db, { name, email });
  return { kind: 'customer', id, name: name || email, email, by_link: false };
}

/** A ticket; of one that was merged, its target. */
async function readThreadOf(db: Db, id: string): Promise<TicketRow> {
  const [ticket] = await db.rows<TicketRow>(sql`SELECT ${TICKET_COLUMNS} FROM tickets WHERE id = ${id}::uuid`);
  return ticket!.status === 'merged' ? await readThreadOf(db, ticket!.merged_into!) : ticket!;
}

/** Adds an e-mail to its ticket. Whoever does not take part in it is shown as unverified, and gets no mail. */
async function replyFromMail(
  context: ChangeContext,
  ticket_id: string,
  { mail, body, files, refused }: PreparedMail,
  links: FileLinks,
) {
  const { db } = context;
  const ticket = await readThreadOf(db, ticket_id);
  const speaker = await authorOf(db, ticket, mail);
  const reply = await addReply(context, ticket.id, { body: body.body, files }, speaker, links);
  const takesPart = speaker.kind === 'agent' || [ticket.requester_email, ...ticket.cc].includes(mail.from.address);
  const { authenticated } = mail;
  const origin = { quoted: body.quoted, html: body.html, authenticated, attachments_refused: refused };
  if (reply.id) await db.reply.updateMany({ where: { id: reply.id }, data: { unverified: !takesPart, ...origin } });
  // Words on a closed ticket have become a ticket of their own.
  else await keepOrigin(db, reply.ticket.id, { mail, body, refused });
  return reply;
}

/**
 * Takes an e-mail in. The transaction is confined to the mailbox's workspace.
 * @throws ForgedThread, and TicketClosed for a colleague's words on a ticket that is over
 */
export async function takeMail(
  context: ChangeContext,
  mailbox: OpenMailbox,
  prepared: PreparedMail,
  kept: { received_key: string; raw_key: string; links: FileLinks; isRetried?: boolean },
): Promise<TakenMail> {
  const { db } = context;
  const { mail, refused } = prepared;
  const { received_key, raw_key, links, isRetried: isForgedIgnored = false } = kept;
  const received = { mailbox_id: mailbox.id, received_key, message_id: mail.message_id, raw_key };
  const id = await claimMail(db, { ...received, from_address: mail.from.address });
  if (!id) {
    await discard(db, [raw_key, ...keysOf(prepared)]);
    return { ...nothing, outcome: 'duplicate', ...(await readTaken(db, mailbox.id, received_key)) };
  }
  const ignored = await reasonToIgnore(db, mailbox, mail, isForgedIgnored);
  if (ignored) {
    await discard(db, keysOf(prepared));
    await settleMail(db, id, ignored);
    return { ...nothing, outcome: 'ignored', reason: ignored.reason!, ticket_id: ignored.ticket_id ?? null };
  }
  await noteExchange(db, mail.from.address);
  const found = await findConversation(db, mailbox, mail, { isForgedIgnored });
  const ticket_id = found.ticket_id ?? (await floodedTicket(db, requesterOf(mail).address));
  if (ticket_id) {
    const { id: reply_id, ticket } = await replyFromMail(context, ticket_id, prepared, links);
    const outcome = reply_id ? 'replied' : 'created';
    await settleMail(db, id, { outcome, ticket_id: ticket.id, reply_id });
    return { ...nothing, outcome, ticket_id: ticket.id, number: ticket.number, reply_id, attachments_refused: refused };
  }
  const opened = await openFromMail(context, mailbox, prepared, found);
  await settleMail(db, id, { outcome: 'created', ticket_id: opened.id });
  return { ...nothing, outcome: 'created', ticket_id: opened.id, number: opened.number, attachments_refused: refused };
}
