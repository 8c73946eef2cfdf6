import {
  choice,
  Day,
  inner,
  input,
  LongText,
  Name,
  PlannedDay,
  record,
  Timestamp,
  version,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { OwnAcknowledgment } from '../acknowledgments/acknowledgment.schema.ts';
import { Audience, AudienceInput, PARTS } from '../../organisation/audiences/audience.schema.ts';
import { announcementStates } from '../notices/notice.rules.ts';
import { partsFor } from '../notices/notice.schema.ts';

const WRITE_PERMISSION = 'announcement.update';

/** Announcement to employees. */
export const Announcement = record({
  title: z.string(),
  requires_ack: z.boolean().describe('Whether employees must acknowledge the announcement.'),
  start: Day.nullable().describe('First visible day. `null` before publication if none was set.'),
  end: Day.nullable().describe('Last day on which the announcement is shown.'),
  status: choice('draft', 'published', 'expired', 'archived'),
  published_at: Timestamp.nullable().describe('Time at which the announcement was first shown.'),
  audience: inner(Audience, WRITE_PERMISSION),
  acknowledgment: OwnAcknowledgment.nullable().describe('Acknowledgment of the caller. `null` if none is required.'),
  allowed_actions: Actions(announcementStates),
}).meta({ id: 'Announcement' });

/** Announcement with its text. */
export const AnnouncementDetails = Announcement.extend({ body: z.string() }).meta({ id: 'AnnouncementDetails' });

export const AnnouncementFilter = list(Announcement.extend(partsFor(WRITE_PERMISSION)), {
  filter: ['title', 'status', 'requires_ack', 'start', 'end', 'published_at', ...PARTS, 'created_at', 'updated_at'],
  sort: ['title', 'start', 'published_at', 'created_at', 'updated_at'],
  order: '-created_at',
  search: true,
});

export const AnnouncementInput = input({
  title: Name,
  body: LongText.min(1),
  requires_ack: z.boolean().default(false),
  start: PlannedDay.nullish().describe('First visible day. Defaults to the day of publication.'),
  end: PlannedDay.nullish(),
  audience: AudienceInput.optional(),
});

export const AnnouncementChanges = input({
  title: Name.optional(),
  body: LongText.min(1).optional(),
  requires_ack: z.boolean().optional(),
  start: PlannedDay.nullish().describe('First visible day. Defaults to the day of publication.'),
  end: PlannedDay.nullish(),
  audience: AudienceInput.optional(),
  version,
});

export type AnnouncementInput = z.output<typeof AnnouncementInput>;
export type AnnouncementChanges = z.output<typeof AnnouncementChanges>;
