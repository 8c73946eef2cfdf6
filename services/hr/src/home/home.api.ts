/** Home: what somebody at work wants to know first, and what lies ahead of him. One's own only. */
import { Day, ok, page, signedIn } from '@suite/chassis';
import { z } from 'zod';
import { RangeTooLong } from '../clocking/history.ts';
import { query } from '../operations.ts';
import { NotAnEmployee } from '../self/self.ts';
import { Home, OwnHoliday } from './home.schema.ts';
import { ownHome } from './home.ts';
import { ownCalendar } from './own-calendar.ts';
import { CalendarEntry, CalendarInput } from './own-calendar.schema.ts';
import { ownHolidays } from './own-holidays.ts';

const Year = z
  .string()
  .regex(/^\d{4}$/, 'Enter a year with four digits.')
  .transform(Number)
  .pipe(z.int().min(1).max(9998));

export const show = query('GET /api/hrm/home', {
  summary: 'Get your HR dashboard',
  access: signedIn,
  reply: ok(Home),
  faults: [NotAnEmployee],
  handle: ({ db, caller }) => ownHome(db, caller),
});

export const holidays = query('GET /api/hrm/holidays-list', {
  summary: 'List your holidays',
  description:
    'Of a `year`, this one if nothing is said, or of at most 366 days: by the calendar that one has on each of them.',
  access: signedIn,
  query: { year: Year.optional(), from: Day.optional(), to: Day.optional() },
  reply: ok(z.array(OwnHoliday)),
  faults: [NotAnEmployee, RangeTooLong],
  handle: ({ db, caller, query }) => ownHolidays(db, caller, query),
});

export const calendar = query('POST /api/hrm/events', {
  summary: 'List events, holidays, birthdays and leave',
  description:
    'A month, this one if nothing is said, or at most 366 days. Of colleagues on leave it tells who and when, and nothing else.',
  access: signedIn,
  body: CalendarInput,
  reply: page(CalendarEntry),
  faults: [NotAnEmployee, RangeTooLong],
  handle: ({ db, caller, body }) => ownCalendar(db, caller, body),
});
