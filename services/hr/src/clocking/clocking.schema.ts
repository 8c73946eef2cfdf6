import { choice, Day, idCheckedBy, input, Timestamp, LongText } from '@suite/chassis';
import { z } from 'zod';
import { Attendance, Geo, Month, PunchShown, STATUSES } from '../attendance/attendance.schema.ts';

export const TapInput = input({
  type: choice('in', 'out', 'break_start', 'break_end').optional().describe('Left out, it toggles: in, then out.'),
  at: Timestamp.optional().describe('When it was tapped offline: at most a day ago. Else it is now.'),
  client_id: idCheckedBy('its client: it names no record but the tap itself')
    .optional()
    .describe('Given by the client: sent twice, it is one tap.'),
  geo: Geo.optional(),
  note: LongText.max(500).optional(),
  work_from_home: z.boolean().default(false),
});

/** A tap that was taken, or the one that it repeats. */
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
