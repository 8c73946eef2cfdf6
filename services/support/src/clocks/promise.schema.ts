import { Id, Timestamp } from '@suite/chassis';
import { z } from 'zod';

/** The promises to a ticket, as lists show them. */
export const Sla = z
  .object({
    policy: z.object({ id: Id, name: z.string() }).nullable().describe('As it was when the ticket came under it.'),
    first_response_due: Timestamp.nullable().describe('Null when it was answered, or nothing is promised.'),
    resolution_due: Timestamp.nullable().describe('Null while its clock stands still.'),
    first_responded_at: Timestamp.nullable(),
    resolved_at: Timestamp.nullable(),
    paused_seconds: z
      .int()
      .describe('Working seconds in which it waited for somebody else; a wait that lasts is not among them.'),
    breached: z.boolean().describe('Whether a promise is or was late.'),
    near_breach: z.boolean(),
  })
  .meta({ id: 'SupportTicketSla' });
