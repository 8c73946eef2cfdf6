/**
 * The one place where a ticket changes. It locks the row, applies the transition, writes the history, emits events, and
 * updates the requester's view. Anything that must follow each change (SLA timers, e-mails) is called from here.
 */
import { join, raw, type Sql, sql } from '@suite/chassis/database';
import { InvalidTransition, NotFound } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { Emit } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import { TicketAssigned, TicketStatusChanged } from '@suite/proto/support/v1/events';
import { withIdsAndTimes, activitiesInsert } from '../../settings/activities/activity.ts';
import { historyOf } from '../../settings/activities/ticket-history.ts';
import { timersInsert } from '../../sla/timers/timer-rows.ts';
import { updateTimers, type TimedTicket } from '../../sla/timers/ticket-timers.ts';
import { notifyAssignee, queueSurvey } from '../../emails/outbound-mail/ticket-mail.ts';
import { withdrawSurveys } from '../../emails/outbound-mail/mail.ts';
import type { Db } from '../../operations.ts';
import { readDeskSettings } from '../../settings/settings/settings.ts';
import { actionsFor, publicStatus } from './ticket-side.rules.ts';
import { type TicketState, ticketStates, type TicketAction, actionTo, anyActionTo } from './ticket.rules.ts';

/** Context of a ticket change by a caller, a schedule or the holder of a link. */
export interface ChangeContext {
  db: Db;
  emit: Emit;
  caller: Caller | null;
}

/** Ticket with the fields that rules need. */
export interface TicketRow {
  id: string;
  workspace_id: string;
  number: string;
  subject: string;
  description: string;
  requester_name: string;
  requester_email: string;
  requester_user_id: string | null;
  customer_id: string | null;
  customer_name: string | null;
  category_id: string | null;
  priority: string;
  type: string | null;
  status: TicketState;
  public_status: string;
  assignee_id: string | null;
  team: string | null;
  tags: string[];
  channel: string;
  cc: string[];
  silent: boolean;
  pending_until: string | null;
  moves_at: string | null;
  merged_into: string | null;
  merged_number: string | null;
  linked_to: string | null;
  mailbox_id: string | null;
  resolved_at: string | null;
  closed_at: string | null;
  over_since: string | null;
  last_agent_reply_at: string | null;
  rating: number | null;
  terms_id: string | null;
  created_at: string;
  public_version: number;
  version: number;
}

/** Columns of `TicketRow`. */
export const TICKET_COLUMNS = raw(
  `id, workspace_id, number, subject, description, requester_name, requester_email, requester_user_id, customer_id,
  customer_name, category_id, priority, type, status, public_status, assignee_id, team, tags, channel, cc, silent,
  pending_until, moves_at, merged_into, merged_number, linked_to, mailbox_id, resolved_at, closed_at, over_since, last_agent_reply_at, rating,
  terms_id, created_at, public_version, version`,
);

/** Columns that can change without a status change. */
type ChangedColumns = Partial<
  Pick<
    TicketRow,
    | 'subject'
    | 'priority'
    | 'type'
    | 'category_id'
    | 'assignee_id'
    | 'team'
    | 'tags'
    | 'cc'
    | 'customer_id'
    | 'customer_name'
  >
> & {
  last_customer_reply_at?: Date;
  last_agent_reply_at?: Date;
  rating?: number;
  rating_comment?: string | null;
  rated_at?: Date;
};

/** Change of a ticket. */
export interface TicketChange {
  columns?: ChangedColumns;
  verb?: TicketAction | undefined;
  pending_until?: string | null | undefined;
  merged?: Pick<TicketRow, 'id' | 'number' | 'public_status'>;
  /** True if requesters see something new that is in none of the ticket's columns: a reply. */
  hasNewReply?: boolean;
  /** Time of the change. For a change caused by time, its due time. */
  at?: Date;
}

