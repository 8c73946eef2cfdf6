/**
 * Public links of tickets: the requester reads, replies, rates and closes without signing in. Unknown, expired and
 * revoked links return the same response.
 */
import { created, ok, openByLinkOf } from '@suite/chassis/operations';
import { lookUpWorkspace } from '@suite/user-copies';
import { attachments } from '../../content/files/attachment.schema.ts';
import { findLink, LinkToken, openLink } from '../../emails/outbound-mail/ticket-link.ts';
import { command, query } from '../../operations.ts';
import { AddedReply } from '../replies/reply.schema.ts';
import { closeTicket, rateTicket } from '../steps/ticket-end.ts';
import { RatingClosed } from '../ticket-states/ticket.rules.ts';
import { Rating } from '../steps/ticket-steps.schema.ts';
import { LinkedTicket, LinkReply } from './linked-ticket.schema.ts';
import { addReplyByLink, readByLink } from './link-access.ts';
import { sendTicketPage } from './ticket-page.ts';

const ADDITION = 'A requester without a login reads, answers, rates and closes tickets by a link.';

export const show = query('GET /api/support-ticket/public/{token}', {
  summary: 'Get a ticket as its requester',
  description:
    'Returns the ticket with the public link of the requester. Browsers (`Accept: text/html`) get a page with a reply form. Set the workspace link `ticket_public` to use your own page.',
  addition: ADDITION,
  access: openByLinkOf(lookUpWorkspace),
  params: { token: LinkToken },
  reply: ok(LinkedTicket),
  handle: async ({ links, ...context }) => readByLink(context.db, await openLink(context), links),
  formats: { html: ({ record }) => Promise.resolve(sendTicketPage(record)) },
});

export const reply = command('POST /api/support-ticket/public/{token}/reply', {
  summary: 'Reply to a ticket as its requester',
  description:
    'Adds a reply with the public link of the requester. Accepts JSON, or a form with up to five `files`. Allows ten replies per hour.',
  addition: ADDITION,
  access: openByLinkOf(lookUpWorkspace, 'token', findLink),
  params: { token: LinkToken },
  body: LinkReply,
  upload: attachments,
  reply: created(AddedReply),
  async handle({ emit, body, files, links, ...context }) {
    const id = await openLink(context);
    return await addReplyByLink({ db: context.db, emit, caller: null }, id, { ...body, files }, links);
  },
});

export const rate = command('POST /api/support-ticket/public/{token}/rate', {
  summary: 'Rate a ticket as its requester',
  description:
    'Stores a rating with the public link of the requester, within 14 days after the resolution. A later rating replaces it. Returns `rating_closed` afterwards.',
  addition: ADDITION,
  access: openByLinkOf(lookUpWorkspace),
  params: { token: LinkToken },
  body: Rating,
  reply: ok(LinkedTicket),
  faults: [RatingClosed],
  async handle({ emit, body, links, ...context }) {
    const id = await openLink(context);
    await rateTicket({ db: context.db, emit, caller: null }, id, body);
    return await readByLink(context.db, id, links);
  },
});

export const close = command('POST /api/support-ticket/public/{token}/close', {
  summary: 'Close a ticket as its requester',
  description:
    'Closes a resolved ticket with the public link of the requester. Needs no other authentication. Returns 409 `invalid_transition` for other statuses.',
  addition: ADDITION,
  access: openByLinkOf(lookUpWorkspace),
  params: { token: LinkToken },
  reply: ok(LinkedTicket),
  async handle({ emit, links, ...context }) {
    const id = await openLink(context);
    await closeTicket({ db: context.db, emit, caller: null }, id);
    return await readByLink(context.db, id, links);
  },
});
