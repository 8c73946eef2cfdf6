import {
  choice,
  Email,
  Id,
  foreignId,
  inner,
  input,
  refTo,
  ShortText,
  Timestamp,
  version,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions, stateRequest } from '@suite/chassis/operations';
import { UserLabel } from '@suite/user-copies';
import { z } from 'zod';
import { Sla } from '../../sla/timers/sla-target.schema.ts';
import { Category } from '../categories/category.schema.ts';
import { Attachment, RefusedAttachment } from '../../content/files/attachment.schema.ts';
import { Priority } from '../../sla/sla/sla-policy.schema.ts';
import { Activity, Note, Reply } from '../thread/thread.schema.ts';
import { FILTERS_ONLY } from '../search/ticket-columns.ts';
import { ticketStates } from '../ticket-states/ticket.rules.ts';

export const TicketType = choice('question', 'incident', 'problem', 'request');
export const Channel = choice('portal', 'email', 'api', 'widget');
const STATUSES = ['new', 'open', 'pending', 'on_hold', 'resolved', 'closed', 'merged', 'spam'] as const;
/** Statuses of tickets. Requesters see open, waiting_for_you, resolved and closed. Agents see all others too. */
export const TicketStatus = choice(...STATUSES, 'waiting_for_you');

/** Subject of a ticket and its e-mails. */
export const Subject = ShortText(200).min(1);
/** Text of a ticket, a reply or a note. */
export const Words = z.string().trim().min(1).max(50_000);
const Tags = z.array(ShortText(50).min(1).toLowerCase()).max(20);
const Copies = z.array(Email).max(10);
const colleague = () => foreignId('platform.user');

const Requester = z.object({
  name: z.string(),
  email: z.string().describe('E-mail address, masked for the holder of a link.'),
});

/** Fields of SLA targets that are filters only. */
const filterOnly = <S extends z.ZodType>(schema: S, what: string) =>
  inner(schema.optional().describe(`${what}. Filter only.`));

/** Ticket as returned in lists. Inner fields are for agents and hidden from the ticket's requester. */
export const Ticket = z
  .object({
    id: Id,
    number: z.string(),
    subject: z.string(),
    description: z.string(),
    status: TicketStatus,
    priority: Priority,
    type: TicketType.nullable(),
    category_id: Id.nullable(),
    requester: Requester.extend({
      user_id: inner(Id.nullable()).describe('ID of the user account of the requester. `null` without an account.'),
      customer_id: inner(Id.nullable()),
      customer_name: inner(z.string().nullable()),
    }),
    merged_into: z.string().nullable().describe('Number of the ticket that this ticket was merged into.'),
    resolved_at: Timestamp.nullable(),
    closed_at: Timestamp.nullable(),
    satisfaction: z
      .object({ rating: z.int().describe('Rating from 1 to 5.'), comment: z.string().nullable() })
      .nullable()
      .describe('Rating by the requester. `null` without a rating.'),
    assignee_id: inner(Id.nullable()),
    team: inner(z.string().nullable()),
    tags: inner(z.array(z.string())),
    channel: inner(Channel),
    cc: inner(z.array(z.string())),
    authenticated: inner(z.boolean().nullable()).describe(
      'Whether the e-mail server verified the sender. `null` for other tickets, or if the server did not report it.',
    ),
    external_id: inner(z.string().nullable()),
    pending_until: inner(Timestamp.nullable()),
    linked_to: inner(Id.nullable()),
    suspected_ticket_id: inner(Id.nullable()),
    reopened_count: inner(z.int()),
    last_customer_reply_at: inner(Timestamp.nullable()),
    last_agent_reply_at: inner(Timestamp.nullable()),
    created_by: inner(Id.nullable()),
    updated_by: inner(Id.nullable()),
    created_at: Timestamp,
    updated_at: Timestamp.describe('Time of the last change. Notes do not affect it.'),
    version: z.int(),
    allowed_actions: Actions(ticketStates),
    assignee: inner(UserLabel.nullable()),
    category: Category.pick({ id: true, name: true, color: true }).nullable().optional(),
    last_reply: Reply.pick({ id: true, author: true, body: true, at: true }).nullable().optional(),
    sla: inner(Sla),
    next_due_at: inner(Timestamp.nullable()).describe('Earliest due time of an SLA target.'),
    requester_email: filterOnly(z.string(), 'E-mail address of the requester'),
    customer_id: filterOnly(Id.nullable(), 'ID of the customer of the requester'),
    first_response_due: filterOnly(Timestamp.nullable(), 'Due time of the first response'),
    resolution_due: filterOnly(Timestamp.nullable(), 'Due time of the resolution'),
    breached: filterOnly(z.boolean(), 'Whether an SLA target is or was breached'),
    near_breach: filterOnly(z.boolean(), 'Whether an SLA target is close to its deadline and none is breached'),
    view: choice('mine', 'unassigned', 'overdue', 'due_next', 'waiting', 'spam', 'all_open')
      .optional()
      .describe('Common selection of tickets for agents. Filter only.'),
  })
  .meta({ id: 'SupportTicket' });

