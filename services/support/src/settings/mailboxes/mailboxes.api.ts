/** Mailboxes: addresses whose e-mails become tickets. */
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { command, query } from '../../operations.ts';
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
import { mailboxActions } from './mailbox.rules.ts';

const ADDITION =
  'Inbound e-mails arrive through mailboxes, and the specification has no operations that manage mailboxes.';

export const list = query('GET /api/support-ticket/mailboxes', {
  summary: 'List mailboxes',
  description: 'Returns mailboxes with verification status. Tokens are not shown again.',
  addition: ADDITION,
  access: can('workspace.update'),
  query: MailboxFilter,
  reply: page(Mailbox),
  handle: ({ db, query }) => paginate(db, query, { table: 'mailboxes' }),
});

export const create = command('POST /api/support-ticket/mailbox/store', {
  summary: 'Create a mailbox',
  description:
    'Creates a mailbox with a unique address. Returns its token once. Sends a verification code to the address. Replies use the address of the suite until it is verified.',
  addition: ADDITION,
  access: can('workspace.update'),
  body: MailboxInput,
  reply: created(MailboxWithToken),
  faults: [TooManyCodes],
  handle: ({ body, ...context }) => createMailbox(context, body),
});

export const update = command('POST /api/support-ticket/mailbox/update/{id}', {
  summary: 'Update a mailbox',
  description:
    'Updates a mailbox. An inactive mailbox rejects e-mails. A new address must be verified again: a code is sent to the new address.',
  addition: ADDITION,
  access: mailboxActions.can('update'),
  params: { id: idOf('mailboxes') },
  body: MailboxChanges,
  reply: ok(Mailbox),
  faults: [TooManyCodes],
  handle: ({ db, params, body, expect }) => updateMailbox(db, params.id, body, expect),
});

export const verify = command('POST /api/support-ticket/mailbox/verify/{id}', {
  summary: 'Verify the address of a mailbox',
  description:
    'Verifies the address with the code sent to it. Replies use this address from now on. Returns `wrong_verification_code` for a wrong or expired code.',
  addition: ADDITION,
  access: mailboxActions.can('verify'),
  params: { id: idOf('mailboxes') },
  body: VerificationInput,
  reply: ok(Mailbox),
  faults: [WrongCode],
  handle: ({ db, params, body }) => verifyMailbox(db, params.id, body.code),
});

export const resend = command('POST /api/support-ticket/mailbox/resend-code/{id}', {
  summary: 'Resend a verification code',
  description: 'Sends another code to the address and cancels earlier codes. Has no effect if the address is verified.',
  addition: ADDITION,
  access: mailboxActions.can('resend'),
  params: { id: idOf('mailboxes') },
  reply: ok(Mailbox),
  faults: [TooManyCodes],
  handle: ({ db, params }) => resendVerification(db, params.id),
});

export const rotate = command('POST /api/support-ticket/mailbox/rotate-token/{id}', {
  summary: 'Rotate the token of a mailbox',
  description: 'Returns a new token, once. The previous token works for another seven days.',
  addition: ADDITION,
  access: mailboxActions.can('rotate'),
  params: { id: idOf('mailboxes') },
  reply: ok(MailboxWithToken),
  handle: ({ params, expect, ...context }) => rotateToken(context, params.id, expect),
});

export const remove = command('POST /api/support-ticket/mailbox/delete/{id}', {
  summary: 'Delete a mailbox',
  description: 'Deletes a mailbox. Returns 409 `in_use` if it has received e-mails. Deactivate it instead.',
  addition: ADDITION,
  access: mailboxActions.can('delete'),
  params: { id: idOf('mailboxes') },
  reply: removed,
  handle: ({ db, params }) => removeMailbox(db, params.id),
});
