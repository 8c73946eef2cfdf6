/** Makes, changes and deletes calendars. */
import { change, remove } from '@suite/chassis';
import type { z } from 'zod';
import type { Db } from '../operations.ts';
import type { Calendar, CalendarChanges, CalendarInput } from './calendar.schema.ts';

/** A row as the schema shows it: what lies in JSON was checked when it came in. */
const shown = (row: object) => row as z.input<typeof Calendar>;

export const createCalendar = async (db: Db, input: CalendarInput) =>
  shown(await db.calendar.create({ data: input as object as never }));

/** Changes a calendar. Clocks that run keep the hours of their beginning until policies are applied anew. @throws Stale */
export const changeCalendar = async (
  db: Db,
  id: string,
  { version: _, ...patch }: CalendarChanges,
  expect: number | undefined,
) => shown(await change(db.calendar, id, patch as object as never, expect));

/** Deletes a calendar. @throws InUse when a policy counts by it */
export const removeCalendar = (db: Db, id: string) => remove(db.calendar, id);