const DAY_MS = 86_400_000;
const COMPLETED_STATUSES: readonly string[] = ['resolved', 'closed'];
/** Ticket columns that requesters can read. */
const PUBLIC_COLUMNS = ['subject', 'priority', 'type', 'category_id', 'rating'];
async function readLocked(db: Db, id: string): Promise<TicketRow> {
  const [ticket] = await db.rows<TicketRow>(sql`
    SELECT ${TICKET_COLUMNS} FROM tickets WHERE id = ${id}::uuid AND deleted_at IS NULL FOR NO KEY UPDATE`);
  if (!ticket) throw NotFound();
  return ticket;
}

/**
 * Locks a ticket until the transaction ends. Executes an overdue automatic transition first, so that no caller sees an
 * outdated status. At the exact due time, the first transaction takes precedence.
 * @throws NotFound
 */
export async function lockTicket(context: ChangeContext, id: string): Promise<TicketRow> {
  const ticket = await readLocked(context.db, id);
  return ticket.moves_at !== null && Date.parse(ticket.moves_at) < clock.now().getTime()
    ? await applyDueTransition(context, ticket)
    : ticket;
}

/** Applies the change caused by time: opens a pending ticket, or closes a resolved one. The ticket must be locked. */
export async function applyDueTransition(context: ChangeContext, ticket: TicketRow): Promise<TicketRow> {
  const verb = ticket.status === 'pending' ? 'open' : 'close';
  return await changeTicket({ ...context, caller: null }, ticket, { verb, at: new Date(ticket.moves_at!) });
}

/** Returns the columns that change with the status. */
async function statusColumns({ db }: ChangeContext, before: TicketRow, change: TicketChange, at: Date) {
  const { verb, pending_until = null, merged } = change;
  const cleared = { pending_until: null, moves_at: null };
  const over_since = before.over_since ?? at;
  if (verb === 'wait') return { pending_until, moves_at: pending_until };
  if (verb === 'close') return { ...cleared, closed_at: at };
  if (verb === 'merge') return { ...cleared, over_since, merged_into: merged!.id, merged_number: merged!.number };
  if (verb === 'mark_spam') return { ...cleared, over_since };
  if (verb === 'resolve') {
    const { reopen_days } = await readDeskSettings(db);
    return { ...cleared, over_since, resolved_at: at, moves_at: new Date(at.getTime() + reopen_days * DAY_MS) };
  }
  if (verb !== 'reopen' && verb !== 'restore') return cleared;
  const reopened = { ...cleared, over_since: null, reopened_at: at };
  if (verb === 'restore') return reopened;
  return { ...reopened, rating: null, rating_comment: null, rated_at: null, resolved_at: null };
}

/** Emits the events of a change, and updates everything that depends on the status. */
async function emitChange({ db, emit }: ChangeContext, before: TicketRow, after: TicketRow, at: Date): Promise<void> {
  const { id: ticket_id, number, status } = after;
  if (before.assignee_id !== after.assignee_id && after.assignee_id !== null)
    emit(TicketAssigned, { ticket_id, number, status, assignee_id: after.assignee_id });
  if (before.status === after.status) return;
  emit(TicketStatusChanged, { ticket_id, number, status, from: before.status });
  if (status === 'resolved') await queueSurvey(db, after, at);
  else if (before.status === 'resolved' && status !== 'closed') await withdrawSurveys(db, ticket_id);
}

/** Copies the status to tickets merged into this one, for their requesters. */
async function copyStatusToMerged(db: Db, { id, public_status }: TicketRow): Promise<void> {
  await db.rows(sql`
    UPDATE tickets SET public_status = ${public_status}, public_version = public_version + 1, public_updated_at = ${clock.now()}
    WHERE merged_into = ${id}::uuid AND public_status <> ${public_status}`);
}

/** Applies a change to the SLA timers. The changed columns show which side has replied. */
function updateTicketTimers(
  db: Db,
  before: TicketRow,
  after: TimedTicket,
  { columns, at }: { columns: ChangedColumns; at: Date },
) {
  // Chosen: a customer's reply that marks the ticket as solved needs no response.
  const requesterReplied = columns.last_customer_reply_at !== undefined && !COMPLETED_STATUSES.includes(after.status);
  const agentReplied = columns.last_agent_reply_at !== undefined;
  return updateTimers(db, before, after, { at, requesterReplied, agentReplied });
}

