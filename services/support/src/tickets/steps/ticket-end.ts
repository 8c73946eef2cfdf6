/** End of a ticket for its requester: closing and rating. */
import { clock } from '@suite/chassis/runtime';
import { TicketRated } from '@suite/proto/support/v1/events';
import {
  type ChangeContext,
  changeTicket,
  lockTicket,
  requestedAction,
  type TicketRow,
} from '../ticket-states/ticket-change.ts';
import { assertRatable } from '../ticket-states/ticket.rules.ts';

/** Rates a ticket. The last rating counts. @throws RatingClosed */
export async function rateTicket(
  context: ChangeContext,
  id: string,
  { rating, comment }: { rating: number; comment?: string | null | undefined },
): Promise<TicketRow> {
  const ticket = await lockTicket(context, id);
  assertRatable(ticket, clock.now());
  const columns = { rating, rating_comment: comment ?? null, rated_at: clock.now() };
  const rated = await changeTicket(context, ticket, { columns });
  context.emit(TicketRated, { ticket_id: id, number: rated.number, status: rated.status });
  return rated;
}

/** Closes a resolved ticket. @throws InvalidTransition */
export async function closeTicket(context: ChangeContext, id: string): Promise<TicketRow> {
  const ticket = await lockTicket(context, id);
  const verb = requestedAction(ticket, 'closed', context.caller);
  return verb ? await changeTicket(context, ticket, { verb }) : ticket;
}
