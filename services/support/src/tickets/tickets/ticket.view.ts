/** Views of tickets, for agents and for requesters: the same record in two shapes. */
import { type Sql, sql, join } from '@suite/chassis/database';
import type { FileLinks } from '@suite/chassis/files';
import type { Caller } from '@suite/chassis/identity';
import {
  expandOne,
  type ListRequest,
  many,
  one,
  type Page,
  paginate,
  readOne,
  shownColumns,
  type View,
} from '@suite/chassis/lists';
import { userLabels } from '@suite/user-copies';
import { z } from 'zod';
import type { Db } from '../../operations.ts';
import { attachmentOf } from '../../content/files/attachment.ts';
import {
  isBreached,
  slaStateFilter,
  isOverdue,
  isNearBreach,
  toSlaResponse,
  falseIfNull,
} from '../../sla/timers/sla-target.view.ts';
import { ticketsVisibleTo } from '../search/visible-tickets.ts';
import { AGENT_FIELDS, sortByRank, computedColumns, FILTERS_ONLY } from '../search/ticket-columns.ts';
import { tagFilter, ticketMatches } from '../search/ticket-search.ts';
import { lastReplies, mergedTickets, readActivities, readNotes, readThread } from '../thread/thread.view.ts';
import type { CreatedTicket, TicketResponseRow } from './ticket.ts';
import { actionsFor, type TicketSide, sideOf } from '../ticket-states/ticket-side.rules.ts';
import { OPEN_STATES } from '../ticket-states/ticket.rules.ts';
import { Ticket, TicketDetails } from './ticket.schema.ts';

type Row = Record<string, unknown>;

const categoryLabels = (db: Db) => (ids: string[]) =>
  db.rows(sql`SELECT id, name, color FROM categories WHERE id = ANY(${ids}::uuid[])`);

const expand = (db: Db) => ({
  assignee: one('assignee_id', userLabels(db)),
  category: one('category_id', categoryLabels(db)),
  async last_reply(rows: Row[], name: string) {
    await many('ticket_id', lastReplies(db))(rows, name);
    for (const row of rows) row[name] = (row[name] as object[])[0] ?? null;
  },
});

/** Returns a row as its side sees it. A requester sees public statuses and times, without the work of agents. */
function toResponse(caller: Caller, row: Row): Row {
  const { status_for_requester, updated_for_requester, version_for_requester, rating_comment } = row;
  const { satisfaction: rating = null } = row;
  const status = row['status'] as string;
  const requester_user_id = row['requester_user_id'] as string;
  const allowed_actions = actionsFor(caller, { status, requester_user_id });
  // The schema of the response drops the columns that only this function reads. Deleting them here would make the object slow.
  const ticket: Row = {
    ...row,
    ...(row['sla'] ? { sla: toSlaResponse(row['sla'] as Row) } : {}),
    satisfaction: rating === null ? null : { rating, comment: rating_comment },
    allowed_actions,
  };
  if (sideOf(caller, { requester_user_id }) === 'agent') return ticket;
  const requester = ticket['requester'] as { name: string; email: string };
  const visibleFields = Object.entries(ticket).filter(([name]) => !AGENT_FIELDS.includes(name));
  return {
    ...Object.fromEntries(visibleFields),
    requester: { name: requester.name, email: requester.email },
    allowed_actions,
    status: status_for_requester,
    updated_at: updated_for_requester,
    version: version_for_requester,
  };
}

/** Returns the condition of each preset. Presets are useful to agents only. */
const presets = ({ user_id }: Caller): Record<string, Sql> => {
  const open = sql`tickets.status = ANY(${[...OPEN_STATES]}::text[])`;
  return {
    mine: sql`tickets.assignee_id = ${user_id}::uuid AND ${open}`,
    unassigned: sql`tickets.assignee_id IS NULL AND ${open}`,
    overdue: isOverdue(),
    due_next: sql`tickets.next_due_at IS NOT NULL`,
    waiting: sql`tickets.status = 'pending'`,
    spam: sql`tickets.status = 'spam'`,
    all_open: open,
  };
};

type Filter = ListRequest['filters'][number];

const NONE = sql`FALSE`;

/** Returns the condition of a preset filter. */
function presetFilter(caller: Caller, { operator, values }: Filter): Sql {
  if (operator === 'null') return values[0] ? NONE : sql`TRUE`;
  const condition = sql`(${join(
    values.map((value) => presets(caller)[String(value)] ?? NONE),
    ' OR ',
  )})`;
  return operator === 'ne' ? sql`NOT ${falseIfNull(condition)}` : condition;
}

