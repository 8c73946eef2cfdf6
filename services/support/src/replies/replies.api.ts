/** Replies: what agents and requesters say to each other on a ticket. Both read them. */
import { can, created, idOf } from '@suite/chassis';
import { attachments } from '../files/attachment.schema.ts';
import { command } from '../operations.ts';
import { NotRequester, TicketClosed, TicketIsSpam, TicketMerged } from '../ticket-states/ticket.rules.ts';
import { AddedReply, ReplyInput } from './reply.schema.ts';
import { addReply, requesterIn, speakerOf } from './reply.ts';

export const create = command('POST /api/support-ticket/ticket/add-reply/{ticket_id}', {
  summary: 'Reply to a ticket',
  description:
    'As JSON, or as a form with up to five `files`. An agent’s reply is mailed to the requester. A requester’s words open a ticket that waits or was resolved; on a closed one they open a new one, on a merged one they go to its target.',
  access: can('ticket.reply'),
  params: { ticket_id: idOf('tickets') },
  body: ReplyInput,
  upload: attachments,
  reply: created(AddedReply),
  faults: [TicketClosed, TicketMerged, TicketIsSpam, NotRequester],
  async handle({ params, body, files, links, ...context }) {
    const speaker = speakerOf(context.caller, await requesterIn(context.db, params.ticket_id), body);
    return await addReply(context, params.ticket_id, { ...body, files }, speaker, links);
  },
});
