/** Reads holidays out of an iCalendar file (RFC 5545), as authorities and calendar programs give them out. */
import { createRequire } from 'node:module';
import type ICAL from 'ical.js';
import { clock, fault } from '@suite/chassis';
import { daysAfter, daysFrom } from '@suite/wall-clock';
import { assertSpan, type Span } from './holiday.ts';

export const UnreadableCalendar = fault(422, 'unreadable_calendar', 'This file is not an iCalendar that can be read.');

/** A holiday of a file. */
export type NewHoliday = Span & { name: string };
interface Reading {
  holidays: NewHoliday[];
  /** The places of events that are none, from 1, and why. */
  failed: { event: number; code: string }[];
}

const require = createRequire(import.meta.url);
/** Loaded with the first file: half a megabyte that most processes never need. */
const library = () => require('ical.js') as typeof ICAL;

const EVENTS_MAX = 2_000;
const NAME_MAX = 200;
/** Chosen: what recurs is entered for this year and the two that follow; importing again later enters the years that came. */
const YEARS_AHEAD = 2;
/** Occurrences that are looked at: a rule may recur each second since 1970. */
const STEPS_MAX = 10_000;

const dayOf = ({ year, month, day }: ICAL.Time): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

/** The days of an event: of one without a time of day the end is not included. */
function spanOf(start: ICAL.Time, end: ICAL.Time): Span {
  const [from, until] = [dayOf(start), dayOf(end)];
  return { from, to: until > from ? daysAfter(until, -1) : until };
}

/** Whether a time begins or ends a day. */
const isMidnight = ({ isDate, hour, minute, second }: ICAL.Time): boolean =>
  isDate || (hour === 0 && minute === 0 && second === 0);

/** Marks an event that takes a part of a day: a holiday is a whole day. */
class TimedEvent extends Error {}

/** The occurrences of an event that recurs, within the years that are entered. */
function occurrences(event: ICAL.Event, years: { first: string; last: string }): Span[] {
  const length = daysFrom(...(Object.values(spanOf(event.startDate, event.endDate)) as [string, string]));
  const found: Span[] = [];
  const walk = event.iterator();
  for (let [at, step] = [walk.next(), 0]; at; [at, step] = [walk.next(), step + 1]) {
    if (step > STEPS_MAX) throw new Error('too many occurrences');
    const from = dayOf(at);
    if (from > years.last) break;
    if (from >= years.first) found.push({ from, to: daysAfter(from, length) });
  }
  return found;
}

function holidaysOf(component: ICAL.Component, years: { first: string; last: string }): NewHoliday[] {
  const event = new (library().Event)(component);
  const name = (event.summary ?? '').trim().slice(0, NAME_MAX);
  if (!name) throw new Error('without a name');
  if (!isMidnight(event.startDate) || !isMidnight(event.endDate)) throw new TimedEvent();
  const spans = event.isRecurring() ? occurrences(event, years) : [spanOf(event.startDate, event.endDate)];
  for (const span of spans) assertSpan(span);
  return spans.map((span) => ({ name, ...span }));
}

/** Reads a file. @throws UnreadableCalendar for what is no iCalendar, or has more than 2 000 events */
export function readHolidays(text: string): Reading {
  const year = clock.now().getUTCFullYear();
  const years = { first: `${year}-01-01`, last: `${year + YEARS_AHEAD}-12-31` };
  const reading: Reading = { holidays: [], failed: [] };
  for (const [at, component] of eventsOf(text).entries()) {
    try {
      reading.holidays.push(...holidaysOf(component, years));
    } catch (error) {
      const code = error instanceof TimedEvent ? 'timed_event' : 'unreadable_event';
      reading.failed.push({ event: at + 1, code });
    }
  }
  if (reading.holidays.length > EVENTS_MAX) throw UnreadableCalendar({ most: EVENTS_MAX });
  return reading;
}

function eventsOf(text: string): ICAL.Component[] {
  try {
    const { Component, parse } = library();
    const events = new Component(parse(text)).getAllSubcomponents('vevent');
    if (events.length <= EVENTS_MAX) return events;
  } catch {
    throw UnreadableCalendar();
  }
  throw UnreadableCalendar({ most: EVENTS_MAX });
}
