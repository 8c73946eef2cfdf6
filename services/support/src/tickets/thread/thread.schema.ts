/** Thread of a ticket as displayed: public replies, and for agents also notes and history. */
import { choice, Id, Timestamp } from '@suite/chassis/fields';
import { z } from 'zod';
import { Attachment, RefusedAttachment } from '../../content/files/attachment.schema.ts';

const Author = z.object({ kind: choice('agent', 'customer'), name: z.string() });

/** Public reply on a ticket. */
export const Reply = z
  .object({
    id: Id,
    author: Author,
    opening_subject: z
      .string()
      .nullable()
      .describe('Subject of a merged ticket, if this is its first message. `null` for replies.'),
    body: z.string(),
    body_truncated: z
      .boolean()
      .describe('Whether `body` is truncated. The attachment `message.txt` has the full text.'),
    body_html: z
      .string()
      .describe('Body as sanitised HTML, safe to display. Agents write Markdown, requesters plain text.'),
    in_reply_to: Id.nullable(),
    attachments: z.array(Attachment),
    attachments_refused: z.array(RefusedAttachment).describe('Attachments of the e-mail that were rejected.'),
    at: Timestamp,
    delivery: choice('queued', 'sent', 'delivered', 'failed', 'bounced')
      .nullish()
      .describe('Delivery of the e-mail to the requester. Visible to agents only.'),
    quoted: z.string().nullish().describe('Quoted text and signature of the e-mail. Visible to agents only.'),
    original_html: z
      .string()
      .nullish()
      .describe('Whole e-mail as sanitised HTML without images, safe to display. Visible to agents only.'),
    unverified: z
      .boolean()
      .optional()
      .describe('Whether the sender is not verified and receives no e-mails. Visible to agents only.'),
    authenticated: z
      .boolean()
      .nullish()
      .describe(
        'Whether the e-mail server verified the sender (SPF, DKIM, DMARC). `null` if it did not report it. Visible to agents only.',
      ),
  })
  .meta({ id: 'SupportReply' });

/** Internal note, visible to agents only. */
export const Note = z
  .object({
    id: Id,
    author: z.object({ id: Id.nullable(), name: z.string() }),
    body: z.string(),
    attachments: z.array(Attachment),
    created_at: Timestamp,
  })
  .meta({ id: 'SupportNote' });

/** Entry of a ticket's history. */
export const Activity = z
  .object({
    id: Id,
    verb: z.string(),
    diff: z.record(z.string(), z.array(z.unknown())),
    actor_id: Id.nullable(),
    at: Timestamp,
  })
  .meta({ id: 'SupportActivity' });
