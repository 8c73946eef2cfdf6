/** Holiday calendars: one per branch, one for individual employees, and a default. */
import { idOf } from '@suite/chassis/fields';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { command, query } from '../../operations.ts';
import { changeCalendar, createCalendar, listCalendars, removeCalendar } from './calendar.ts';
import { CalendarExists, calendarActions } from './calendar.rules.ts';
import {
  HolidayCalendar,
  HolidayCalendarChanges,
  HolidayCalendarFilter,
  HolidayCalendarInput,
} from './calendar.schema.ts';

const ADDITION =
  'The specification only reads employment and working-time data: without these, a company could not set up its own.';

export const list = query('GET /api/holiday-calendars', {
  summary: 'List holiday calendars',
  description:
    'Returns holiday calendars with their branch. `is_default` marks the calendar of employees without their own.',
  addition: ADDITION,
  access: can('holiday.view'),
  query: HolidayCalendarFilter,
  reply: page(HolidayCalendar),
  handle: ({ db, query }) => listCalendars(db, query),
});

export const create = command('POST /api/holiday-calendar/create', {
  summary: 'Create a holiday calendar',
  description:
    'Creates a holiday calendar. Names are unique. Returns `calendar_exists` if the branch already has an active one. A new default calendar replaces the previous default.',
  addition: ADDITION,
  access: can('holiday.create'),
  body: HolidayCalendarInput,
  reply: created(HolidayCalendar),
  faults: [CalendarExists],
  handle: ({ body, ...context }) => createCalendar(context, body),
});

export const update = command('POST /api/holiday-calendar/update/{id}', {
  summary: 'Update a holiday calendar',
  description:
    'Updates a calendar. The default calendar cannot be deactivated. Returns `calendar_exists` if the branch already has another active calendar.',
  addition: ADDITION,
  access: calendarActions.can('update'),
  params: { id: idOf('holiday_calendars') },
  body: HolidayCalendarChanges,
  reply: ok(HolidayCalendar),
  faults: [CalendarExists],
  handle: ({ params, body, expect, ...context }) => changeCalendar(context, params.id, body, expect),
});

export const remove = command('DELETE /api/holiday-calendar/delete/{id}', {
  summary: 'Delete a holiday calendar',
  description:
    'Deletes a calendar with its holidays. Returns 409 `in_use` for the default calendar, or if employees have or had it. Deactivate it instead.',
  addition: ADDITION,
  access: calendarActions.can('delete'),
  params: { id: idOf('holiday_calendars') },
  reply: removed,
  handle: ({ params, ...context }) => removeCalendar(context, params.id),
});
