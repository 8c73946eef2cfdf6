import { choice, Email, input, ShortText, LongText, record, Timestamp } from '@suite/chassis/fields';
import { z } from 'zod';
import { subject } from '../../pipeline/board/summaries.schema.ts';

export const EmailMessage = record({
  ...subject,
  to: z.array(z.string()),
  cc: z.array(z.string()),
  subject: z.string(),
  body: z.string(),
  delivery: choice('queued', 'sent', 'failed'),
  attempts: z.int(),
  sent_at: Timestamp.nullable(),
  failure: z.string().nullable().describe('Error of the last failed attempt.'),
}).meta({ id: 'CrmEmail' });

export const EmailInput = input({
  to: z.array(Email).min(1).max(20),
  cc: z.array(Email).max(20).default([]),
  subject: ShortText(200).min(1),
  body: LongText.min(1),
});
