/** Holidays of a calendar. Changes recalculate attendance and leave. */
import { idOf } from '@suite/chassis/fields';
import { decodeText } from '@suite/chassis/files';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { HolidayImport } from '../calendars/calendar.schema.ts';
import { command, query } from '../../operations.ts';
import { readHolidays } from './holiday-import.ts';
import { UnreadableCalendar, holidayActions } from './holiday.rules.ts';
import { addHolidays, changeHoliday, createHoliday, removeHoliday } from './holiday.ts';
import { Holiday, HolidayChanges, HolidayFilter, HolidayInput } from './holiday.schema.ts';
import { listHolidays } from './holiday.view.ts';

const ADDITION =
  'The specification only reads employment and working-time data: without these, a company could not set up its own.';

export const list = query('GET /api/holidays', {
  summary: 'List holidays',
  description:
    'Returns holidays. `branch_id` selects the calendar of the branch, or the default calendar if it has none. `year` includes holidays with at least one day in the year.',
  access: can('holiday.view'),
  query: HolidayFilter,
  reply: page(Holiday),
  handle: ({ db, query }) => listHolidays(db, query),
});

export const create = command('POST /api/holiday/create', {
  summary: 'Create a holiday',
  description:
    'Creates a holiday of one or more days. `calendar_id` defaults to the default calendar. Attendance and leave on these days are recalculated.',
  addition: ADDITION,
  access: can('holiday.create'),
  body: HolidayInput,
  reply: created(Holiday),
  handle: ({ body, ...context }) => createHoliday(context, body),
});

export const update = command('POST /api/holiday/update/{id}', {
  summary: 'Update a holiday',
  description:
    'Updates the name and days of a holiday, and whether it is paid. Attendance and leave on the previous and the new days are recalculated.',
  addition: ADDITION,
  access: holidayActions.can('update'),
  params: { id: idOf('holidays') },
  body: HolidayChanges,
  reply: ok(Holiday),
  handle: ({ params, body, expect, ...context }) => changeHoliday(context, params.id, body, expect),
});

export const remove = command('DELETE /api/holiday/delete/{id}', {
  summary: 'Delete a holiday',
  description: 'Deletes a holiday. Attendance and leave on these days are recalculated.',
  addition: ADDITION,
  access: holidayActions.can('delete'),
  params: { id: idOf('holidays') },
  reply: removed,
  handle: ({ params, ...context }) => removeHoliday(context, params.id),
});

export const importAll = command('POST /api/holiday-calendar/import/{id}', {
  summary: 'Import holidays into a calendar',
  description:
    'Imports an iCalendar file of at most 1 MiB. Skips holidays with the same name and days. Creates recurring entries for this year and the next two years.',
  addition: 'Authorities publish holidays as calendars, which are better imported than typed.',
  access: can('holiday.create'),
  params: { id: idOf('holiday_calendars') },
  upload: { field: 'file', kinds: ['ics'], max_bytes: 1024 * 1024 },
  reply: ok(HolidayImport),
  faults: [UnreadableCalendar],
  async prepare({ files, storage, caller }) {
    const text = decodeText(await storage.read(files[0]!.key));
    // Its holidays are stored. The file itself is deleted.
    await Promise.all(files.splice(0).map(({ key }) => storage.remove(key)));
    return readHolidays(caller.workspace_id, text);
  },
  async handle({ params, prepared: { holidays, failed }, ...context }) {
    const added = await addHolidays(context, params.id, holidays);
    return { created: added, skipped: holidays.length - added, failed };
  },
});
