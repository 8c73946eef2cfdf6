/** Creates, updates and deletes calendars. */
import { change, remove, sql } from '@suite/chassis/database';
import type { z } from 'zod';
import { type Db, serializeOn } from '../../operations.ts';
import { assertTargetsReachable } from './reachable-targets.ts';
import type { Calendar, CalendarChanges, CalendarInput } from './calendar.schema.ts';

/** Returns a row as the schema shows it. JSON columns were validated on input. */
const calendarOf = (row: object) => row as z.input<typeof Calendar>;

export const createCalendar = async (db: Db, input: CalendarInput) =>
  calendarOf(await db.calendar.create({ data: input as object as never }));

/**
 * Updates a calendar. SLA timers keep their original hours until a policy is applied again.
 * @throws Stale, TargetOutOfReach if the hours are too few for a policy with this calendar
 */
export async function changeCalendar(
  db: Db,
  id: string,
  { version: _, ...patch }: CalendarChanges,
  expect: number | undefined,
) {
  await serializeOn(db, 'sla policies');
  const calendar = calendarOf(await change(db.calendar, id, patch as object as never, expect));
  await assertTargetsReachable(db, sql`policy.calendar_id = ${id}::uuid`);
  return calendar;
}

/** Deletes a calendar. @throws InUse if a policy uses it */
export const removeCalendar = (db: Db, id: string) => remove(db.calendar, id);
