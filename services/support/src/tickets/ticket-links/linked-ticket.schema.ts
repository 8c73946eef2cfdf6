import { input } from '@suite/chassis/fields';
import { stateRequest } from '@suite/chassis/operations';
import { ticketStates } from '../ticket-states/ticket.rules.ts';
import { TicketDetails, Words } from '../tickets/ticket.schema.ts';

/** Ticket for the holder of its link, identified by its number. */
export const LinkedTicket = TicketDetails.omit({ id: true }).meta({ id: 'SupportLinkedTicket' });

export const LinkReply = input({
  body: Words,
  status: stateRequest(ticketStates, ['resolved'], ['resolve'])
    .optional()
    .describe('Resolves the ticket: the new status, or the action from `allowed_actions`.'),
});
