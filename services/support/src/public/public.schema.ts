import { choice, input } from '@suite/chassis';
import { TicketDetails, Words } from '../tickets/ticket.schema.ts';

/** A ticket for the holder of its link, who knows it by its number. */
export const LinkedTicket = TicketDetails.omit({ id: true }).meta({ id: 'SupportLinkedTicket' });

export const LinkReply = input({
  body: Words,
  status: choice('resolved').optional().describe('Solved, thanks.'),
});
