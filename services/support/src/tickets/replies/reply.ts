/** Adds a public reply of an agent or a customer to a ticket, and updates its status. */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { FileLinks, StoredFile } from '@suite/chassis/files';
import type { Caller } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import { TicketReplied } from '@suite/proto/support/v1/events';
import { fillVariables } from '../canned/variables.ts';
import { attachFiles } from '../../content/files/attachment.ts';
import { queueMail } from '../../emails/outbound-mail/mail.ts';
import type { Db } from '../../operations.ts';
import { showReplies } from '../thread/thread.view.ts';
import {
  type ChangeContext,
  changeTicket,
  lockTicket,
  requestedAction,
  type TicketRow,
} from '../ticket-states/ticket-change.ts';
import type { TicketSide } from '../ticket-states/ticket-side.rules.ts';
import { TicketClosed, TicketIsSpam, TicketMerged, type TicketAction } from '../ticket-states/ticket.rules.ts';
import { openTicket } from '../tickets/ticket.ts';
import { type FollowUpRequester, requesterOfReply, followUpFields } from './follow-up.ts';
import type { ReplyInput } from './reply.schema.ts';
import type { ReplyAuthor } from './reply-author.ts';

const COPIES_MAX = 10;

/** Reply with its files. */
export interface ReplyDraft extends ReplyInput {
  files: readonly StoredFile[];
  /** True if the reply changes neither the status nor the SLA timers, because it seems to be an automatic answer. */
  isQuiet?: boolean;
}

/** Checks that the requester could read an agent's reply. @throws TicketClosed, TicketMerged, TicketIsSpam */
function assertAnswerable({ status, merged_number }: TicketRow): void {
  if (status === 'closed') throw TicketClosed();
  if (status === 'merged') throw TicketMerged({ merged_into: merged_number });
  if (status === 'spam') throw TicketIsSpam();
}

/** Returns the transition of an agent's reply: a new ticket opens, others stay, unless the agent requests a status. */
function transitionByAgent(ticket: TicketRow, { status }: ReplyInput, caller: Caller | null): TicketAction | undefined {
  if (status) return requestedAction(ticket, status, caller);
  return ticket.status === 'new' ? 'open' : undefined;
}

/** Returns the status transition that a customer's reply causes. */
function transitionByCustomer(
  { status }: TicketRow,
  { status: requested, isQuiet }: ReplyDraft,
): TicketAction | undefined {
  if (isQuiet) return undefined;
  if (requested === 'resolved') return status === 'resolved' ? undefined : 'resolve';
  if (status === 'resolved') return 'reopen';
  return status === 'pending' || status === 'on_hold' ? 'open' : undefined;
}

async function assertInThread(db: Db, ticket: TicketRow, in_reply_to: string | undefined): Promise<void> {
  if (!in_reply_to) return;
  const [reply] = await db.rows(sql`
    SELECT FROM replies WHERE id = ${in_reply_to}::uuid AND thread_id = ${ticket.id}::uuid`);
  if (!reply) throw invalid('in_reply_to', 'Reply not found in this ticket.');
}

/** Returns the text to send, with the variables of a canned reply filled in. */
async function replyText(
  db: Db,
  ticket: TicketRow,
  { body, canned_reply_id }: ReplyDraft,
  agent_name: string,
): Promise<string> {
  if (!canned_reply_id) return body;
  const canned = await db.cannedReply.findFirst({ where: { id: canned_reply_id, active: true } });
  if (!canned) throw invalid('canned_reply_id', 'Canned reply not found.');
  return await fillVariables(db, body, ticket, agent_name);
}

interface StoredReply {
  id: string;
  author_kind: string;
  author_name: string;
  body: string;
  in_reply_to: string | null;
  at: string;
  delivery: string | null;
}

/** Reply with the ticket that the customer wrote to. For a merged ticket, their own. */
type StoredReplyWithTicket = StoredReply & { own_ticket_id: string };

/**
 * Returns the ticket where a customer reads their own reply. After a merge into another customer's ticket, it is their
 * own ticket.
 */
