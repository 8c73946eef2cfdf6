/** Returns an event as an iCalendar file for the calendars of its guests. */
import type { z } from 'zod';
import { calendarText, icalMoment } from '../../time/calendars/calendar-file.ts';
import type { Event } from './event.schema.ts';

const STATUS: Readonly<Record<string, string>> = { draft: 'TENTATIVE', cancelled: 'CANCELLED' };

/** Returns a calendar file with one event. Calendar programs replace an existing event if the `sequence` is higher. */
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
