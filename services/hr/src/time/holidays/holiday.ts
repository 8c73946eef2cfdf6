/** Creates, updates and deletes holidays. */
import { assertVersion, change, find, remove, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { midnight } from '@suite/chassis/fields';
import { readOne } from '@suite/chassis/lists';
import { HolidayCalendarChanged } from '@suite/proto/hr/v1/events';
import { serializeHolidayChanges, type CalendarContext } from '../calendars/calendar.ts';
import type { Db } from '../../operations.ts';
import { Holiday, type HolidayChanges, type HolidayInput } from './holiday.schema.ts';
import { assertHolidaySpan, type HolidaySpan } from './holiday.rules.ts';
import { holidayView } from './holiday.view.ts';

/** Announces that days of a calendar have changed. */
export const emitHolidaysChanged = (
  { emit }: Pick<CalendarContext, 'emit'>,
  calendar_id: string,
  span: HolidaySpan,
): void => emit(HolidayCalendarChanged, { holiday_calendar_id: calendar_id, ...span });

async function defaultCalendar(db: Db): Promise<string> {
  const standard = await db.holidayCalendar.findFirst({ where: { is_default: true } });
  if (!standard) throw invalid('calendar_id', 'There is no default calendar. Choose a calendar.');
  return standard.id;
}

/** Creates a holiday. @throws a 422 fault if the days are in the wrong order */
export async function createHoliday(
  context: CalendarContext,
  { calendar_id, name, from, to = from, paid }: HolidayInput,
) {
  const { db } = context;
  assertHolidaySpan({ from, to });
  await serializeHolidayChanges(db);
  const calendar = calendar_id ?? (await defaultCalendar(db));
  const days = { from: midnight(from), to: midnight(to) };
  const { id } = await db.holiday.create({ data: { calendar_id: calendar, name, paid, ...days } });
  emitHolidaysChanged(context, calendar, { from, to });
  return await readOne(db, Holiday, id, holidayView);
}

/** Returns the days of a holiday as text. */
const spanOf = ({ from, to }: { from: Date; to: Date }): HolidaySpan => ({
  from: from.toISOString().slice(0, 10),
  to: to.toISOString().slice(0, 10),
});

/** Updates a holiday. @throws Stale, a 422 fault if the days are in the wrong order */
export async function changeHoliday(
  context: CalendarContext,
  id: string,
  { version: _, from, to, ...patch }: HolidayChanges,
  expect: number | undefined,
) {
  const { db } = context;
  await serializeHolidayChanges(db);
  const before = await find(db.holiday, id);
  assertVersion(before, expect);
  const was = spanOf(before);
  const is = { from: from ?? was.from, to: to ?? was.to };
  assertHolidaySpan(is);
  await change(db.holiday, id, { ...patch, from: midnight(is.from), to: midnight(is.to) });
  emitHolidaysChanged(context, before.calendar_id, {
    from: was.from < is.from ? was.from : is.from,
    to: was.to > is.to ? was.to : is.to,
  });
  return await readOne(db, Holiday, id, holidayView);
}

/** Deletes a holiday. */
export async function removeHoliday(context: CalendarContext, id: string) {
  const { db } = context;
  await serializeHolidayChanges(db);
  const before = await find(db.holiday, id);
  emitHolidaysChanged(context, before.calendar_id, spanOf(before));
  return await remove(db.holiday, id);
}

/** Adds missing holidays to a calendar. @returns the number of added holidays */
export async function addHolidays(
  context: CalendarContext,
  calendar_id: string,
  holidays: readonly (HolidaySpan & { name: string })[],
): Promise<number> {
  const { db } = context;
  await serializeHolidayChanges(db);
  const added = await db.rows<HolidaySpan>(sql`
    INSERT INTO holidays (id, calendar_id, name, "from", "to")
    SELECT gen_random_uuid(), ${calendar_id}::uuid, imported.name, imported.from, imported.to
    FROM (SELECT DISTINCT * FROM jsonb_to_recordset(${JSON.stringify(holidays)}::jsonb) AS imported (name text, "from" date, "to" date)) AS imported
    WHERE NOT EXISTS (SELECT FROM holidays AS known WHERE known.calendar_id = ${calendar_id}::uuid
      AND known.name = imported.name AND known.from = imported.from AND known.to = imported.to)
    RETURNING "from"::text AS "from", "to"::text AS "to"`);
  if (added.length > 0)
    emitHolidaysChanged(context, calendar_id, {
      from: added.map(({ from }) => from).toSorted()[0]!,
      to: added
        .map(({ to }) => to)
        .toSorted()
        .at(-1)!,
    });
  return added.length;
}
