/** Makes, changes and deletes calendars of holidays. */
import {
  assertSeen,
  assertUnused,
  change,
  type Emit,
  find,
  InUse,
  type ListRequest,
  paginate,
  readOne,
  remove,
  sql,
} from '@suite/chassis';
import { HolidayCalendarChanged } from '@suite/proto/hr/v1/events';
import type { Db } from '../operations.ts';
import { serializeOn } from '../setup/serialize.ts';
import { CalendarExists } from './calendar.rules.ts';
import { HolidayCalendar, type HolidayCalendarChanges, type HolidayCalendarInput } from './calendar.schema.ts';

const view = {
  table: 'holiday_calendars',
  compute: { holiday_count: sql`SELECT count(*)::int FROM holidays WHERE holidays.calendar_id = holiday_calendars.id` },
};

/** A command that changes which days are holidays says so. */
export interface CalendarContext {
  db: Db;
  emit: Emit;
}

export const listCalendars = (db: Db, request: ListRequest) => paginate(db, request, view);

/** Waits for whoever changes which days are holidays, and keeps others waiting: attendance and leave are counted by them. */
export const alone = (db: Db): Promise<void> => serializeOn(db, 'holidays');

/** A branch has one calendar. @throws CalendarExists, with its id */
async function assertOnly(db: Db, branch_id: string | null | undefined, active: boolean, but?: string): Promise<void> {
  if (!branch_id || !active) return;
  const other = await db.holidayCalendar.findFirst({
    where: { branch_id, active: true, ...(but && { NOT: { id: but } }) },
  });
  if (other) throw CalendarExists({ field: 'branch_id', calendar_id: other.id });
}

/** Only one calendar is the default. */
const makeRoomForDefault = (db: Db): Promise<unknown> =>
  db.rows(sql`UPDATE holiday_calendars SET is_default = FALSE WHERE is_default`);

/** Announces that another calendar may be somebody's now: any day may be another one. */
const tellChanged = (emit: Emit, holiday_calendar_id: string): void =>
  emit(HolidayCalendarChanged, { holiday_calendar_id, from: '', to: '' });

/** Makes a calendar. @throws CalendarExists */
export async function createCalendar({ db, emit }: CalendarContext, input: HolidayCalendarInput) {
  await alone(db);
  await assertOnly(db, input.branch_id, input.active);
  if (input.is_default) await makeRoomForDefault(db);
  const { id } = await db.holidayCalendar.create({ data: { ...input, branch_id: input.branch_id ?? null } });
  tellChanged(emit, id);
  return await readOne(db, HolidayCalendar, id, view);
}

/** Changes a calendar. @throws CalendarExists, Stale, InUse when the default would be left inactive */
export async function changeCalendar(
  { db, emit }: CalendarContext,
  id: string,
  { version: _, ...patch }: HolidayCalendarChanges,
  expect: number | undefined,
) {
  await alone(db);
  const before = await find(db.holidayCalendar, id);
  assertSeen(before, expect);
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  const after = { ...before, ...given };
  if (after.is_default && !after.active) throw InUse({ is_default: true });
  await assertOnly(db, after.branch_id, after.active, id);
  if (patch.is_default && !before.is_default) await makeRoomForDefault(db);
  await change(db.holidayCalendar, id, given);
  if (Object.keys(given).some((name) => name !== 'name')) tellChanged(emit, id);
  return await readOne(db, HolidayCalendar, id, view);
}

/** Deletes a calendar with its holidays. @throws InUse when it is the default, or somebody's own */
export async function removeCalendar({ db, emit }: CalendarContext, id: string) {
  await alone(db);
  const { is_default } = await find(db.holidayCalendar, id);
  if (is_default) throw InUse({ is_default });
  await assertUnused(async () => {
    const [named] = await db.rows<{ employee_history: number }>(sql`
      SELECT count(*)::int AS employee_history FROM employee_history WHERE field = 'calendar_id' AND value = ${id}`);
    return named!;
  });
  const removed = await remove(db.holidayCalendar, id);
  tellChanged(emit, id);
  return removed;
}
