import {
  BusinessMoment,
  choice,
  inner,
  input,
  Name,
  record,
  ShortText,
  Timestamp,
  version,
  Zone,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { Audience, AudienceInput, PARTS } from '../../organisation/audiences/audience.schema.ts';
import { eventStates } from '../notices/notice.rules.ts';
import { partsFor } from '../notices/notice.schema.ts';

const WRITE_PERMISSION = 'event.update';

/** Company event for employees. */
export const Event = record({
  title: z.string(),
  start: Timestamp,
  end: Timestamp.describe('End of the event, exclusive.'),
  timezone: z.string().describe('IANA time zone of the event.'),
  location: z.string().nullable(),
  status: choice('draft', 'published', 'expired', 'archived', 'cancelled'),
  published_at: Timestamp.nullable(),
  audience: inner(Audience, WRITE_PERMISSION),
  allowed_actions: Actions(eventStates),
}).meta({ id: 'Event' });

export const EventFilter = list(Event.extend(partsFor(WRITE_PERMISSION)), {
  filter: ['title', 'start', 'end', 'location', 'status', 'published_at', ...PARTS, 'created_at', 'updated_at'],
  sort: ['start', 'end', 'title', 'created_at', 'updated_at'],
  order: '-created_at',
  search: true,
});

const fields = {
  title: Name,
  start: BusinessMoment,
  end: BusinessMoment,
  timezone: Zone.optional().describe('Defaults to the time zone of the workspace.'),
  location: ShortText(500).min(1).nullish(),
  audience: AudienceInput.optional(),
};

export const EventInput = input(fields);
export const EventChanges = input(fields).partial().extend({ version });
export const EventStatusChange = input({ action: choice('publish', 'archive', 'cancel'), version });

export type EventInput = z.output<typeof EventInput>;
export type EventChanges = z.output<typeof EventChanges>;
