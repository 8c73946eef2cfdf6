/** Mailboxes: the addresses whose mail becomes tickets. A mail server hands each message in with the mailbox's token. */
import { can, created, idOf, ok, page, paginate, removed } from '@suite/chassis';
import { command, query } from '../operations.ts';
import { createMailbox, removeMailbox, rotateToken, updateMailbox } from './mailbox.ts';
import { Mailbox, MailboxChanges, MailboxFilter, MailboxInput, MailboxWithToken } from './mailbox.schema.ts';

export const list = query('GET /api/support-ticket/mailboxes', {
  summary: 'List mailboxes',
  access: can('workspace.update'),
  query: MailboxFilter,
  reply: page(Mailbox),
  handle: ({ db, query }) => paginate(db, query, { table: 'mailboxes' }),
});

export const create = command('POST /api/support-ticket/mailbox/store', {
  summary: 'Create a mailbox',
  description: 'An address is taken once. The answer shows the token, which no other answer does.',
  access: can('workspace.update'),
  body: MailboxInput,
  reply: created(MailboxWithToken),
  handle: ({ body, ...context }) => createMailbox(context, body),
});

export const update = command('POST /api/support-ticket/mailbox/update/{id}', {
  summary: 'Change a mailbox',
  description: 'Mail to one that is not active is refused.',
  access: can('workspace.update'),
  params: { id: idOf('mailboxes') },
  body: MailboxChanges,
  reply: ok(Mailbox),
  handle: ({ db, params, body, expect }) => updateMailbox(db, params.id, body, expect),
});

export const rotate = command('POST /api/support-ticket/mailbox/rotate-token/{id}', {
  summary: 'Give a mailbox another token',
  description: 'The one before is good for seven more days.',
  access: can('workspace.update'),
  params: { id: idOf('mailboxes') },
  reply: ok(MailboxWithToken),
  handle: ({ params, expect, ...context }) => rotateToken(context, params.id, expect),
});

export const remove = command('POST /api/support-ticket/mailbox/delete/{id}', {
  summary: 'Delete a mailbox',
  description: 'One that mail has come to stays; make it inactive.',
  access: can('workspace.update'),
  params: { id: idOf('mailboxes') },
  reply: removed,
  handle: ({ db, params }) => removeMailbox(db, params.id),
});
