import { choice, Id } from '@suite/chassis/fields';
import { z } from 'zod';
import { RefusedAttachment } from '../../content/files/attachment.schema.ts';

/** Reason why an e-mail became neither a ticket nor a reply. */
export const IgnoreReason = choice('loop', 'bounce', 'auto_reply', 'automatic', 'mailing_list', 'blocked').describe(
  'Reason why the e-mail was ignored: sent by this workspace, a bounce, an automatic reply, an automatic sender or a mailing list that the mailbox rejects, or a blocked sender.',
);

/** Outcome of a received e-mail. */
export const InboundMailResult = z
  .object({
    outcome: choice('created', 'replied', 'duplicate', 'ignored').describe(
      'Outcome: the e-mail created a ticket, was added to one, was a duplicate, or was ignored.',
    ),
    reason: IgnoreReason.nullable(),
    ticket_id: Id.nullable(),
    number: z.string().nullable(),
    reply_id: Id.nullable(),
    attachments_refused: z.array(RefusedAttachment).describe('Attachments that were not stored.'),
  })
  .meta({ id: 'TakenMail' });

export type InboundMailResult = z.input<typeof InboundMailResult>;
