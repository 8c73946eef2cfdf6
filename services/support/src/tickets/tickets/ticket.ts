/** Creates, updates and deletes tickets. */
import { randomUUIDv7 } from 'node:crypto';
import { assertVersion, type Sql, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { StoredFile } from '@suite/chassis/files';
import type { Caller } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import { TicketAssigned, TicketCreated } from '@suite/proto/support/v1/events';
import { type PlatformUser, upsertUserCopies } from '@suite/user-copies';
import {
  withIdsAndTimes,
  recordActivities,
  type StoredActivity,
  activitiesInsert,
} from '../../settings/activities/activity.ts';
import { storeTimers, timersInsert } from '../../sla/timers/timer-rows.ts';
import { type PolicyRow, readPolicies } from '../../sla/timers/sla-policy-version.ts';
import { startTimers, type SlaChange, updateTimers, type SlaValues } from '../../sla/timers/ticket-timers.ts';
import { attachFiles, type FileRow } from '../../content/files/attachment.ts';
import { queueAcknowledgment, isAcknowledgmentDue, notifyAssignee } from '../../emails/outbound-mail/ticket-mail.ts';
import { customerCopies } from '../../copies.ts';
import type { CommandContext, Db } from '../../operations.ts';
import { readCategoryDefaults } from '../categories/category-defaults.ts';
import { nextNumber } from './numbers.ts';
import {
  callerAsRequester,
  customerOf,
  type TicketReferences,
  type Requester,
  requesterByAddress,
} from '../../settings/ticket-references/ticket-references.ts';
import {
  type ChangeContext,
  changeTicket,
  lockTicket,
  requestedAction,
  TICKET_COLUMNS,
  type TicketChange,
  type TicketRow,
} from '../ticket-states/ticket-change.ts';
import { assertAgentSide, isAgent, publicStatus } from '../ticket-states/ticket-side.rules.ts';
import type { TicketChanges, TicketInput } from './ticket.schema.ts';

/** Fields of a new ticket from any source. */
export interface NewTicket extends Requester {
  subject: string;
  description: string;
  customer_id?: string | null | undefined;
  customer_name?: string | null | undefined;
  category_id?: string | null | undefined;
  priority?: string | undefined;
  type?: string | null | undefined;
  status?: string | undefined;
  assignee_id?: string | null | undefined;
  tags?: readonly string[] | undefined;
  cc?: readonly string[] | undefined;
  channel: string;
  external_id?: string | null | undefined;
  silent?: boolean | undefined;
  /** True if an agent opens the ticket on their own initiative. No first response is due then. */
  own_initiative?: boolean | undefined;
  linked_to?: string | undefined;
  mailbox_id?: string | undefined;
  suspected_ticket_id?: string | undefined;
  /** Overrides the workspace's setting for acknowledgments. */
  acknowledged?: boolean | undefined;
}

/** New ticket with all derived values. */
interface CompleteTicket extends NewTicket {
  id: string;
  priority: string;
  status: string;
  at: Date;
}

/**
 * Inserts a ticket with its number, SLA timers and first history entries in one statement. Others therefore wait for
 * the number only briefly.
 */
const ticketInsert = (
  { at, ...ticket }: CompleteTicket,
  { values, clocks }: SlaChange & { values: SlaValues },
  { history, columns }: { history: readonly StoredActivity[]; columns: Sql },
): Sql => {
  const { counter, number } = nextNumber.inStatement('ticket', at.toISOString());
  return sql`
    WITH counter AS (${counter}),
    opened AS (
      INSERT INTO tickets (id, number, subject, description, requester_name, requester_email, requester_user_id, customer_id,
        customer_name, category_id, priority, type, status, public_status, assignee_id, tags, cc, channel, external_id, silent,
        linked_to, mailbox_id, suspected_ticket_id, terms_id, first_response_due, resolution_due, next_due_at,
        next_warning_at, created_at, updated_at, public_updated_at)
      SELECT ${ticket.id}::uuid, ${number}, ${ticket.subject}, ${ticket.description}, ${ticket.requester_name},
        ${ticket.requester_email}, ${ticket.requester_user_id}::uuid, ${ticket.customer_id ?? null}::uuid,
        ${ticket.customer_name ?? null}, ${ticket.category_id ?? null}::uuid, ${ticket.priority}, ${ticket.type ?? null},
        ${ticket.status}, ${publicStatus(ticket.status)}, ${ticket.assignee_id ?? null}::uuid,
        ${ticket.tags ?? []}::text[], ${ticket.cc ?? []}::text[], ${ticket.channel}, ${ticket.external_id ?? null},
        ${ticket.silent ?? false}, ${ticket.linked_to ?? null}::uuid, ${ticket.mailbox_id ?? null}::uuid,
        ${ticket.suspected_ticket_id ?? null}::uuid, ${values.terms_id}::uuid,
        ${values.first_response_due}::timestamptz, ${values.resolution_due}::timestamptz,
        ${values.next_due_at}::timestamptz, ${values.next_warning_at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz,
        ${at}::timestamptz
      FROM counter RETURNING *),
    ${timersInsert(clocks)},
    history AS (${activitiesInsert(history)})
    SELECT ${columns} FROM opened AS tickets`;
};

/** Returns the SLA timers of a new ticket, by the fields that policies use. */
const startTicketTimers = (db: Db, ticket: CompleteTicket, policies: PolicyRow[]) => {
  const { id, at, priority, status, channel, category_id = null, type = null, customer_id = null, tags = [] } = ticket;
  const own_initiative = ticket.own_initiative ?? ticket.silent ?? false;
  const criteria = { id, priority, status, channel, category_id, type, customer_id, tags };
  return startTimers(db, criteria, { policies, at, own_initiative });
};

/** Ticket as its view returns it. */
export type TicketResponseRow = Record<string, unknown> & Pick<TicketRow, 'id' | 'number' | 'requester_user_id'>;

/** Created ticket with its columns and related records. */
export interface CreatedTicket<Row> {
  ticket: Row;
  files: FileRow[];
  history: StoredActivity[];
}

/** Options for opening a ticket: its files, and the columns to return, including the number. */
interface CreationOptions {
  files?: readonly StoredFile[];
  columns: Sql;
}

/** Opens a ticket. Takes its number last, so that concurrent requests do not wait during lookups. */
async function createWithDefaults<Row extends { number: string }>(
  { db, emit, caller }: ChangeContext,
  ticket: NewTicket,
  { files = [], columns }: CreationOptions,
): Promise<CreatedTicket<Row>> {
  const customer = ticket.customer_id === undefined ? await customerOf(db, ticket.requester_user_id) : undefined;
  const policies = await readPolicies(db);
  const category = await readCategoryDefaults(db, ticket.category_id);
  const isAcknowledgmentWanted = await isAcknowledgmentDue(db, ticket);
  const assignee_id = ticket.assignee_id === undefined ? category.default_assignee : ticket.assignee_id;
  const priority = ticket.priority ?? category.priority ?? 'medium';
  const [id, status] = [randomUUIDv7(), ticket.status ?? 'new'];
  const newTicket: CompleteTicket = { ...ticket, ...customer, id, assignee_id, priority, status, at: clock.now() };
  const history = withIdsAndTimes([{ ticket_id: id, verb: 'created' }]);
  const slaChange = await startTicketTimers(db, newTicket, policies);
  const [row] = await db.rows<Row>(ticketInsert(newTicket, slaChange, { history, columns }));
  const { number } = row!;
  const attached = await attachFiles(db, { ticket_id: id }, files);
  if (isAcknowledgmentWanted) await queueAcknowledgment(db, { ...newTicket, number });
  emit(TicketCreated, { ticket_id: id, number, status });
  if (assignee_id) emit(TicketAssigned, { ticket_id: id, number, status, assignee_id });
  // Chosen: a ticket that is opened silently, for example during an import, sends no e-mails.
  if (assignee_id && assignee_id !== caller?.user_id && !ticket.silent)
    await notifyAssignee(db, { ...newTicket, number, assignee_id });
  return { ticket: row!, files: attached, history };
}

/** Creates a ticket without a form, for an e-mail or a reply to a closed ticket. */
export const openTicket = async (
  context: ChangeContext,
  ticket: NewTicket,
  files: readonly StoredFile[] = [],
): Promise<TicketRow> =>
  (await createWithDefaults<TicketRow>(context, ticket, { files, columns: TICKET_COLUMNS })).ticket;

/** Fields that only agents can set. */
const AGENT_ONLY_FIELDS = ['tags', 'assignee_id', 'requester', 'status', 'cc', 'silent', 'external_id'] as const;

/** Rejects fields of a new ticket that only agents can set. @throws a 422 fault that names the field */
export function assertFieldsAllowed(caller: Caller, body: TicketInput): void {
  if (isAgent(caller)) return;
  const field = AGENT_ONLY_FIELDS.find((name) => body[name] !== undefined);
  if (field) throw invalid(field, 'Only agents can set this field. Remove it.');
  if (body.priority === 'urgent') throw invalid('priority', 'Enter low, medium or high.');
}

/** Creates a ticket from a request body. @param references the caller, and the records that the body refers to */
export async function createTicket(
  context: CommandContext,
  { requester, ...body }: TicketInput,
  { assignee, customer, self, ...options }: TicketReferences & { self: PlatformUser | undefined } & CreationOptions,
): Promise<CreatedTicket<TicketResponseRow>> {
  const { db, caller } = context;
  await customerCopies.remember(db, customer);
  if (assignee) await upsertUserCopies(db, [assignee]);
  const requesterFields = requester ? await requesterByAddress(db, requester) : await callerAsRequester(db, self!);
  const copied = { customer_id: requester?.customer_id, customer_name: customer?.name };
  const channel = caller.kind === 'client' || caller.kind === 'vendor' ? 'portal' : 'api';
  // Assignment by a user opens a ticket. Assignment by a category does not.
  const status = body.status ?? (body.assignee_id ? 'open' : 'new');
  const own_initiative = body.silent === true || (!requester && isAgent(caller));
  return await createWithDefaults(
    context,
    { ...body, ...requesterFields, ...copied, channel, status, own_initiative },
    options,
  );
}

/** Returns the change that a request body describes. */
function changeOf(
  ticket: TicketRow,
  { status, pending_until, version: _, merge_into: __, ...columns }: TicketChanges,
  { caller, customer }: Pick<TicketReferences, 'customer'> & { caller: Caller | null },
): TicketChange {
  const requestedByStatus = status ? requestedAction(ticket, status, caller) : undefined;
  const isAssigned = columns.assignee_id && columns.assignee_id !== ticket.assignee_id && ticket.status === 'new';
  const verb = requestedByStatus ?? (isAssigned && !status ? 'open' : undefined);
  if (pending_until && verb !== 'wait')
    throw invalid('pending_until', 'Omit this field unless the status is `pending`.');
  if (pending_until && Date.parse(pending_until) <= clock.now().getTime())
    throw invalid('pending_until', 'Choose a time in the future.');
  const changed = Object.entries(columns).filter(([, value]) => value !== undefined);
  const copied = columns.customer_id === undefined ? {} : { customer_name: customer?.name ?? null };
  return { columns: { ...Object.fromEntries(changed), ...copied }, verb, pending_until };
}

/** Updates a ticket, and its status as the status table allows. @throws NotAgent, Stale, InvalidTransition */
export async function updateTicket(
  context: CommandContext,
  id: string,
  body: TicketChanges,
  { assignee, customer, expect }: TicketReferences & { expect?: number | undefined },
): Promise<TicketRow> {
  await customerCopies.remember(context.db, customer);
  const ticket = await lockTicket(context, id);
  assertAgentSide(context.caller, ticket);
  assertVersion(ticket, expect);
  if (assignee) await upsertUserCopies(context.db, [assignee]);
  const change = changeOf(ticket, body, { caller: context.caller, customer });
  if (Object.keys(change.columns ?? {}).length === 0 && !change.verb) return ticket;
  return await changeTicket(context, ticket, change);
}

/** Soft-deletes a ticket. Its number is not reused, and its files are removed after 30 days. @throws NotAgent */
export async function removeTicket(context: CommandContext, id: string): Promise<{ id: string }> {
  const { db, caller } = context;
  const ticket = await lockTicket(context, id);
  assertAgentSide(caller, ticket);
  await db.ticketLink.deleteMany({ where: { ticket_id: id } });
  await db.mail.updateMany({ where: { ticket_id: id, delivery: 'queued' }, data: { delivery: 'dropped' } });
  const at = clock.now();
  const sla = await updateTimers(db, ticket, ticket, { at, deleted: true });
  await db.ticket.updateMany({ where: { id }, data: { ...sla.values, deleted_at: at, moves_at: null } });
  await storeTimers(db, sla.clocks);
  await recordActivities(db, [{ ticket_id: id, verb: 'deleted', at }]);
  return { id };
}
