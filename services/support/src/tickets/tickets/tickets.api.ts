/**
 * Tickets: requests for help, from the first message to the solution. Agents work on tickets, and requesters see the
 * public part.
 */
import { invalid } from '@suite/chassis/faults';
import { Id, idOf } from '@suite/chassis/fields';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { z } from 'zod';
import { attachments } from '../../content/files/attachment.schema.ts';
import { command, query } from '../../operations.ts';
import { findTicket } from '../search/ticket-search.ts';
import { fetchCaller, fetchReferences } from '../../settings/ticket-references/ticket-references.ts';
import { mergeTicket } from '../ticket-states/merge.ts';
import { NotAgent } from '../ticket-states/ticket-side.rules.ts';
import { MergeCircle, OtherRequester, ticketStates } from '../ticket-states/ticket.rules.ts';
import { Ticket, TicketChanges, TicketDetails, TicketFilter, TicketInput } from './ticket.schema.ts';
import { assertFieldsAllowed, createTicket, removeTicket, updateTicket } from './ticket.ts';
import { listTickets, readTicket, createdTicketResponse, ticketColumns } from './ticket.view.ts';

export const list = query('GET /api/support-ticket/tickets', {
  summary: 'List tickets',
  description:
    'Returns all tickets to agents, and their own tickets to requesters, with fewer fields. Spam and merged tickets require `status` or `view`. `q` also searches replies and, for agents, notes. The newest 200 matches are ranked, and older ones follow by age.',
  access: can('ticket.view'),
  query: TicketFilter,
  reply: page(Ticket),
  handle: ({ db, caller, query }) => listTickets(db, caller, query),
});

export const show = query('GET /api/support-ticket/ticket/show/{ticket_id}', {
  summary: 'Get a ticket with its thread',
  description: 'Returns a ticket with its thread, by ID or by number. Agents also see notes and history.',
  addition: 'Desk records come from other places, and agents must be able to read a single one.',
  access: can('ticket.view'),
  params: { ticket_id: z.union([Id, z.string().regex(/^T-\d{1,9}$/)], 'Write the id or the number of a ticket.') },
  query: { thread_after: Id.optional() },
  reply: ok(TicketDetails),
  handle: async ({ db, params, query, caller, links }) =>
    readTicket(db, await findTicket(db, params.ticket_id), { caller, links, after: query.thread_after }),
});

export const create = command('POST /api/support-ticket/ticket/store', {
  summary: 'Create a ticket',
  description:
    'Creates a ticket, as JSON or as a form with up to five `files`. Agents can open a ticket for another requester. Requesters cannot set assignee, tags or status.',
  access: can('ticket.create'),
  body: TicketInput,
  upload: attachments,
  reply: created(TicketDetails),
  async prepare({ caller, body, rpc }) {
    assertFieldsAllowed(caller, body);
    const named = { assignee_id: body.assignee_id, customer_id: body.requester?.customer_id };
    const known = await fetchReferences(rpc, named, 'requester.customer_id');
    return { ...known, self: body.requester ? undefined : await fetchCaller(rpc, caller) };
  },
  async handle({ body, prepared, files, links, ...context }) {
    const opened = await createTicket(context, body, { ...prepared, files, columns: ticketColumns(context.db) });
    return await createdTicketResponse(context.db, opened, { caller: context.caller, links });
  },
});

export const update = command('POST /api/support-ticket/ticket/update/{ticket_id}', {
  summary: 'Update a ticket',
  description:
    'Updates a ticket. `status` applies an action that the current status must allow. Assigning a new ticket opens it. `merge_into` cannot be combined with other fields.',
  access: ticketStates.can('update', 'open', 'wait', 'hold', 'resolve', 'reopen', 'restore', 'mark_spam'),
  params: { ticket_id: idOf('tickets') },
  body: TicketChanges,
  reply: ok(TicketDetails),
  faults: [NotAgent, MergeCircle, OtherRequester],
  async prepare({ body: { merge_into, ...others }, rpc }) {
    const isAlone = Object.entries(others).every(([name, value]) => name === 'version' || value === undefined);
    if (merge_into && !isAlone) throw invalid('merge_into', 'Merge tickets without other changes in the same request.');
    return await fetchReferences(rpc, others);
  },
  async handle({ params, body, prepared, expect, links, ...context }) {
    const { merge_into: into } = body;
    if (into) await mergeTicket(context, params.ticket_id, { into, force: false }, expect);
    else await updateTicket(context, params.ticket_id, body, { ...prepared, expect });
    return readTicket(context.db, params.ticket_id, { caller: context.caller, links });
  },
});

export const remove = command('POST /api/support-ticket/ticket/delete/{ticket_id}', {
  summary: 'Delete a ticket',
  description:
    'Removes the ticket from all lists and links. Its number is not reused. Returns `not_agent` for requesters.',
  access: ticketStates.can('delete'),
  params: { ticket_id: idOf('tickets') },
  reply: removed,
  faults: [NotAgent],
  handle: ({ params, ...context }) => removeTicket(context, params.ticket_id),
});
