/** Writes an event as an iCalendar, which its guests put into their calendars. */
import type { z } from 'zod';
import { calendarText, icalMoment } from '../calendar-files/calendar-file.ts';
import type { Event } from './event.schema.ts';

const STATUS: Readonly<Record<string, string>> = { draft: 'TENTATIVE', cancelled: 'CANCELLED' };

/** The text of a calendar with one event. A program that has it already takes a higher `sequence` for the latest news of it. */
export const eventFile = ({ id, title, start, end, location, status, version, updated_at }: z.output<typeof Event>) =>
  calendarText(title, 'Events', [
    {
      uid: `${id}@event.suite`,
      sequence: version,
      dtstamp: icalMoment(updated_at),
      dtstart: icalMoment(start),
      dtend: icalMoment(end),
      summary: title,
      ...(location !== null && { location }),
      status: STATUS[status] ?? 'CONFIRMED',
    },
  ]);
