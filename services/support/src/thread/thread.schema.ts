/** A ticket's thread, as it is shown: public replies, and for agents notes and history beside them. */
import { choice, Id, Timestamp } from '@suite/chassis';
import { z } from 'zod';
import { Attachment, RefusedAttachment } from '../files/attachment.schema.ts';

const Author = z.object({ kind: choice('agent', 'customer'), name: z.string() });

/** Public words on a ticket. */
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
      .describe(
        'Whether `body` is only the beginning of a long e-mail. The attachment `message.txt` has the whole text.',
      ),
    body_html: z
      .string()
      .describe('The body as HTML: an agent’s is Markdown, a customer’s plain text. It can be shown as it is.'),
    in_reply_to: Id.nullable(),
    attachments: z.array(Attachment),
    attachments_refused: z
      .array(RefusedAttachment)
      .describe('Attachments of the e-mail that it came by, as far as they were not taken.'),
    at: Timestamp,
    delivery: choice('queued', 'sent', 'delivered', 'failed', 'bounced')
      .nullish()
      .describe('Of the mail to the requester; for agents.'),
    quoted: z.string().nullish().describe('Quoted text and the signature of the e-mail that it came by; for agents.'),
    original_html: z
      .string()
      .nullish()
      .describe('That whole e-mail as HTML, cleaned, without pictures; for agents. It can be shown as it is.'),
    unverified: z
      .boolean()
      .optional()
      .describe('Its sender only knew the conversation, and is not written to; for agents.'),
    authenticated: z
      .boolean()
      .nullish()
      .describe(
        'Whether the mail server found its sender to be who he says (SPF, DKIM, DMARC); null where it says nothing; for agents.',
      ),
  })
  .meta({ id: 'SupportReply' });

/** An internal note: agents read it, and nobody else. */
export const Note = z
  .object({
    id: Id,
    author: z.object({ id: Id.nullable(), name: z.string() }),
    body: z.string(),
    attachments: z.array(Attachment),
    created_at: Timestamp,
  })
  .meta({ id: 'SupportNote' });

/** A line of a ticket's history. */
export const Activity = z
  .object({
    id: Id,
    verb: z.string(),
    diff: z.record(z.string(), z.array(z.unknown())),
    actor_id: Id.nullable(),
    at: Timestamp,
  })
  .meta({ id: 'SupportActivity' });
