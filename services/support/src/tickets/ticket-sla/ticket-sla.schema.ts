import { choice, Id, Timestamp } from '@suite/chassis/fields';
import { z } from 'zod';

const Interval = z.object({
  state: choice('running', 'paused'),
  from: Timestamp,
  to: Timestamp.nullable().describe('End of the interval. `null` while it lasts.'),
  working_seconds: z.int().describe('Length of the interval. Until now for a current interval.'),
});

const Clock = z.object({
  target: choice('first_response', 'resolution', 'next_response'),
  run: z.int().describe('Sequence number of the timers for one target. Each customer reply can start another timer.'),
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

/** SLA history of a ticket: every interval of every SLA timer. */
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

/** Result of applying a policy. */
export const PolicyApplication = z
  .object({ tickets: z.int().describe('Number of open tickets that used this policy before, or use it now.') })
  .meta({ id: 'SlaPolicyApplied' });
