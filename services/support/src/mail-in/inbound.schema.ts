import { choice, Id } from '@suite/chassis';
import { z } from 'zod';
import { RefusedAttachment } from '../files/attachment.schema.ts';

/** The outcome of an e-mail that was handed in. */
export const TakenMail = z
  .object({
    outcome: choice('created', 'replied', 'duplicate', 'ignored').describe(
      'A ticket was made of it, or it was added to one; it had come before; or it is of a machine.',
    ),
    reason: choice('loop', 'bounce', 'auto_reply', 'blocked').nullable().describe('Why it was ignored.'),
    ticket_id: Id.nullable(),
    number: z.string().nullable(),
    reply_id: Id.nullable(),
    attachments_refused: z.array(RefusedAttachment).describe('Attachments that were not kept.'),
  })
  .meta({ id: 'TakenMail' });

export type TakenMail = z.input<typeof TakenMail>;
