/** Mailboxes: the addresses whose mail becomes tickets. A mail server hands each message in with the mailbox's token. */
import { can, created, idOf, ok, page, paginate, removed } from '@suite/chassis';
import { command, query } from '../operations.ts';
import { createMailbox, removeMailbox, rotateToken, updateMailbox } from './mailbox.ts';
import {
  Mailbox,
  MailboxChanges,
  MailboxFilter,
  MailboxInput,
  MailboxWithToken,
  VerificationInput,
} from './mailbox.schema.ts';
import { resendVerification, TooManyCodes, verifyMailbox, WrongCode } from './mailbox-verification.ts';

export const list = query('GET /api/support-ticket/mailboxes', {
  summary: 'List mailboxes',
  access: can('workspace.update'),
  query: MailboxFilter,
  reply: page(Mailbox),
  handle: ({ db, query }) => paginate(db, query, { table: 'mailboxes' }),
});

export const create = command('POST /api/support-ticket/mailbox/store', {
  summary: 'Create a mailbox',
  description:
    'Addresses are unique. The response shows the token, which no other response does. A code is sent to the address: until it is entered, e-mails leave with the address of the suite.',
  access: can('workspace.update'),
  body: MailboxInput,
  reply: created(MailboxWithToken),
  faults: [TooManyCodes],
  handle: ({ body, ...context }) => createMailbox(context, body),
});

export const update = command('POST /api/support-ticket/mailbox/update/{id}', {
  summary: 'Update a mailbox',
  description:
    'E-mails to an inactive mailbox are rejected. Another address must be verified anew: a code is sent to it.',
  access: can('workspace.update'),
  params: { id: idOf('mailboxes') },
  body: MailboxChanges,
  reply: ok(Mailbox),
  faults: [TooManyCodes],
  handle: ({ db, params, body, expect }) => updateMailbox(db, params.id, body, expect),
});

export const verify = command('POST /api/support-ticket/mailbox/verify/{id}', {
  summary: 'Verify the address of a mailbox',
  description: 'Takes the code that was sent to the address. From then on, e-mails leave with this address.',
  access: can('workspace.update'),
  params: { id: idOf('mailboxes') },
  body: VerificationInput,
  reply: ok(Mailbox),
  faults: [WrongCode],
  handle: ({ db, params, body }) => verifyMailbox(db, params.id, body.code),
});

export const resend = command('POST /api/support-ticket/mailbox/resend-code/{id}', {
  summary: 'Resend a verification code',
  description: 'Sends another code to the address and cancels earlier codes. Has no effect if the address is verified.',
  access: can('workspace.update'),
  params: { id: idOf('mailboxes') },
  reply: ok(Mailbox),
  faults: [TooManyCodes],
  handle: ({ db, params }) => resendVerification(db, params.id),
});

export const rotate = command('POST /api/support-ticket/mailbox/rotate-token/{id}', {
  summary: 'Rotate the token of a mailbox',
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
