import { choice, Id, Timestamp } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { z } from 'zod';
import { IgnoreReason } from '../inbound-mail/inbound.schema.ts';

/** Received e-mail, even if it became neither a ticket nor a reply. */
export const ReceivedEmail = z
  .object({
    id: Id,
    mailbox_id: Id.describe('ID of the mailbox that received the e-mail.'),
    from_address: z.string().describe('E-mail address of the sender.'),
    subject: z.string().nullable().describe('Subject. `null` for e-mails received before subjects were stored.'),
    message_id: z.string().nullable().describe('`Message-ID` header of the e-mail. `null` for none.'),
    size: z.int().nullable().describe('Length in bytes. `null` for e-mails received before lengths were stored.'),
    outcome: choice('created', 'replied', 'ignored').describe(
      'Outcome: the e-mail created a ticket, was added to one, or was ignored.',
    ),
    reason: IgnoreReason.nullable(),
    ticket_id: Id.nullable().describe('ID of the ticket that the e-mail created or belongs to. `null` for none.'),
    reply_id: Id.nullable().describe('ID of the reply that the e-mail became. `null` for none.'),
    at: Timestamp.describe('Time of receipt.'),
    updated_at: Timestamp.describe('Time when the e-mail was processed, or its original deleted.'),
    has_original: z.boolean().describe('Whether the original can be downloaded. Originals are stored for 90 days.'),
  })
  .meta({ id: 'ReceivedEmail' });

export const ReceivedEmailFilter = list(ReceivedEmail, {
  filter: ['id', 'mailbox_id', 'from_address', 'outcome', 'reason', 'ticket_id', 'at', 'updated_at'],
  sort: ['at', 'updated_at'],
  order: '-at',
  search: { texts: ['from_address', 'subject'] },
});
