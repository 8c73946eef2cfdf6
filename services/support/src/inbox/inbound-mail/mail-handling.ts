/** Decides if an e-mail creates a ticket, becomes a reply or is ignored. */
import { sql } from '@suite/chassis/database';
import { recordActivities } from '../../settings/activities/activity.ts';
import {
  bouncedId,
  kindOf,
  looksOutOfOffice,
  type InboundMailKind,
} from '../../emails/correspondence/classification.ts';
import { type ConversationMatch, findConversation } from '../../emails/correspondence/conversation.ts';
import { findSentMail, type MailOutcome } from '../../emails/correspondence/mail-records.ts';
import type { ReadMail } from '../../emails/correspondence/message.ts';
import { ticketInLoop } from '../../emails/correspondence/mail-loops.ts';
import { requesterOf } from '../../emails/correspondence/thread.ts';
import type { OpenMailbox } from '../../settings/mailboxes/token.ts';
import { isForAgents, queueFailureNotice } from '../../emails/outbound-mail/mail.ts';
import type { Db } from '../../operations.ts';
import { colleagueByAddress } from '../../settings/ticket-references/ticket-references.ts';
import { TICKET_COLUMNS, type TicketRow } from '../../tickets/ticket-states/ticket-change.ts';

/** Handling of one e-mail. */
export interface MailHandling {
  kind: InboundMailKind | 'blocked';
  match: ConversationMatch;
  /** Ticket that receives the e-mail. Undefined for a new ticket. */
  ticket?: TicketRow | undefined;
}

async function isBlocked(db: Db, address: string): Promise<boolean> {
  const senders = [address, address.slice(address.lastIndexOf('@'))];
  return (await db.blockedSender.count({ where: { sender: { in: senders } } })) > 0;
}

/** Marks a reply as undeliverable. */
async function markBounced(db: Db, mail: ReadMail): Promise<void> {
  const id = bouncedId(mail);
  const sent = id && (await findSentMail(db, id));
  if (!sent) return;
  if (sent.reply_id) await db.reply.updateMany({ where: { id: sent.reply_id }, data: { delivery: 'bounced' } });
  await recordActivities(db, [{ ticket_id: sent.ticket_id, verb: 'mail_bounced' }]);
  const sentMail = await db.mail.findFirst({ where: { message_id: id }, select: { to: true, kind: true } });
  if (sentMail && !isForAgents(sentMail.kind)) await queueFailureNotice(db, sent.ticket_id, sentMail.to);
}

/** Returns a ticket, or the target of a merged one. */
async function readThreadOf(db: Db, id: string): Promise<TicketRow> {
  const [ticket] = await db.rows<TicketRow>(sql`SELECT ${TICKET_COLUMNS} FROM tickets WHERE id = ${id}::uuid`);
  return ticket!.status === 'merged' ? await readThreadOf(db, ticket!.merged_into!) : ticket!;
}

/**
 * Checks for an out-of-office reply to a completed ticket, or from an agent. Such replies are not part of the thread.
 */
async function isOutOfOfficeReply(db: Db, mail: ReadMail, { status }: TicketRow): Promise<boolean> {
  if (!looksOutOfOffice(mail)) return false;
  if (status === 'closed' || status === 'spam') return true;
  return mail.authenticated === true && (await colleagueByAddress(db, mail.from.address)) !== undefined;
}

/** Decides how an e-mail is handled. @throws ForgedThread */
export async function handlingOf(
  db: Db,
  mailbox: OpenMailbox,
  mail: ReadMail,
  isForgedIgnored: boolean,
): Promise<MailHandling> {
  const isOwn = Boolean(mail.message_id && (await findSentMail(db, mail.message_id)));
  const kind = kindOf(mail, { workspace_id: mailbox.workspace_id, isOwn });
  if (kind === 'loop' || kind === 'bounce') return { kind, match: {} };
  if (await isBlocked(db, mail.from.address)) return { kind: 'blocked', match: {} };
  const match = await findConversation(db, mailbox, mail, { isForgedIgnored });
  const { address } = requesterOf(mail, mailbox.requester_from);
  const ticket_id = match.ticket_id ?? (await ticketInLoop(db, address));
  const ticket = ticket_id ? await readThreadOf(db, ticket_id) : undefined;
  const isAnswer = ticket && kind === 'personal' && (await isOutOfOfficeReply(db, mail, ticket));
  return { kind: isAnswer ? 'auto_reply' : kind, match, ticket };
}

/** Returns true if a mailbox rejects e-mails of this kind. */
const isKindRejected = ({ mailing_lists, automatic_emails }: OpenMailbox, kind: InboundMailKind): boolean =>
  (kind === 'mailing_list' && mailing_lists === 'refuse') ||
  ((kind === 'automatic' || kind === 'auto_reply') && automatic_emails === 'refuse');

/** Returns why an e-mail becomes neither a ticket nor a reply. Undefined if it becomes one. */
export async function reasonToIgnore(
  db: Db,
  mailbox: OpenMailbox,
  mail: ReadMail,
  { kind, match: { ticket_id } }: MailHandling,
): Promise<MailOutcome | undefined> {
  if (kind === 'personal') return undefined;
  if (kind === 'bounce') await markBounced(db, mail);
  if (kind === 'loop' || kind === 'bounce' || kind === 'blocked') return { outcome: 'ignored', reason: kind };
  // An automatic reply must not reopen the ticket.
  if (ticket_id && kind !== 'mailing_list') {
    await recordActivities(db, [{ ticket_id, verb: 'auto_reply' }]);
    return { outcome: 'ignored', reason: kind, ticket_id };
  }
  return !ticket_id && isKindRejected(mailbox, kind) ? { outcome: 'ignored', reason: kind } : undefined;
}
