import { choice, Day, Id, input, Timestamp } from '@suite/chassis/fields';
import { z } from 'zod';
import { Month } from '../../attendance/attendance/attendance.schema.ts';

export const KINDS = ['event', 'holiday', 'birthday', 'leave'] as const;
const Kind = choice(...KINDS);

/** Entry of an employee's calendar. For colleagues on leave, only their name and dates are included. */
export const CalendarEntry = z
  .object({
    kind: Kind,
    id: Id.describe('ID of the event, the holiday or the leave. For a birthday, the ID of the employee.'),
    title: z.string(),
    all_day: z.boolean(),
    start: z.union([Timestamp, Day]).describe('Start time, or the first day.'),
    end: z.union([Timestamp, Day]).describe('End time, or the last day, inclusive.'),
    location: z.string().nullable(),
    person: z.object({ id: Id, name: z.string() }).nullable(),
  })
  .meta({ id: 'HrmCalendarEntry' });

export const CalendarInput = input({
  month: Month.optional(),
  from: Day.optional(),
  to: Day.optional(),
  kinds: z.array(Kind).min(1).max(KINDS.length).optional().describe('Defaults to all kinds.'),
  page: z.int().min(1).max(1_000).default(1),
  per_page: z.int().min(1).max(100).default(100),
});
export type CalendarInput = z.output<typeof CalendarInput>;
