/** Replies of agents and requesters to a ticket. */
import { idOf } from '@suite/chassis/fields';
import { can, created } from '@suite/chassis/operations';
import { attachments } from '../../content/files/attachment.schema.ts';
import { command } from '../../operations.ts';
import { NotRequester } from '../ticket-states/ticket-side.rules.ts';
import { TicketClosed, TicketIsSpam, TicketMerged } from '../ticket-states/ticket.rules.ts';
import { AddedReply, ReplyInput } from './reply.schema.ts';
import { addReply } from './reply.ts';
import { readRequester, replyAuthorOf } from './reply-author.ts';

export const create = command('POST /api/support-ticket/ticket/add-reply/{ticket_id}', {
  summary: 'Reply to a ticket',
  description:
    'Adds a reply, as JSON or as a form with up to five `files`. Replies of agents are sent to the requester by e-mail. Replies of requesters reopen waiting and resolved tickets. On a closed ticket they create a new one, and on a merged ticket they go to its target.',
  access: can('ticket.reply'),
  params: { ticket_id: idOf('tickets') },
  body: ReplyInput,
  upload: attachments,
  reply: created(AddedReply),
  faults: [TicketClosed, TicketMerged, TicketIsSpam, NotRequester],
  async handle({ params, body, files, links, ...context }) {
    const author = replyAuthorOf(context.caller, await readRequester(context.db, params.ticket_id), body);
    return await addReply(context, params.ticket_id, { ...body, files }, author, links);
  },
});
