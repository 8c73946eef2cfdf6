import { choice, Id } from '@suite/chassis';
import { z } from 'zod';
import { RefusedAttachment } from '../files/attachment.schema.ts';

/** Why an e-mail became neither a ticket nor a reply. */
export const IgnoredBecause = choice('loop', 'bounce', 'auto_reply', 'automatic', 'mailing_list', 'blocked').describe(
  'Why the e-mail was ignored: it is our own, a bounce, an automatic answer, of a program or a mailing list that the mailbox refuses, or of a blocked sender.',
);

/** The outcome of a received e-mail. */
export const TakenMail = z
  .object({
    outcome: choice('created', 'replied', 'duplicate', 'ignored').describe(
      'The e-mail created a ticket, was added to a ticket, had been received before, or was ignored.',
    ),
    reason: IgnoredBecause.nullable(),
    ticket_id: Id.nullable(),
    number: z.string().nullable(),
    reply_id: Id.nullable(),
    attachments_refused: z.array(RefusedAttachment).describe('Attachments that were not kept.'),
  })
  .meta({ id: 'TakenMail' });

export type TakenMail = z.input<typeof TakenMail>;
