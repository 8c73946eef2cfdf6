/** iCalendar files (RFC 5545) for calendar programs. */
import { createRequire } from 'node:module';
import { MEDIA, type ResponseWriter } from '@suite/chassis/operations';
import type ICAL from 'ical.js';

const require = createRequire(import.meta.url);
/** Loads the library with the first file: most processes never need its half a megabyte. */
const library = () => require('ical.js') as typeof ICAL;

/** Properties of an entry, by their iCalendar names. */
type CalendarProperties = Record<string, string | number | ICAL.Time>;

/** Returns a date in iCalendar form. */
export const icalDay = (day: string): ICAL.Time => library().Time.fromDateString(day);
/** Converts a timestamp. @param moment RFC 3339 */
export const icalMoment = (moment: string): ICAL.Time => library().Time.fromJSDate(new Date(moment), true);

/** Returns the text of a calendar file. @param about one-word subject of the entries */
export function calendarText(name: string, about: string, entries: readonly CalendarProperties[]): string {
  const { Component } = library();
  const calendar = new Component('vcalendar');
  calendar.updatePropertyWithValue('version', '2.0');
  calendar.updatePropertyWithValue('prodid', `-//Suite//${about}//EN`);
  calendar.updatePropertyWithValue('x-wr-calname', name);
  for (const entry of entries) {
    const component = new Component('vevent');
    for (const [property, value] of Object.entries(entry)) component.updatePropertyWithValue(property, value);
    calendar.addSubcomponent(component);
  }
  return `${calendar.toString()}\r\n`;
}

/** Sends a calendar file. @param name file name */
export const sendCalendar =
  (text: string, name: string): ResponseWriter =>
  (response) => {
    const content = Buffer.from(text);
    response.writeHead(200, {
      'Content-Type': `${MEDIA.ics}; charset=utf-8`,
      'Content-Length': content.length,
      'Content-Disposition': `attachment; filename="${name}"`,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
    });
    response.end(content);
    return Promise.resolve();
  };
