import { Day, input, Name, record, version, Zone } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { calendarActions } from './calendar.rules.ts';
import { hoursFault } from './hours.rules.ts';

const Time = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'Enter a time of day as HH:MM. 24:00 is the end of the day.')
  .meta({ example: '09:00' });
const Spans = z
  .array(z.array(Time).length(2))
  .max(20)
  .describe('Working hours as start and end. The end is exclusive.');
const day = Spans.optional();
const Hours = z
  .strictObject({ 1: day, 2: day, 3: day, 4: day, 5: day, 6: day, 7: day })
  .describe('Working intervals by weekday, from `1` for Monday to `7` for Sunday, without overlaps.');
const Holidays = z.array(z.strictObject({ date: Day, name: Name })).max(1_000);

/** Calendar of working hours. */
export const Calendar = record({
  name: z.string(),
  timezone: z.string(),
  hours: Hours,
  holidays: Holidays.describe('Days without work, in the time zone of the calendar.'),
  allowed_actions: Actions(calendarActions),
}).meta({ id: 'SupportCalendar' });

export const CalendarFilter = list(Calendar, {
  filter: ['name', 'timezone', 'created_at', 'updated_at'],
  sort: ['name', 'created_at', 'updated_at'],
  order: 'name',
  search: true,
});

const checkedHours = Hours.superRefine((hours, context) => {
  const message = hoursFault(hours);
  if (message) context.addIssue({ code: 'custom', message });
});
const isDense = (days: readonly { date: unknown }[]) => new Set(days.map(({ date }) => date)).size === days.length;
const holidays = Holidays.refine(isDense, 'Enter each day only once.');

export const CalendarInput = input({ name: Name, timezone: Zone, hours: checkedHours, holidays: holidays.default([]) });

export const CalendarChanges = input({
  name: Name.optional(),
  timezone: Zone.optional(),
  hours: checkedHours.optional(),
  holidays: holidays.optional(),
  version,
});

export type CalendarInput = z.output<typeof CalendarInput>;
export type CalendarChanges = z.output<typeof CalendarChanges>;
