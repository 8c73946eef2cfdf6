/** Makes, changes and deletes calendars. */
import { change, remove, sql } from '@suite/chassis';
import type { z } from 'zod';
import type { Db } from '../operations.ts';
import { serializeOn } from '../serialize.ts';
import { assertTargetsReachable } from './reachable-targets.ts';
import type { Calendar, CalendarChanges, CalendarInput } from './calendar.schema.ts';

/** A row as the schema shows it: what lies in JSON was checked when it came in. */
const shown = (row: object) => row as z.input<typeof Calendar>;

export const createCalendar = async (db: Db, input: CalendarInput) =>
  shown(await db.calendar.create({ data: input as object as never }));

/**
 * Changes a calendar. SLA timers keep the hours of their beginning until a policy is applied again.
 * @throws Stale, TargetOutOfReach for hours that are too few for a policy with this calendar
 */
export async function changeCalendar(
  db: Db,
  id: string,
  { version: _, ...patch }: CalendarChanges,
  expect: number | undefined,
) {
  await serializeOn(db, 'sla policies');
  const calendar = shown(await change(db.calendar, id, patch as object as never, expect));
  await assertTargetsReachable(db, sql`policy.calendar_id = ${id}::uuid`);
  return calendar;
}

/** Deletes a calendar. @throws InUse when a policy counts by it */
export const removeCalendar = (db: Db, id: string) => remove(db.calendar, id);
