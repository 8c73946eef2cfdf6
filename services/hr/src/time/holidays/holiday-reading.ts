/** Reads the holidays of an iCalendar file (RFC 5545) in a worker thread, because a recurrence rule may never end. */
import { createRequire } from 'node:module';
import type ICAL from 'ical.js';
import { daysAfter, daysFrom } from '@suite/time-zones';
import { assertHolidaySpan, type HolidaySpan, UnreadableCalendar } from './holiday.rules.ts';

/** Holiday from a file. */
export type NewHoliday = HolidaySpan & { name: string };
/** Holidays of a file, and its events that are not holidays. */
export interface HolidayReading {
  holidays: NewHoliday[];
  /** Positions of the other events in the file, from 1, with the reasons. */
  failed: { event: number; code: string }[];
}
/** First and last day of the years for which recurring events are imported. */
export interface ImportYears {
  first: string;
  last: string;
}

const { Component, Event, parse } = createRequire(import.meta.url)('ical.js') as typeof ICAL;

/** Maximum number of events in a file, and of the resulting holidays. */
const EVENTS_MAX = 2_000;
const NAME_MAX = 200;
/** Maximum number of examined occurrences of an event. A rule may recur every second since 1970. */
const STEPS_MAX = 10_000;

const dayOf = ({ year, month, day }: ICAL.Time): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

/** Returns the days of an event. The end of the event is exclusive. */
function spanOf(start: ICAL.Time, end: ICAL.Time): HolidaySpan {
  const [from, until] = [dayOf(start), dayOf(end)];
  return { from, to: until > from ? daysAfter(until, -1) : until };
}

/** Checks if a time is the start or end of a day. */
const isMidnight = ({ isDate, hour, minute, second }: ICAL.Time): boolean =>
  isDate || (hour === 0 && minute === 0 && second === 0);

/** Event of a part of a day. Only whole days are holidays. */
class TimedEvent extends Error {}

/** Checks that an event has whole days. @throws TimedEvent if it begins or ends within a day, or has no duration */
function assertWholeDays({ startDate, endDate, duration }: ICAL.Event): void {
  if (!isMidnight(startDate) || !isMidnight(endDate)) throw new TimedEvent();
  if (duration.hours || duration.minutes || duration.seconds) throw new TimedEvent();
  if (!startDate.isDate && startDate.compare(endDate) === 0) throw new TimedEvent();
}

/** Returns the occurrences of a recurring event within the imported years. */
function occurrencesOf(event: ICAL.Event, years: ImportYears): HolidaySpan[] {
  const { from: first, to: last } = spanOf(event.startDate, event.endDate);
  const length = daysFrom(first, last);
  const spans: HolidaySpan[] = [];
  const walk = event.iterator();
  for (let [at, step] = [walk.next(), 0]; at; [at, step] = [walk.next(), step + 1]) {
    if (step > STEPS_MAX) throw new Error('too many occurrences');
    const from = dayOf(at);
    if (from > years.last) break;
    if (from < years.first) continue;
    if (!isMidnight(at)) throw new TimedEvent();
    spans.push({ from, to: daysAfter(from, length) });
  }
  return spans;
}

function holidaysOf(component: ICAL.Component, years: ImportYears): NewHoliday[] {
  const event = new Event(component);
  const name = (event.summary ?? '').trim().slice(0, NAME_MAX);
  if (!name) throw new Error('without a name');
  assertWholeDays(event);
  const spans = event.isRecurring() ? occurrencesOf(event, years) : [spanOf(event.startDate, event.endDate)];
  for (const span of spans) assertHolidaySpan(span);
  return spans.map((span) => ({ name, ...span }));
}

function eventsOf(text: string): ICAL.Component[] {
  try {
    const events = new Component(parse(text)).getAllSubcomponents('vevent');
    if (events.length <= EVENTS_MAX) return events;
  } catch {
    throw UnreadableCalendar();
  }
  throw UnreadableCalendar({ most: EVENTS_MAX });
}

/** Reads a file. @throws UnreadableCalendar for other formats, and for more than 2,000 events or holidays */
export function readHolidayFile(text: string, years: ImportYears): HolidayReading {
  const reading: HolidayReading = { holidays: [], failed: [] };
  for (const [at, component] of eventsOf(text).entries()) {
    try {
      reading.holidays.push(...holidaysOf(component, years));
    } catch (error) {
      const code = error instanceof TimedEvent ? 'timed_event' : 'unreadable_event';
      reading.failed.push({ event: at + 1, code });
    }
    if (reading.holidays.length > EVENTS_MAX) throw UnreadableCalendar({ most: EVENTS_MAX });
  }
  return reading;
}