/** Returns conditions that the list grammar lacks: tags, presets, and overdue tickets. */
function specialFilter(caller: Caller, filter: Filter): Sql | undefined {
  if (filter.column === 'tags') return tagFilter(filter);
  if (filter.column === 'breached') return slaStateFilter(isBreached(), filter);
  if (filter.column === 'near_breach') return slaStateFilter(isNearBreach(), filter);
  return filter.column === 'view' ? presetFilter(caller, filter) : undefined;
}

/** Returns one page of the tickets that the caller may see. Spam and merged tickets are omitted unless requested. */
export async function listTickets(db: Db, caller: Caller, request: ListRequest): Promise<Page> {
  const { q, filters } = request;
  const specialConditions = filters.map((filter) => specialFilter(caller, filter));
  const { from, where } = ticketsVisibleTo(caller, request);
  const conditions = [
    sql`tickets.deleted_at IS NULL`,
    ...specialConditions.filter((one) => one !== undefined),
    ...where,
  ];
  const listRequest = {
    ...sortByRank(request),
    columns: request.columns.filter((name) => !(name in FILTERS_ONLY)),
    filters: filters.filter((_, at) => specialConditions[at] === undefined),
  };
  const page = await paginate(db, listRequest, {
    table: 'tickets',
    ...(from && { from, is_indexed: true }),
    where: join(conditions, ' AND '),
    ...(q && { matches: ticketMatches(caller, q) }),
    compute: computedColumns(),
    expand: expand(db),
  });
  return { ...page, rows: page.rows.map((row) => toResponse(caller, row as Row)) };
}

/** Reader of a ticket, and the position in the thread to start from. */
interface TicketReader {
  caller: Caller;
  links: FileLinks;
  after?: string | undefined;
}

const TicketColumns = Ticket.omit({ ...FILTERS_ONLY, last_reply: true })
  .extend({ original_html: z.string().nullable() })
  .extend(TicketDetails.pick({ attachments_refused: true, description_truncated: true, merged_tickets: true }).shape);

/** Returns the view of one ticket. */
function viewOf(db: Db): View {
  const { last_reply: _, ...expansions } = expand(db);
  const original_html = sql`tickets.description_html`;
  return {
    table: 'tickets',
    compute: { ...computedColumns(), original_html, merged_tickets: mergedTickets },
    expand: expansions,
  };
}

/** Returns true if a caller may read the notes of a ticket from their side. */
const canReadNotes = ({ permissions }: Caller, side: TicketSide): boolean =>
  side === 'agent' && permissions.includes('ticket.note');

/** Returns a ticket with its thread, in the form of the caller's side. @throws NotFound if the caller cannot see it */
export async function readTicket(
  db: Db,
  id: string,
  { caller, links, after }: TicketReader,
): Promise<z.input<typeof TicketDetails>> {
  const row = (await readOne(db, TicketColumns, id, viewOf(db))) as Row;
  const side = sideOf(caller, row);
  const thread = await readThread(db, id, { after, links, side, workspace_id: caller.workspace_id });
  const notes = canReadNotes(caller, side) ? await readNotes(db, id, links) : undefined;
  const activity = side === 'agent' ? await readActivities(db, id) : undefined;
  const inner = { ...(notes && { notes }), ...(activity && { activity }) };
  return { ...toResponse(caller, row), ...thread, ...inner } as z.input<typeof TicketDetails>;
}

/** Returns the columns for the statement that opens a ticket. The rows are named `tickets`. */
export const ticketColumns = (db: Db): Sql => shownColumns(TicketColumns, viewOf(db));

/** Returns a new ticket in the shape of `readTicket`, without replies and notes. */
export async function createdTicketResponse(
  db: Db,
  { ticket, files, history }: CreatedTicket<TicketResponseRow>,
  { caller, links }: TicketReader,
): Promise<z.input<typeof TicketDetails>> {
  await expandOne(ticket, viewOf(db));
  const side = sideOf(caller, ticket);
  const attachments = files.map((file) => attachmentOf(links, file));
  const activity = history.map(({ ticket_id: _, ...line }) => ({
    ...line,
    at: new Date(line.at).toISOString(),
    actor_id: caller.user_id,
  }));
  return {
    ...toResponse(caller, ticket),
    attachments,
    thread: [],
    thread_after: null,
    ...(canReadNotes(caller, side) && { notes: [] }),
    ...(side === 'agent' && { activity }),
  } as unknown as z.input<typeof TicketDetails>;
}
