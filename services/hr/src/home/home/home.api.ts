/** Your HR dashboard, calendar and holidays. */
import { Day } from '@suite/chassis/fields';
import { ok, page } from '@suite/chassis/operations';
import { z } from 'zod';
import { RangeTooLong } from '../../attendance/clocking/history.ts';
import { query } from '../../operations.ts';
import { employeesOnly, NotAnEmployee } from '../../employment/employee-users/current-employee.ts';
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
  description:
    'Returns your day: status, shift, worked time, leave, upcoming holidays, and what awaits your approval or acknowledgment. Returns `not_an_employee` if your user is not linked to an employee.',
  access: employeesOnly,
  reply: ok(Home),
  faults: [NotAnEmployee],
  handle: ({ db, caller }) => ownHome(db, caller),
});

export const holidays = query('GET /api/hrm/holidays-list', {
  summary: 'List your holidays',
  description:
    'Returns your holidays, by the calendar that applies to you on each day. The period defaults to the current year and has at most 366 days.',
  access: employeesOnly,
  query: { year: Year.optional(), from: Day.optional(), to: Day.optional() },
  reply: ok(z.array(OwnHoliday)),
  faults: [NotAnEmployee, RangeTooLong],
  handle: ({ db, caller, query }) => ownHolidays(db, caller, query),
});

export const calendar = query('POST /api/hrm/events', {
  summary: 'List events, holidays, birthdays and leave',
  description:
    'Returns events, holidays, birthdays and colleagues on leave. The period defaults to the current month and has at most 366 days. Shows names and days of leave only.',
  access: employeesOnly,
  body: CalendarInput,
  reply: page(CalendarEntry),
  faults: [NotAnEmployee, RangeTooLong],
  handle: ({ db, caller, body }) => ownCalendar(db, caller, body),
});
