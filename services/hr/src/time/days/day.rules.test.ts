import { describe, expect, test } from '@jest/globals';
import { daysOf, weekdayOf } from '@suite/time-zones';
import fc from 'fast-check';
import { terms as usual } from '../../../test/shift-terms.ts';
import {
  type WorkspaceCalendar,
  countWorking,
  type EmployeeSchedule,
  type ShiftTerms,
  valueOn,
  workDay,
  workDays,
} from './day.rules.ts';

const terms = (days: number[]): ShiftTerms => usual('09:00', '17:30', 'Europe/Berlin', { days });
const unchanging = <Value>(value: Value) => [{ effective_from: '0001-01-01', seq: 1, value }];
const holiday = (name: string, from: string, to = from, paid = true) => ({ id: name, name, from, to, paid });

const company: WorkspaceCalendar = {
  shifts: new Map([
    ['office', unchanging(terms([1, 2, 3, 4, 5]))],
    [
      'gulf',
      [...unchanging(terms([1, 2, 3, 4, 7])), { effective_from: '2026-06-01', seq: 1, value: terms([1, 2, 3]) }],
    ],
  ]),
  default_shift_id: 'office',
  calendar_of_branch: new Map([['harbour', 'north']]),
  default_calendar_id: 'standard',
  payroll_basis: 'leave',
  founded_at: 0,
  holidays: new Map([
    [
      'standard',
      [holiday('Good Friday', '2026-04-03'), holiday('Easter Monday', '2026-04-06'), holiday('New Year', '2027-01-01')],
    ],
    ['north', [holiday('Strike', '2026-04-02', '2026-04-02', false), holiday('Regatta', '2026-04-02', '2026-04-05')]],
    ['own', [holiday('Feast', '2026-05-27', '2026-05-28')]],
  ]),
};
const person: EmployeeSchedule = {
  employments: [{ joining_date: '2026-01-01', exit_date: null, recorded_at: 0 }],
  shifts: unchanging('office'),
  branches: unchanging('main'),
  calendars: unchanging(null),
  payroll_bases: unchanging(null),
};
const countWorkingDays = (who: Partial<EmployeeSchedule>, from: string, to: string) =>
  countWorking(workDays(company, { ...person, ...who }, from, to));

// The working days of docs/worked-examples.md.
describe('the number of working days', () => {
  test.each([
    ['3 in a week over Easter', {}, '2026-04-02', '2026-04-08', 3],
    ['6 at the turn of the year', {}, '2026-12-28', '2027-01-05', 6],
    [
      '1 in four days with a weekend on Friday and Saturday',
      { shifts: unchanging('gulf'), calendars: unchanging('own') },
      '2026-05-28',
      '2026-05-31',
      1,
    ],
    ['22 in June', {}, '2026-06-01', '2026-06-30', 22],
  ])('is %s', (_, who, from, to, expected) => {
    expect(countWorkingDays(who, from, to)).toBe(expected);
  });
});

test('applies the later row of a day, and no value before the first row', () => {
  const rows = [
    { effective_from: '2026-05-01', seq: 1, value: 'b' },
    { effective_from: '2026-05-01', seq: 2, value: 'c' },
    { effective_from: '2026-01-01', seq: 9, value: 'a' },
  ];
  expect(['2025-12-31', '2026-04-30', '2026-05-01', '2030-01-01'].map((day) => valueOn(rows, day))).toEqual([
    undefined,
    'a',
    'c',
    'c',
  ]);
});

test('uses the calendar of the employee, else the branch, else the default on each day', () => {
  const calendarOn = (who: Partial<EmployeeSchedule>, day: string) =>
    workDay(company, { ...person, ...who }, day).calendar_id;
  expect(calendarOn({}, '2026-04-02')).toBe('standard');
  expect(calendarOn({ branches: unchanging('harbour') }, '2026-04-02')).toBe('north');
  expect(calendarOn({ branches: unchanging('harbour'), calendars: unchanging('own') }, '2026-04-02')).toBe('own');
  const moves = [...unchanging('main'), { effective_from: '2026-04-03', seq: 1, value: 'harbour' }];
  expect(workDays(company, { ...person, branches: moves }, '2026-04-02', '2026-04-03').map(({ kind }) => kind)).toEqual(
    ['work', 'holiday'],
  );
});

test('uses the shift terms in effect on the day', () => {
  const days = workDays(company, { ...person, shifts: unchanging('gulf') }, '2026-05-28', '2026-06-04');
  expect(days.map(({ kind }) => kind)).toEqual([
    'work',
    'weekly_off',
    'weekly_off',
    'work',
    'work',
    'work',
    'work',
    'weekly_off',
  ]);
});

test('is not employed before joining, after the last day and between two employments', () => {
  const employments = [
    { joining_date: '2026-03-02', exit_date: '2026-03-04', recorded_at: 0 },
    { joining_date: '2026-03-06', exit_date: null, recorded_at: 0 },
  ];
  expect(workDays(company, { ...person, employments }, '2026-03-01', '2026-03-06').map(({ kind }) => kind)).toEqual([
    'not_employed',
    'work',
    'work',
    'work',
    'not_employed',
    'work',
  ]);
});

test('prefers a paid holiday over an unpaid one, and reports a weekly off as well', () => {
  const days = workDays(company, { ...person, branches: unchanging('harbour') }, '2026-04-02', '2026-04-05');
  expect(days.map(({ kind, is_weekly_off, holiday: on }) => [kind, is_weekly_off, on?.name])).toEqual([
    ['holiday', false, 'Regatta'],
    ['holiday', false, 'Regatta'],
    ['holiday', true, 'Regatta'],
    ['holiday', true, 'Regatta'],
  ]);
});

test('has no working days without a shift', () => {
  const [day] = workDays(
    { ...company, default_shift_id: null },
    { ...person, shifts: unchanging(null) },
    '2026-06-01',
    '2026-06-01',
  );
  expect(day).toMatchObject({ kind: 'weekly_off', terms: null, shift_id: null });
});

test('counts two adjacent spans separately with the same total as together', () => {
  const day = fc.integer({ min: 0, max: 900 }).map((at) => daysOf('2025-01-01', '2027-12-31')[at]!);
  fc.assert(
    fc.property(
      day,
      day,
      day,
      fc.constantFrom('main', 'harbour'),
      fc.constantFrom('office', 'gulf'),
      (a, b, c, branch, shift) => {
        const [from, middle, to] = [a, b, c].toSorted() as [string, string, string];
        const who = {
          ...person,
          branches: unchanging(branch),
          shifts: [{ effective_from: middle, seq: 1, value: shift }],
        };
        const whole = workDays(company, who, from, to);
        expect(countWorking(whole)).toBe(
          daysOf(from, to).filter((one) => {
            const week = company.shifts.get(one >= middle ? shift : 'office')!;
            const free = company.holidays.get(branch === 'harbour' ? 'north' : 'standard')!;
            const isEmployed = one >= '2026-01-01';
            return (
              isEmployed &&
              valueOn(week, one)!.days.includes(weekdayOf(one)) &&
              !free.some((on) => on.from <= one && one <= on.to)
            );
          }).length,
        );
        expect([...workDays(company, who, from, middle), ...workDays(company, who, middle, to).slice(1)]).toEqual(
          whole,
        );
      },
    ),
    { numRuns: 60 },
  );
});
