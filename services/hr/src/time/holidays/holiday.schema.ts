import { Day, input, Name, PlannedDay, record, refTo, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { holidayActions } from './holiday.rules.ts';

/** Non-working days. */
export const Holiday = record({
  calendar_id: refTo('holiday_calendars'),
  branch_id: refTo('branches').nullable().describe('ID of the branch of the holiday calendar.'),
  name: z.string(),
  from: Day,
  to: Day.describe('Last day of the holiday, inclusive.'),
  days: z.int(),
  paid: z.boolean().describe('Whether the holiday is paid. An unpaid holiday is a working day without pay in payroll.'),
  allowed_actions: Actions(holidayActions),
}).meta({ id: 'Holiday' });

const columns = Holiday.extend({ year: z.int() });

export const HolidayFilter = list(columns, {
  filter: ['calendar_id', 'branch_id', 'name', 'from', 'to', 'year', 'paid', 'created_at'],
  sort: ['from', 'to', 'name', 'created_at', 'updated_at'],
  order: 'from',
  search: true,
});

export const HolidayInput = input({
  calendar_id: refTo('holiday_calendars').optional().describe('Defaults to the default calendar.'),
  name: Name,
  from: PlannedDay,
  to: PlannedDay.optional().describe('Defaults to the first day.'),
  paid: z.boolean().default(true),
});

export const HolidayChanges = input({
  name: Name.optional(),
  from: PlannedDay.optional(),
  to: PlannedDay.optional(),
  paid: z.boolean().optional(),
  version,
});

export type HolidayInput = z.output<typeof HolidayInput>;
export type HolidayChanges = z.output<typeof HolidayChanges>;
