/** Actions on tickets: merge, close, rate, and bulk changes. */
import { NotFound } from '@suite/chassis/faults';
import { idOf } from '@suite/chassis/fields';
import { can, ok } from '@suite/chassis/operations';
import { command } from '../../operations.ts';
import { fetchReferences } from '../../settings/ticket-references/ticket-references.ts';
import { assertOneChange, changeMany } from './ticket-bulk.ts';
import { lockTicket } from '../ticket-states/ticket-change.ts';
import { closeTicket, rateTicket } from './ticket-end.ts';
import { mergeTicket } from '../ticket-states/merge.ts';
import { BulkChange, BulkOutcome, Merging, Rating } from './ticket-steps.schema.ts';
import {
  assertAgentSide,
  assertRequester,
  isRequesterOf,
  NotAgent,
  NotRequester,
  sideOf,
} from '../ticket-states/ticket-side.rules.ts';
import { MergeCircle, OtherRequester, RatingClosed, ticketStates } from '../ticket-states/ticket.rules.ts';
import { TicketDetails } from '../tickets/ticket.schema.ts';
import { readTicket } from '../tickets/ticket.view.ts';

export const merge = command('POST /api/support-ticket/ticket/merge/{ticket_id}', {
  summary: 'Merge a ticket into another ticket',
  description:
    'Merges a ticket into another one and returns the target, which shows both threads. Returns `other_requester` for tickets of different requesters, unless `force` is `true`. Merging cannot be undone.',
  addition: 'Two tickets about the same subject can be merged.',
  access: ticketStates.can('merge'),
  params: { ticket_id: idOf('tickets') },
  body: Merging,
  reply: ok(TicketDetails),
  faults: [NotAgent, MergeCircle, OtherRequester],
  async handle({ params, body, links, ...context }) {
    const { id } = await mergeTicket(context, params.ticket_id, body);
    return readTicket(context.db, id, { caller: context.caller, links });
  },
});

export const close = command('POST /api/support-ticket/ticket/close/{ticket_id}', {
  summary: 'Close a resolved ticket',
  description:
    'Closes a resolved ticket, as an agent or as its requester. Returns 409 `invalid_transition` for other statuses. Closing a closed ticket changes nothing.',
  addition: 'A requester closes a resolved ticket.',
  access: can('ticket.reply'),
  params: { ticket_id: idOf('tickets') },
  reply: ok(TicketDetails),
  faults: [NotRequester],
  async handle({ params, links, ...context }) {
    const ticket = await lockTicket(context, params.ticket_id);
    if (sideOf(context.caller, ticket) === 'requester') assertRequester(context.caller, ticket);
    await closeTicket(context, params.ticket_id);
    return readTicket(context.db, params.ticket_id, { caller: context.caller, links });
  },
});

export const rate = command('POST /api/support-ticket/ticket/rate/{ticket_id}', {
  summary: 'Rate a ticket',
  description:
    'Stores the rating of the requester, within 14 days after the resolution. A later rating replaces it. Returns `rating_closed` in all other cases.',
  addition: 'Requesters rate their tickets.',
  access: can('ticket.reply'),
  params: { ticket_id: idOf('tickets') },
  body: Rating,
  reply: ok(TicketDetails),
  faults: [RatingClosed, NotFound],
  async handle({ params, body, links, ...context }) {
    // Chosen: only the requester can rate. Agents and other users of the customer get the same response as after the deadline.
    const ticket = await lockTicket(context, params.ticket_id);
    if (!isRequesterOf(context.caller, ticket)) throw RatingClosed();
    await rateTicket(context, params.ticket_id, body);
    return readTicket(context.db, params.ticket_id, { caller: context.caller, links });
  },
});

export const revokeLink = command('POST /api/support-ticket/ticket/revoke-link/{ticket_id}', {
  summary: 'Revoke the public links of a ticket',
  description:
    'Revokes all public links of the ticket: they stop working immediately. Later e-mails contain new links.',
  addition: 'A leaked link must be revoked.',
  access: can('ticket.update'),
  params: { ticket_id: idOf('tickets') },
  reply: ok(TicketDetails),
  faults: [NotAgent],
  async handle({ params: { ticket_id }, links, ...context }) {
    assertAgentSide(context.caller, await lockTicket(context, ticket_id));
    await context.db.ticketLink.deleteMany({ where: { ticket_id } });
    return readTicket(context.db, ticket_id, { caller: context.caller, links });
  },
});

export const bulk = command('POST /api/support-ticket/tickets/bulk', {
  summary: 'Update several tickets',
  description:
    'Applies one change to up to 100 tickets. Each ticket succeeds or fails separately, with the reason in `code`.',
  addition: 'Agents assign and close many tickets in one request.',
  access: can('ticket.update'),
  body: BulkChange,
  reply: ok(BulkOutcome),
  async prepare({ body, rpc }) {
    assertOneChange(body);
    return await fetchReferences(rpc, { assignee_id: body.assignee_id });
  },
  handle: ({ body, prepared, ...context }) => changeMany(context, body, prepared),
});
