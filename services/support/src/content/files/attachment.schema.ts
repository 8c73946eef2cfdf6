import { choice, Id } from '@suite/chassis/fields';
import { z } from 'zod';

/** File of a ticket, a reply or a note. */
export const Attachment = z
  .object({
    id: Id,
    name: z.string(),
    mime: z.string(),
    size: z.int(),
    url: z.string().describe('Download URL. No token required. Expires after one to three hours.'),
  })
  .meta({ id: 'SupportAttachment' });

/** Rejected attachment of an e-mail. */
export const RefusedAttachment = z
  .object({
    name: z.string().describe('File name.'),
    reason: choice('too_many', 'too_large', 'plan_limit', 'type', 'scan').describe('Reason for the rejection.'),
  })
  .meta({ id: 'SupportRefusedAttachment' });

/** File upload of a ticket, a reply or a note: at most five files of 10 MiB each. */
export const attachments = { field: 'files', kinds: 'documents', many: true, optional: true } as const;
