import { input, list, Name, record, refTo, version } from '@suite/chassis';
import { z } from 'zod';

/** The holidays of a place. */
export const HolidayCalendar = record({
  name: z.string(),
  branch_id: refTo('branches')
    .nullable()
    .describe('The branch whose people it is for, unless somebody has one of his own.'),
  is_default: z.boolean().describe('Whether it is for everybody whose branch has none.'),
  active: z.boolean().describe('One that is not active is for no branch.'),
  holiday_count: z.int(),
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
  is_default: z.literal(true).optional().describe('Another calendar is the default no more.'),
  active: z.boolean().optional(),
  version,
});

/** The outcome of an import. */
export const HolidayImport = z
  .object({
    created: z.int(),
    skipped: z.int().describe('Holidays that the calendar has already.'),
    failed: z.array(
      z.object({ event: z.int().describe('The place of the event in the file, from 1.'), code: z.string() }),
    ),
  })
  .meta({ id: 'HolidayImport' });

export type HolidayCalendarInput = z.output<typeof HolidayCalendarInput>;
export type HolidayCalendarChanges = z.output<typeof HolidayCalendarChanges>;
