import { choice, input } from '@suite/chassis';
import { Words } from '../tickets/ticket.schema.ts';

export const LinkReply = input({
  body: Words,
  status: choice('resolved').optional().describe('Solved, thanks.'),
});
