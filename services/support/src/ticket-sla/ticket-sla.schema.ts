import { choice, Id, Timestamp } from '@suite/chassis';
import { z } from 'zod';

const Interval = z.object({
  state: choice('running', 'paused'),
  from: Timestamp,
  to: Timestamp.nullable().describe('End of the interval. `null` while it lasts.'),
  working_seconds: z.int().describe('Until now, of one that lasts.'),
});

const Clock = z.object({
  target: choice('first_response', 'resolution', 'next_response'),
  run: z.int().describe('Counts the clocks of one target: each customer’s reply may start another one.'),
  state: choice('running', 'paused', 'met', 'missed', 'none'),
  target_seconds: z.int().nullable().describe('SLA target in working seconds. `null` for none.'),
  used_seconds: z.int(),
  remaining_seconds: z.int().nullable(),
  paused_seconds: z.int(),
  due: Timestamp.nullable().describe('Due time. `null` while the timer is paused.'),
  warn_at: Timestamp.nullable(),
  met_at: Timestamp.nullable(),
  breached_at: Timestamp.nullable(),
  intervals: z.array(Interval),
});

/** How the promises to a ticket came about, and how they go: every interval of every clock. */
export const TicketSla = z
  .object({
    ticket_id: Id,
    policy: z
      .object({
        id: Id,
        name: z.string(),
        pause_in: z.array(z.string()),
        warn_percent: z.int(),
        timezone: z.string(),
      })
      .nullable()
      .describe('SLA policy in the version that applies to the ticket.'),
    breached: z.boolean(),
    paused_seconds: z.int(),
    next_due_at: Timestamp.nullable(),
    clocks: z.array(Clock),
  })
  .meta({ id: 'SupportSla' });

/** How many tickets a policy was applied to. */
export const Applied = z
  .object({ tickets: z.int().describe('Open tickets that were under it before, or are now.') })
  .meta({ id: 'SlaPolicyApplied' });