/** Columns of a change, and the counters to increase. */
interface TicketPatch {
  columns: object;
  isPublic: boolean;
  verb: TicketAction | undefined;
}

/** Returns the part of a statement that changes a ticket, using the status table for transitions. */
function ticketUpdate(id: string, { columns, isPublic, verb }: TicketPatch): Sql {
  const transition = verb && ticketStates.moving(verb);
  const changes = Object.entries(columns).filter(([, value]) => value !== undefined);
  const names = join(changes.map(([name]) => raw(name)));
  const patch = JSON.stringify(Object.fromEntries(changes));
  const sets = [
    sql`(${names}) = (SELECT ${names} FROM jsonb_populate_record(NULL::tickets, ${patch}::jsonb))`,
    ...(isPublic ? [sql`public_version = public_version + 1`] : []),
    ...(verb === 'reopen' ? [sql`reopened_count = reopened_count + 1`] : []),
    ...(transition ? [transition.set] : []),
  ];
  return sql`UPDATE tickets SET ${join(sets)} WHERE id = ${id}::uuid AND ${transition?.guard ?? sql`TRUE`} RETURNING *`;
}

/**
 * Changes a locked ticket, with its SLA timers and its history, in one statement. @returns the changed ticket
 * @throws InvalidTransition when its status does not allow the action
 */
export async function changeTicket(
  context: ChangeContext,
  before: TicketRow,
  change: TicketChange,
): Promise<TicketRow> {
  const { db, caller } = context;
  const { columns = {}, verb, at = clock.now(), merged, hasNewReply = false } = change;
  const status = verb ? statusAfter(before, verb, caller) : before.status;
  const public_status = merged?.public_status ?? (status === 'merged' ? before.public_status : publicStatus(status));
  const isPublic =
    hasNewReply || public_status !== before.public_status || PUBLIC_COLUMNS.some((name) => name in columns);
  const sla = await updateTicketTimers(db, before, { ...before, ...columns, status }, { columns, at });
  const statusValues = verb && (await statusColumns(context, before, change, at));
  const publicColumns = isPublic ? { public_updated_at: clock.now() } : {};
  const patch = { ...columns, ...publicColumns, public_status, ...sla.values, ...statusValues };
  const [after] = await db.rows<TicketRow>(sql`
    WITH changed AS (${ticketUpdate(before.id, { columns: patch, isPublic, verb })}),
    ${timersInsert(sla.clocks)},
    history AS (${activitiesInsert(withIdsAndTimes(historyOf(before, status, columns, at)))})
    SELECT ${TICKET_COLUMNS} FROM changed`);
  await emitChange(context, before, after!, at);
  if (after!.assignee_id !== before.assignee_id && after!.assignee_id !== caller?.user_id)
    await notifyAssignee(db, after!);
  if (after!.public_status !== before.public_status) await copyStatusToMerged(db, after!);
  return after!;
}

/** Returns the status that an action leads to. @throws InvalidTransition, in the terms of the caller's side */
function statusAfter(ticket: TicketRow, verb: TicketAction, caller: Caller | null): TicketState {
  const to = ticketStates.table[ticket.status]?.[verb];
  if (to) return to as TicketState;
  throw transitionFault(ticket, verb, caller);
}

/**
 * Returns the fault for an action that the status does not allow. A requester only gets statuses that are visible to
 * requesters.
 */
function transitionFault(ticket: TicketRow, action: string, caller: Caller | null) {
  const allowed = caller ? actionsFor(caller, ticket) : [];
  const isAgentSide = allowed.includes('update') || caller === null;
  return InvalidTransition({ from: isAgentSide ? ticket.status : ticket.public_status, action, allowed });
}

/**
 * Returns the action that moves a ticket to the requested status.
 * @returns undefined if the ticket already has this status
 * @throws InvalidTransition
 */
export function requestedAction(ticket: TicketRow, to: string, caller: Caller | null): TicketAction | undefined {
  if (ticket.status === to) return undefined;
  const verb = actionTo(ticket.status, to);
  if (!verb) throw transitionFault(ticket, anyActionTo(to), caller);
  return verb;
}