async function ownTicketOf(
  db: Db,
  { id, ...ticket }: TicketRow,
  requested_id: string,
  author: ReplyAuthor,
): Promise<string> {
  if (author.kind === 'agent') return id;
  const [own] = await db.rows<{ id: string }>(sql`
    SELECT id FROM tickets WHERE merged_into = ${id}::uuid AND deleted_at IS NULL AND (id = ${requested_id}::uuid
      OR (requester_email <> ${ticket.requester_email} AND requester_email = ${author.email})
      OR (requester_user_id IS DISTINCT FROM ${ticket.requester_user_id}::uuid AND requester_user_id = ${author.id}::uuid))
    ORDER BY id = ${requested_id}::uuid DESC, created_at, id LIMIT 1`);
  return own?.id ?? id;
}

/** Stores the reply. An agent's reply is queued as an e-mail to the requester and the copies. */
async function storeReply(
  context: ChangeContext,
  ticket: TicketRow,
  draft: ReplyDraft,
  { author, requested_id }: { author: ReplyAuthor; requested_id: string },
): Promise<StoredReplyWithTicket> {
  const { db } = context;
  await assertInThread(db, ticket, draft.in_reply_to);
  const body = await replyText(db, ticket, draft, author.name);
  const delivery = author.kind === 'agent' ? 'queued' : null;
  const own_ticket_id = await ownTicketOf(db, ticket, requested_id, author);
  const cc = [...new Set([...ticket.cc, ...(draft.cc ?? [])])].filter((address) => address !== ticket.requester_email);
  const recipients = delivery ? [ticket.requester_email, ...cc] : [];
  // The requesters of merged tickets who receive the reply can read it in their own tickets.
  const [reply] = await db.rows<StoredReply>(sql`
    WITH reply AS (
      INSERT INTO replies (id, ticket_id, thread_id, author_kind, author_id, author_name, author_email, body, in_reply_to, at,
        delivery, by_link)
      VALUES (${randomUUIDv7()}::uuid, ${own_ticket_id}::uuid, ${ticket.id}::uuid, ${author.kind}, ${author.id}::uuid, ${author.name},
        ${author.email}, ${body}, ${draft.in_reply_to ?? null}::uuid, ${clock.now()}, ${delivery}, ${author.by_link})
      RETURNING id, author_kind, author_name, body, in_reply_to, at, delivery),
    readers AS (
      UPDATE tickets SET public_version = public_version + 1, public_updated_at = ${clock.now()}
      WHERE merged_into = ${ticket.id}::uuid AND deleted_at IS NULL AND requester_email = ANY(${recipients}::text[])
      RETURNING id AS ticket_id),
    shown AS (INSERT INTO reply_readers (id, ticket_id) SELECT reply.id, readers.ticket_id FROM reply CROSS JOIN readers)
    SELECT * FROM reply`);
  if (delivery)
    await queueMail(db, ticket, { kind: 'reply', to: ticket.requester_email, cc, body, reply_id: reply!.id });
  return { ...reply!, own_ticket_id };
}

/** Returns the new list of copied recipients. @throws a 422 fault if there are too many */
function newCopies(ticket: TicketRow, cc: readonly string[] = []): string[] | undefined {
  const all = [...new Set([...ticket.cc, ...cc])];
  if (cc.length > 0 && all.length > COPIES_MAX)
    throw invalid('cc', `A ticket has at most ${COPIES_MAX} CC recipients.`);
  return all.length > ticket.cc.length ? all : undefined;
}

/** Creates a new ticket for a reply to a closed one, and links both. */
async function openFollowUp(
  context: ChangeContext,
  ticket: TicketRow,
  { body, cc, files }: ReplyDraft,
  requester: FollowUpRequester,
): Promise<TicketRow> {
  const { subject, category_id, type, channel, mailbox_id } = ticket;
  const { cc: copies, ...requesterFields } = await followUpFields(
    context.db,
    ticket,
    requester,
    newCopies(ticket, cc) ?? ticket.cc,
  );
  const content = { subject, description: body, category_id, type, channel };
  const origin = { linked_to: ticket.id, mailbox_id: mailbox_id ?? undefined };
  return await openTicket(context, { ...requesterFields, ...content, ...origin, cc: copies }, files);
}

