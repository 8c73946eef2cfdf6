import { choice, Day, DecimalOut, Id, Timestamp } from '@suite/chassis/fields';
import { z } from 'zod';
import { Priority } from '../../sla/sla/sla-policy.schema.ts';
import { Channel, TicketStatus, TicketType } from '../../tickets/tickets/ticket.schema.ts';

const Satisfaction = z.object({
  average: DecimalOut.nullable().describe('Average rating of the last 30 days, from 1 to 5.'),
  count: z.int(),
});

const OverdueCounts = z.object({ first_response: z.int(), resolution: z.int() });
const Durations = z.object({
  average_seconds: z.int().nullable().describe('Working seconds over the last 30 days.'),
  median_seconds: z.int().nullable().describe('Median in seconds, accurate to about 2 %.'),
  within_target_percent: DecimalOut.nullable(),
});
const DueTicket = z.object({ ticket_id: Id, number: z.string(), subject: z.string(), next_due_at: Timestamp });

/** Support dashboard: of all tickets for agents, and of their own tickets for requesters. */
export const Home = z
  .object({
    today: Day,
    counts: z.record(z.string(), z.int()),
    unassigned: z.int().optional(),
    overdue: OverdueCounts.optional().describe('Tickets past an SLA target.'),
    near_breach: z.int().optional().describe('Tickets with an SLA target close to its deadline and none breached.'),
    mine: z.object({ open: z.int(), pending: z.int(), overdue: z.int(), due_today: z.int() }).optional(),
    first_response: Durations.optional(),
    resolution: Durations.optional(),
    due_next: z.array(DueTicket).optional(),
    satisfaction: Satisfaction.optional(),
    created_by_day: z.array(z.object({ day: Day, created: z.int() })).optional(),
    recent: z.array(
      z.object({
        ticket_id: Id,
        number: z.string(),
        subject: z.string(),
        status: TicketStatus.optional(),
        verb: z.string().optional(),
        at: Timestamp,
      }),
    ),
  })
  .meta({ id: 'SupportHome' });

const IdAndName = z.object({ id: Id, name: z.string() });

/** Pick lists. Requesters get fewer options. */
export const RequestData = z
  .object({
    categories: z.array(IdAndName.extend({ color: z.string(), default_assignee_id: Id.nullable().optional() })),
    priorities: z.array(Priority),
    types: z.array(TicketType),
    limits: z.object({ attachment_bytes: z.int(), attachments: z.int(), types: z.array(z.string()) }),
    statuses: z.array(z.object({ status: TicketStatus, actions: z.array(z.string()) })).optional(),
    channels: z.array(Channel).optional(),
    agents: z.array(IdAndName.extend({ open_count: z.int() })).optional(),
    teams: z.array(z.string()).optional(),
    tags: z.array(z.string()).optional(),
    canned_replies: z.array(z.object({ id: Id, title: z.string() })).optional(),
    sla_policies: z.array(IdAndName).optional().describe('Active SLA policies, in order.'),
    side: choice('agent', 'requester'),
  })
  .meta({ id: 'SupportRequestData' });
