import { Id, Timestamp } from '@suite/chassis/fields';
import { z } from 'zod';

/** SLA targets of a ticket, as shown in lists. */
export const Sla = z
  .object({
    policy: z
      .object({ id: Id, name: z.string() })
      .nullable()
      .describe('SLA policy in the version that applies to the ticket.'),
    first_response_due: Timestamp.nullable().describe(
      'Due time of the first response. `null` once answered or without a target.',
    ),
    resolution_due: Timestamp.nullable().describe('Due time of the resolution. `null` while its timer is paused.'),
    first_responded_at: Timestamp.nullable(),
    resolved_at: Timestamp.nullable(),
    paused_seconds: z.int().describe('Paused time in working seconds. Excludes a current pause.'),
    breached: z.boolean().describe('Whether an SLA target is or was breached.'),
    near_breach: z.boolean(),
  })
  .meta({ id: 'SupportTicketSla' });