/** Returns the newest open follow-up of a closed ticket whose requester or copied recipient is the author. */
async function findOpenFollowUp(
  { db }: ChangeContext,
  { id }: TicketRow,
  { requester_email: email }: FollowUpRequester,
): Promise<string | undefined> {
  const takesPart = sql`(tickets.requester_email = ${email} OR ${email} = ANY(tickets.cc)) AND tickets.deleted_at IS NULL`;
  const [next] = await db.rows<{ id: string }>(sql`
    WITH RECURSIVE successors (id, merged_into, at) AS (
      SELECT id, merged_into, created_at FROM tickets WHERE linked_to = ${id}::uuid AND ${takesPart}
      UNION SELECT tickets.id, tickets.merged_into, tickets.created_at
      FROM tickets JOIN successors ON tickets.linked_to = successors.id WHERE ${takesPart})
    SELECT target.id FROM successors JOIN tickets AS target ON target.id = coalesce(successors.merged_into, successors.id)
    WHERE target.deleted_at IS NULL AND target.status NOT IN ('closed', 'spam', 'merged') ORDER BY at DESC, target.id DESC LIMIT 1`);
  return next?.id;
}

/**
 * Locks the ticket that receives a customer's reply: the target of a merged ticket, or the open follow-up of a closed
 * one.
 */
async function lockReplyTarget(context: ChangeContext, id: string, requester: FollowUpRequester): Promise<TicketRow> {
  const ticket = await lockTicket(context, id);
  if (ticket.status === 'merged') return await lockReplyTarget(context, ticket.merged_into!, requester);
  const next = ticket.status === 'closed' ? await findOpenFollowUp(context, ticket, requester) : undefined;
  return next ? await lockReplyTarget(context, next, requester) : ticket;
}

/** Returns the ticket's status after a reply, as one side sees it. */
const ticketStatusFor = (
  side: TicketSide,
  { id, number, status, public_status, version, public_version }: TicketRow,
) =>
  side === 'agent' ? { id, number, status, version } : { id, number, status: public_status, version: public_version };

/**
 * Adds a reply. A customer's reply to a closed ticket creates a new one. A reply to a merged ticket is added to its
 * target.
 * @throws TicketClosed, TicketMerged, TicketIsSpam, InvalidTransition
 */
export async function addReply(
  context: ChangeContext,
  id: string,
  draft: ReplyDraft,
  author: ReplyAuthor,
  links: FileLinks,
) {
  const { db, emit } = context;
  const side = author.kind === 'agent' ? 'agent' : 'requester';
  // Without a caller, such as for an e-mail, the response is unused. Its work then counts for the author.
  const reader = { workspace_id: context.caller?.workspace_id ?? author.id ?? '', side, links } as const;
  const requester = side === 'agent' ? undefined : await requesterOfReply(db, id, author);
  const ticket = requester ? await lockReplyTarget(context, id, requester) : await lockTicket(context, id);
  if (!requester) assertAnswerable(ticket);
  // Requesters see spam as closed, and it behaves like a closed ticket.
  else if (ticket.status === 'closed' || ticket.status === 'spam') {
    const opened = await openFollowUp(context, ticket, draft, requester);
    const { description: body, created_at: at } = opened;
    const message = {
      id: '',
      author_kind: 'customer',
      author_name: author.name,
      body,
      at,
      in_reply_to: null,
      delivery: null,
    };
    const [shown] = await showReplies([message], [], reader);
    return { ...shown!, id: null, ticket: ticketStatusFor(side, opened) };
  }
  const verb =
    side === 'agent' ? transitionByAgent(ticket, draft, context.caller) : transitionByCustomer(ticket, draft);
  const { own_ticket_id, ...reply } = await storeReply(context, ticket, draft, { author, requested_id: id });
  const location = { ticket_id: own_ticket_id, thread_id: ticket.id, reply_id: reply.id };
  const files = await attachFiles(db, location, draft.files);
  const cc = newCopies(ticket, draft.cc);
  const requested = draft.isQuiet ? {} : { last_customer_reply_at: clock.now() };
  const replyTimes = side === 'agent' ? { last_agent_reply_at: clock.now() } : requested;
  const columns = { ...replyTimes, ...(cc && { cc }) };
  const changed = await changeTicket(context, ticket, { columns, verb, hasNewReply: true });
  const { number, status } = changed;
  emit(TicketReplied, { ticket_id: ticket.id, number, status, reply_id: reply.id, author: author.kind });
  const attached = files.map((file) => ({ ...file, owner_id: reply.id }));
  const [shown] = await showReplies([reply], attached, reader);
  return { ...shown!, ticket: ticketStatusFor(side, changed) };
}
