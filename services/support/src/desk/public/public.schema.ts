import { choice, input } from '@suite/chassis';
import { TicketDetails, Words } from '../../tickets/tickets/ticket.schema.ts';

/** Ticket for the holder of its link, identified by its number. */
export const LinkedTicket = TicketDetails.omit({ id: true }).meta({ id: 'SupportLinkedTicket' });

export const LinkReply = input({
  body: Words,
  status: choice('resolved').optional().describe('Solved, thanks.'),
});
