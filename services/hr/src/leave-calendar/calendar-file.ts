/** Writes who is away as an iCalendar (RFC 5545), which calendar programs read. */
import { MEDIA, type Send } from '@suite/chassis';
import { daysAfter } from '@suite/wall-clock';
import ICAL from 'ical.js';

/** A person who is away, with when it was said last. */
export interface CalendarEvent {
  id: string;
  title: string;
  from: string;
  to: string;
  half_day: string;
  starts_midday: boolean;
  ends_midday: boolean;
  /** RFC 3339 */
  updated_at: string;
}

const HALVES: Readonly<Record<string, string>> = { first: ' (morning)', second: ' (afternoon)' };

/** The halves of a day are words: an event without a time of day is one of whole days. */
const summaryOf = ({ title, half_day, starts_midday, ends_midday }: CalendarEvent): string => {
  const parts = [starts_midday ? 'from noon' : '', ends_midday ? 'until noon' : ''].filter(Boolean);
  return title + (HALVES[half_day] ?? (parts.length > 0 ? ` (${parts.join(', ')})` : ''));
};

/** The text of a calendar. */
export function calendarText(name: string, events: readonly CalendarEvent[]): string {
  const calendar = new ICAL.Component('vcalendar');
  calendar.updatePropertyWithValue('version', '2.0');
  calendar.updatePropertyWithValue('prodid', '-//Suite//Leave//EN');
  calendar.updatePropertyWithValue('x-wr-calname', name);
  for (const event of events) {
    const component = new ICAL.Component('vevent');
    component.updatePropertyWithValue('uid', `${event.id}@leave.suite`);
    component.updatePropertyWithValue('dtstamp', ICAL.Time.fromJSDate(new Date(event.updated_at), true));
    component.updatePropertyWithValue('dtstart', ICAL.Time.fromDateString(event.from));
    component.updatePropertyWithValue('dtend', ICAL.Time.fromDateString(daysAfter(event.to, 1)));
    component.updatePropertyWithValue('summary', summaryOf(event));
    component.updatePropertyWithValue('transp', 'TRANSPARENT');
    calendar.addSubcomponent(component);
  }
  return `${calendar.toString()}\r\n`;
}

/** Sends a calendar as a file. */
export const sendCalendar =
  (text: string): Send =>
  (response) => {
    const content = Buffer.from(text);
    response.writeHead(200, {
      'Content-Type': `${MEDIA.ics}; charset=utf-8`,
      'Content-Length': content.length,
      'Content-Disposition': 'attachment; filename="leave.ics"',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
    });
    response.end(content);
    return Promise.resolve();
  };
