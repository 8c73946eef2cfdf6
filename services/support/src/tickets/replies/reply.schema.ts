import { Email, Id, input, refTo } from '@suite/chassis/fields';
import { stateRequest } from '@suite/chassis/operations';
import { z } from 'zod';
import { ticketStates } from '../ticket-states/ticket.rules.ts';
import { Reply } from '../thread/thread.schema.ts';
import { TicketStatus, Words } from '../tickets/ticket.schema.ts';

export const ReplyInput = input({
  body: Words,
  status: stateRequest(
    ticketStates,
    ['open', 'pending', 'on_hold', 'resolved'],
    ['open', 'wait', 'hold', 'resolve', 'reopen'],
  )
    .optional()
    .describe(
      'New status of the ticket, or the action from `allowed_actions` that leads to it. Requesters can only resolve it.',
    ),
  cc: z.array(Email).max(10).optional(),
  canned_reply_id: refTo('canned_replies')
    .optional()
    .describe('ID of a canned reply whose variables are filled in the body.'),
  in_reply_to: refTo('replies').optional(),
});
export type ReplyInput = z.output<typeof ReplyInput>;

/** Reply, with the current ticket. A customer's reply to a closed ticket opens a new one, which has no replies yet. */
export const AddedReply = Reply.extend({
  id: Id.nullable().describe('ID of the reply. `null` if a new ticket was created.'),
  ticket: z.object({ id: Id, number: z.string(), status: TicketStatus, version: z.int() }),
}).meta({ id: 'SupportAddedReply' });
