import { choice, Day, Id, input, Timestamp } from '@suite/chassis';
import { z } from 'zod';
import { Month } from '../attendance/attendance.schema.ts';

export const KINDS = ['event', 'holiday', 'birthday', 'leave'] as const;
const Kind = choice(...KINDS);

/** Something in somebody's calendar. Of colleagues on leave it tells who and when, and nothing else. */
export const CalendarEntry = z
  .object({
    kind: Kind,
    id: Id.describe('Of the event, the holiday or the leave; of a birthday that of the employee.'),
    title: z.string(),
    all_day: z.boolean(),
    start: z.union([Timestamp, Day]).describe('An instant, or the first day.'),
    end: z.union([Timestamp, Day]).describe('The instant at which it is over, or the last day, included.'),
    location: z.string().nullable(),
    person: z.object({ id: Id, name: z.string() }).nullable(),
  })
  .meta({ id: 'HrmCalendarEntry' });

export const CalendarInput = input({
  month: Month.optional(),
  from: Day.optional(),
  to: Day.optional(),
  kinds: z.array(Kind).min(1).max(KINDS.length).optional().describe('All of them, if nothing is said.'),
  page: z.int().min(1).max(1_000).default(1),
  per_page: z.int().min(1).max(100).default(100),
});
export type CalendarInput = z.output<typeof CalendarInput>;
