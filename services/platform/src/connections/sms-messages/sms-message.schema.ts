import { choice, input, record, Timestamp } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { z } from 'zod';
import { PhoneNumber } from '../sms-provider/sms-provider.schema.ts';

/** Text message. The text of a second factor is never shown. */
export const SmsMessage = record({
  to: z.string().nullable().describe("Recipient's number. `null` after the recipient is deleted."),
  text: z.string().nullable(),
  purpose: choice('reminder', 'second_factor', 'notice'),
  status: choice('queued', 'sent', 'delivered', 'failed'),
  attempts: z.int(),
  sent_at: Timestamp.nullable(),
  delivered_at: Timestamp.nullable(),
  failure_code: z.string().nullable(),
  failure: z.string().nullable().describe('Reason why the message was not sent or delivered.'),
}).meta({ id: 'SmsMessage' });

export const SmsFilter = list(SmsMessage, {
  filter: ['to', 'purpose', 'status', 'created_at', 'updated_at'],
  sort: ['created_at', 'updated_at'],
});

export const SmsInput = input({
  to: PhoneNumber,
  text: z.string().trim().min(1).max(1_000),
  purpose: choice('reminder', 'notice').default('notice'),
});

/** Delivery report in the provider's format. The settings define the paths of the message and the status. */
export const SmsReport = z.record(z.string().max(200), z.unknown());
export const ReportToken = z.string().max(200);
export const ReportReceived = z.object({ received: z.literal(true) });
