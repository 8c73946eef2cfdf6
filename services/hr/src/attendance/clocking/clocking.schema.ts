import { choice, Day, idCheckedBy, input, Timestamp, LongText } from '@suite/chassis/fields';
import { z } from 'zod';
import { Attendance, Geo, Month, PunchShown, STATUSES } from '../attendance/attendance.schema.ts';

export const TapInput = input({
  type: choice('in', 'out', 'break_start', 'break_end')
    .optional()
    .describe('Type of punch. If omitted, the punch toggles between in and out.'),
  at: Timestamp.optional().describe('Time of an offline punch, at most one day ago. Defaults to the current time.'),
  client_id: idCheckedBy('its client: the ID refers only to the punch itself')
    .optional()
    .describe('Client-generated ID. Repeated requests with the same ID count as one punch.'),
  geo: Geo.optional(),
  note: LongText.max(500).optional(),
  work_from_home: z.boolean().default(false),
});

/** Recorded punch, or the punch that the request repeats. */
export const TapTaken = z
  .object({
    event: PunchShown,
    attendance: Attendance,
    duplicate: z.boolean(),
    warnings: z.array(choice('on_leave')),
  })
  .meta({ id: 'ClockTap' });

export const HistoryInput = input({
  month: Month.optional(),
  from: Day.optional(),
  to: Day.optional(),
  status: choice(...STATUSES, 'unmarked').optional(),
  page: z.int().min(1).max(10_000).default(1),
  per_page: z.int().min(1).max(100).default(31),
});

export type TapInput = z.output<typeof TapInput>;
export type HistoryInput = z.output<typeof HistoryInput>;
