import { describe, expect, test } from '@jest/globals';
import { daysOf, weekdayOf } from '@suite/time-zones';
import fc from 'fast-check';
import type { WorkDay } from '../../time/days/day.rules.ts';
import { countedDays, daysByYear, halfDaysOf, spanUntil, sumOf } from './leave-days.rules.ts';

interface Calendar {
  weekend?: number[];
  holidays?: string[];
}

/** Returns the work days of an employee with a given weekend and holidays. */
const workDays = (from: string, to: string, { weekend = [6, 7], holidays = [] }: Calendar): WorkDay[] =>
  daysOf(from, to).map((day) => ({
    day,
    kind: 'work',
    is_weekly_off: weekend.includes(weekdayOf(day)),
    holiday: holidays.includes(day) ? { id: day, name: 'Holiday', from: day, to: day, paid: true } : null,
    shift_id: null,
    terms: null,
    calendar_id: null,
    payroll_basis: null,
  }));

const whole = { half_day: 'none', starts_midday: false, ends_midday: false };
const count = (from: string, to: string, calendar: Calendar, more: Partial<typeof whole> & { all?: boolean } = {}) => {
  const { all = false, ...halves } = more;
  return countedDays({ from, to, ...whole, ...halves }, workDays(from, to, calendar), all);
};

const easter = { holidays: ['2026-04-03', '2026-04-06'] };
const newYear = { holidays: ['2027-01-01'] };
const eid = { weekend: [5, 6], holidays: ['2026-05-27', '2026-05-28'] };

test.each([
  ['over Easter', '2026-04-02', '2026-04-08', easter, {}, 3, ['2026-04-02', '2026-04-07', '2026-04-08']],
  ['over Easter until noon', '2026-04-02', '2026-04-08', easter, { ends_midday: true }, 2.5, undefined],
  ['over Easter with holidays', '2026-04-02', '2026-04-08', easter, { all: true }, 7, undefined],
  ['over the turn of the year', '2026-12-28', '2027-01-05', newYear, {}, 6, undefined],
  ['over the turn until noon', '2026-12-28', '2027-01-05', newYear, { ends_midday: true }, 5.5, undefined],
  ['a Friday and Saturday weekend', '2026-05-28', '2026-06-02', eid, {}, 3, ['2026-05-31', '2026-06-01', '2026-06-02']],
  ['from noon', '2026-06-01', '2026-06-02', {}, { starts_midday: true }, 1.5, undefined],
  ['half a day', '2026-06-01', '2026-06-01', {}, { half_day: 'second' }, 0.5, undefined],
  ['a weekend', '2026-06-06', '2026-06-07', {}, {}, 0, []],
])('%s', (_, from, to, calendar, more, days, counted) => {
  const found = count(from, to, calendar, more);
  expect(sumOf(found) / 100).toBe(days);
  expect(counted ?? found.map(({ day }) => day)).toEqual(found.map(({ day }) => day));
});

test('charges days to their years', () => {
  expect(daysByYear(count('2026-12-28', '2027-01-05', newYear))).toEqual({ 2026: '4', 2027: '2' });
  expect(daysByYear(count('2026-12-28', '2027-01-05', newYear, { ends_midday: true }))).toEqual({
    2026: '4',
    2027: '1.5',
  });
});

describe('half days', () => {
  const day = fc
    .integer({ min: 0, max: 20 })
    .map((at) => new Date(Date.UTC(2026, 5, 1 + at)).toISOString().slice(0, 10));
  const span = fc
    .tuple(day, day, fc.constantFrom('none', 'first', 'second'), fc.boolean(), fc.boolean())
    .map(([one, other, half_day, starts_midday, ends_midday]) => {
      const [from = '', to = ''] = [one, other].toSorted();
      const isOneDay = from === to;
      return {
        from,
        to,
        half_day: isOneDay ? half_day : 'none',
        starts_midday: !isOneDay && starts_midday,
        ends_midday: !isOneDay && ends_midday,
      };
    });

  test('overlap exactly if two spans share half a day', () => {
    type RequestedDays = typeof whole & { from: string; to: string };
    const halves = (createRequest: RequestedDays) =>
      daysOf(createRequest.from, createRequest.to).flatMap((one) => {
        const noMorning =
          createRequest.half_day === 'second' || (createRequest.starts_midday && one === createRequest.from);
        const noEvening = createRequest.half_day === 'first' || (createRequest.ends_midday && one === createRequest.to);
        return [...(noMorning ? [] : [`${one} am`]), ...(noEvening ? [] : [`${one} pm`])];
      });
    fc.assert(
      fc.property(span, span, (one, other) => {
        const [[first, end], [begins, ends]] = [halfDaysOf(one), halfDaysOf(other)];
        const shared = halves(one).some((half) => halves(other).includes(half));
        expect(first < ends && begins < end).toBe(shared);
        expect(end - first).toBe(halves(one).length);
      }),
    );
  });

  test('retain the days before the cancellation date', () => {
    fc.assert(
      fc.property(span, fc.nat(20), (createRequest, at) => {
        const all = daysOf(createRequest.from, createRequest.to);
        const last = all[at % all.length]!;
        if (last === createRequest.to) return;
        const cut = spanUntil(createRequest, last);
        expect(halfDaysOf(cut)[0]).toBe(halfDaysOf(createRequest)[0]);
        const days = workDays(createRequest.from, createRequest.to, {});
        expect(countedDays(cut, days, false)).toEqual(
          countedDays(createRequest, days, false).filter(({ day: one }) => one <= last),
        );
      }),
    );
  });
});
