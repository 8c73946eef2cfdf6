import { input, Name, record, refTo, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { calendarActions } from './calendar.rules.ts';

/** Holiday calendar of a location. */
export const HolidayCalendar = record({
  name: z.string(),
  branch_id: refTo('branches')
    .nullable()
    .describe('ID of the branch whose employees use the calendar, unless they have their own.'),
  is_default: z
    .boolean()
    .describe('Whether the calendar applies to employees without their own and without one of their branch.'),
  active: z.boolean().describe('Whether the calendar applies to its branch.'),
  holiday_count: z.int(),
  allowed_actions: Actions(calendarActions),
}).meta({ id: 'HolidayCalendar' });

export const HolidayCalendarFilter = list(HolidayCalendar, {
  filter: ['name', 'branch_id', 'is_default', 'active', 'created_at'],
  sort: ['name', 'created_at', 'updated_at'],
  order: 'name',
  search: true,
});

export const HolidayCalendarInput = input({
  name: Name,
  branch_id: refTo('branches').nullish(),
  is_default: z.boolean().default(false),
  active: z.boolean().default(true),
});

export const HolidayCalendarChanges = input({
  name: Name.optional(),
  branch_id: refTo('branches').nullish(),
  is_default: z
    .literal(true)
    .optional()
    .describe('`true` makes this the default calendar and replaces the previous one.'),
  active: z.boolean().optional(),
  version,
});

/** Result of a holiday import. */
export const HolidayImport = z
  .object({
    created: z.int(),
    skipped: z.int().describe('Holidays that the calendar already contains.'),
    failed: z.array(
      z.object({ event: z.int().describe('Position of the event in the file, starting at 1.'), code: z.string() }),
    ),
  })
  .meta({ id: 'HolidayImport' });

export type HolidayCalendarInput = z.output<typeof HolidayCalendarInput>;
export type HolidayCalendarChanges = z.output<typeof HolidayCalendarChanges>;
