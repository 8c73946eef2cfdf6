import { choice, Id, Timestamp } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { z } from 'zod';
import { EVENT_STATES } from './event.rules.ts';

/** Response to an event delivery. */
export const Received = z
  .object({
    received: z.literal(true),
    status: choice(...EVENT_STATES),
    duplicate: z.boolean().describe('Whether the event was received before. A repeated event has no effect.'),
  })
  .meta({ id: 'ReceivedEvent' });

/** Received payment provider event about an instance. */
export const InboundEvent = z
  .object({
    id: Id,
    provider_event_id: z.string(),
    type: z.string(),
    object_ref: z.string().nullable(),
    status: choice(...EVENT_STATES),
    attempts: z.int(),
    error: z.string().nullable(),
    created_at_provider: Timestamp,
    received_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'InboundEvent' });

export const InboundEventFilter = list(InboundEvent, {
  filter: ['id', 'provider_event_id', 'type', 'object_ref', 'status', 'received_at', 'updated_at'],
  sort: ['received_at', 'updated_at'],
  order: '-received_at',
  search: false,
});
