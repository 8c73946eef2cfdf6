/** Canned replies: templates with variables for frequent answers. */
import { change, find, remove as removeRow } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { command, query } from '../../operations.ts';
import {
  CannedReply,
  CannedReplyChanges,
  CannedReplyFilter,
  CannedReplyInput,
  Preview,
  Previewed,
} from './canned-reply.schema.ts';
import { assertVariables, fillVariables } from './variables.ts';
import { cannedReplyActions } from './canned-reply.rules.ts';

const ADDITION = 'Replies that agents use repeatedly.';

export const list = query('GET /api/support-ticket/canned-replies', {
  summary: 'List canned replies',
  description: 'Returns reply templates with unfilled variables. Filter by `active` to offer them to agents.',
  addition: ADDITION,
  access: can('ticket.note'),
  query: CannedReplyFilter,
  reply: page(CannedReply),
  handle: ({ db, query }) => paginate(db, query, { table: 'canned_replies' }),
});

export const create = command('POST /api/support-ticket/canned-reply/store', {
  summary: 'Create a canned reply',
  description:
    'Creates a reply template. Variables: `{{ticket.number}}`, `{{ticket.subject}}`, `{{requester.name}}`, `{{requester.first_name}}`, `{{agent.name}}`, `{{workspace.name}}`. Rejects unknown variables.',
  addition: ADDITION,
  access: can('ticket.update'),
  body: CannedReplyInput,
  reply: created(CannedReply),
  handle({ db, body }) {
    assertVariables(body.body);
    return db.cannedReply.create({ data: body });
  },
});

export const update = command('POST /api/support-ticket/canned-reply/update/{id}', {
  summary: 'Update a canned reply',
  description: 'Updates a reply template. Rejects unknown variables. Sent replies stay unchanged.',
  addition: ADDITION,
  access: cannedReplyActions.can('update'),
  params: { id: idOf('canned_replies') },
  body: CannedReplyChanges,
  reply: ok(CannedReply),
  handle({ db, params, body: { version: _, ...changes }, expect }) {
    if (changes.body !== undefined) assertVariables(changes.body);
    return change(db.cannedReply, params.id, changes, expect);
  },
});

export const remove = command('POST /api/support-ticket/canned-reply/delete/{id}', {
  summary: 'Delete a canned reply',
  description: 'Deletes a reply template. Sent replies stay unchanged.',
  addition: ADDITION,
  access: cannedReplyActions.can('delete'),
  params: { id: idOf('canned_replies') },
  reply: removed,
  handle: ({ db, params }) => removeRow(db.cannedReply, params.id),
});

export const preview = command('POST /api/support-ticket/canned-reply/preview/{id}', {
  summary: 'Preview a canned reply for a ticket',
  description:
    'Returns the template with its variables filled for a ticket. Sends nothing. Use it to edit the text before replying.',
  addition: 'An agent previews the message before sending it.',
  access: can('ticket.note'),
  params: { id: idOf('canned_replies') },
  body: Preview,
  reply: ok(Previewed),
  async handle({ db, params, body, caller }) {
    const canned = await find(db.cannedReply, params.id);
    const ticket = await db.ticket.findFirst({ where: { id: body.ticket_id, deleted_at: null } });
    if (!ticket) throw NotFound();
    return { id: canned.id, body: await fillVariables(db, canned.body, ticket, caller.user_name) };
  },
});
