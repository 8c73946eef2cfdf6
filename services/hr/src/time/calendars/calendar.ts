/** Creates, updates and deletes holiday calendars. */
import { assertVersion, change, find, remove, sql } from '@suite/chassis/database';
import { InUse } from '@suite/chassis/faults';
import { assertUnused, type ListRequest, paginate, readOne } from '@suite/chassis/lists';
import type { Emit } from '@suite/chassis/operations';
import { HolidayCalendarChanged } from '@suite/proto/hr/v1/events';
import type { Db } from '../../operations.ts';
import { serializeOn } from '../../organisation/setup/serialize.ts';
import { CalendarExists } from './calendar.rules.ts';
import { HolidayCalendar, type HolidayCalendarChanges, type HolidayCalendarInput } from './calendar.schema.ts';

const view = {
  table: 'holiday_calendars',
  compute: { holiday_count: sql`SELECT count(*)::int FROM holidays WHERE holidays.calendar_id = holiday_calendars.id` },
};

/** Context of commands that change holidays and emit an event. */
export interface CalendarContext {
  db: Db;
  emit: Emit;
}

export const listCalendars = (db: Db, request: ListRequest) => paginate(db, request, view);

/** Serialises commands that change holidays, because attendance and leave are counted by holidays. */
export const serializeHolidayChanges = (db: Db): Promise<void> => serializeOn(db, 'holidays');

/** Checks that a branch has only one calendar. @throws CalendarExists, with the ID of the existing one */
async function assertOnly(db: Db, branch_id: string | null | undefined, active: boolean, but?: string): Promise<void> {
  if (!branch_id || !active) return;
  const other = await db.holidayCalendar.findFirst({
    where: { branch_id, active: true, ...(but && { NOT: { id: but } }) },
  });
  if (other) throw CalendarExists({ field: 'branch_id', calendar_id: other.id });
}

/** Removes the default flag from the current default calendar: there can be only one. */
const clearDefault = (db: Db): Promise<unknown> =>
  db.rows(sql`UPDATE holiday_calendars SET is_default = FALSE WHERE is_default`);

/** Announces that employees may have another calendar now, so that any day may have changed. */
const emitCalendarChanged = (emit: Emit, holiday_calendar_id: string): void =>
  emit(HolidayCalendarChanged, { holiday_calendar_id, from: '', to: '' });

/** Creates a calendar. @throws CalendarExists */
export async function createCalendar({ db, emit }: CalendarContext, input: HolidayCalendarInput) {
  await serializeHolidayChanges(db);
  await assertOnly(db, input.branch_id, input.active);
  if (input.is_default) await clearDefault(db);
  const { id } = await db.holidayCalendar.create({ data: { ...input, branch_id: input.branch_id ?? null } });
  emitCalendarChanged(emit, id);
  return await readOne(db, HolidayCalendar, id, view);
}

/** Updates a calendar. @throws CalendarExists, Stale, InUse if the default calendar would become inactive */
export async function changeCalendar(
  { db, emit }: CalendarContext,
  id: string,
  { version: _, ...patch }: HolidayCalendarChanges,
  expect: number | undefined,
) {
  await serializeHolidayChanges(db);
  const before = await find(db.holidayCalendar, id);
  assertVersion(before, expect);
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  const after = { ...before, ...given };
  if (after.is_default && !after.active) throw InUse({ is_default: true });
  await assertOnly(db, after.branch_id, after.active, id);
  if (patch.is_default && !before.is_default) await clearDefault(db);
  await change(db.holidayCalendar, id, given);
  if (Object.keys(given).some((name) => name !== 'name')) emitCalendarChanged(emit, id);
  return await readOne(db, HolidayCalendar, id, view);
}

/** Deletes a calendar with its holidays. @throws InUse if the calendar is the default or belongs to an employee */
export async function removeCalendar({ db, emit }: CalendarContext, id: string) {
  await serializeHolidayChanges(db);
  const { is_default } = await find(db.holidayCalendar, id);
  if (is_default) throw InUse({ is_default });
  await assertUnused(async () => {
    const [named] = await db.rows<{ employee_history: number }>(sql`
      SELECT count(*)::int AS employee_history FROM employee_history WHERE field = 'calendar_id' AND value = ${id}`);
    return named!;
  });
  const removed = await remove(db.holidayCalendar, id);
  emitCalendarChanged(emit, id);
  return removed;
}
