import { choice, Id, record } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { failedEmailActions } from './failed-email.rules.ts';

/** Failed e-mail: an inbound e-mail that could not be processed. */
export const FailedEmail = record({
  mailbox_id: Id,
  reason: choice(
    'mail_too_large',
    'unreadable_mail',
    'too_many_attachments',
    'mail_without_sender',
    'forged_thread',
    'ticket_closed',
  ).describe('Error code of the rejection. Only the first 256 KiB of an e-mail that is too large are stored.'),
  detail: z.string().nullable(),
  size: z.int().describe('Size of the e-mail in bytes.'),
  allowed_actions: Actions(failedEmailActions),
}).meta({ id: 'ParkedMail' });

export const FailedEmailFilter = list(FailedEmail, {
  filter: ['mailbox_id', 'reason', 'created_at'],
  sort: ['created_at', 'size'],
});
