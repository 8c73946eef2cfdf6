import { choice, Email, Id, input, refTo } from '@suite/chassis';
import { z } from 'zod';
import { Reply } from '../thread/thread.schema.ts';
import { TicketStatus, Words } from '../tickets/ticket.schema.ts';

export const ReplyInput = input({
  body: Words,
  status: choice('open', 'pending', 'on_hold', 'resolved')
    .optional()
    .describe('New status of the ticket. Requesters can only send `resolved`.'),
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