/** Ticket with its thread. Agents also get its notes and its history. */
export const TicketDetails = Ticket.omit(FILTERS_ONLY)
  .extend({
    attachments: z.array(Attachment),
    attachments_refused: z.array(RefusedAttachment).describe('Attachments of the e-mail that were rejected.'),
    description_truncated: z
      .boolean()
      .describe('Whether `description` is truncated. The attachment `message.txt` has the full text.'),
    merged_tickets: inner(
      z.array(z.object({ id: Id, number: z.string(), subject: z.string(), requester: Requester })),
    ).describe('Tickets that were merged into this one.'),
    thread: z.array(Reply),
    thread_after: Id.nullable().describe('Cursor for the rest of a long thread. Send it as `thread_after`.'),
    original_html: inner(z.string().nullable()).describe(
      'Body of the e-mail as sanitised HTML without images, safe to display.',
    ),
    notes: inner(z.array(Note), 'ticket.note'),
    activity: inner(z.array(Activity)),
  })
  .meta({ id: 'SupportTicketDetails' });

/** Ticket with the rating as a number, for filters. */
const Filtered = Ticket.extend({ satisfaction: z.int().nullable().describe('Rating from 1 to 5.') });

const grammar = list(Filtered, {
  filter: [
    'status',
    'priority',
    'type',
    'category_id',
    'assignee_id',
    'team',
    'channel',
    'requester_email',
    'customer_id',
    'tags',
    'created_at',
    'updated_at',
    'reopened_count',
    'satisfaction',
    'first_response_due',
    'resolution_due',
    'next_due_at',
    'breached',
    'near_breach',
    'view',
  ],
  sort: ['created_at', 'updated_at', 'next_due_at', 'priority', 'last_customer_reply_at'],
  search: 'ranked',
  expand: ['assignee', 'category', 'last_reply'],
});

/** List filter of tickets. The preset `due_next` has its own order, earliest due time first. */
export const TicketFilter = {
  ...grammar,
  parse: (query: Record<string, string>, of?: string) =>
    grammar.parse(query['view'] === 'due_next' ? { sort: 'next_due_at', ...query } : query, of),
};

export const TicketInput = input({
  subject: Subject,
  description: Words,
  priority: Priority.optional(),
  type: TicketType.nullish(),
  category_id: refTo('categories').nullish(),
  tags: Tags.optional(),
  assignee_id: colleague().nullish(),
  requester: z
    .strictObject({
      name: ShortText(200).min(1),
      email: Email,
      customer_id: foreignId('finance.customer').nullish(),
    })
    .optional()
    .describe('Requester of the ticket. Defaults to the caller.'),
  status: choice('new', 'open', 'pending').optional(),
  cc: Copies.optional(),
  external_id: ShortText(200).min(1).nullish(),
  silent: z.boolean().optional().describe('Whether to suppress e-mails about the ticket. Defaults to `false`.'),
});

/** New status of a ticket in a request. */
export const TicketStatusRequest = stateRequest(
  ticketStates,
  ['open', 'pending', 'on_hold', 'resolved', 'closed', 'spam'],
  ['open', 'wait', 'hold', 'resolve', 'reopen', 'restore', 'mark_spam', 'close'],
).describe('New status, or the action from `allowed_actions` that leads to it.');

export const TicketChanges = input({
  subject: Subject.optional(),
  priority: Priority.optional(),
  type: TicketType.nullish(),
  category_id: refTo('categories').nullish(),
  tags: Tags.optional(),
  assignee_id: colleague().nullish(),
  team: ShortText(100).min(1).nullish(),
  cc: Copies.optional(),
  customer_id: foreignId('finance.customer').nullish(),
  status: TicketStatusRequest.optional(),
  pending_until: Timestamp.nullish().describe('Time when a pending ticket reopens automatically.'),
  merge_into: refTo('tickets').optional().describe('ID of the target ticket. Send it without other fields.'),
  version,
});

export type TicketInput = z.output<typeof TicketInput>;
export type TicketChanges = z.output<typeof TicketChanges>;
