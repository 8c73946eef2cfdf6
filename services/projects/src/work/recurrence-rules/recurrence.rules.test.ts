import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import rrule from 'rrule';
import { assertRule, nextOccurrence } from './recurrence.rules.ts';
import { ruleDays } from './rule-days.ts';

const series = (rrule: string, starts = '2026-01-05', ends?: string) => ({ rrule, starts, ...(ends && { ends }) });
const occurrencesOf = (rrule: string, count: number, starts?: string, ends?: string): string[] => {
  const days: string[] = [];
  let at = starts ?? '2026-01-05';
  for (let index = 0; index < count; index += 1) {
    const next = nextOccurrence(series(rrule, starts, ends), at, '2020-01-01');
    if (!next) break;
    days.push((at = next.day));
  }
  return days;
};

describe('a recurring task', () => {
  test.each([
    ['every day', 'FREQ=DAILY', ['2026-01-06', '2026-01-07']],
    ['every other week', 'FREQ=WEEKLY;INTERVAL=2', ['2026-01-19', '2026-02-02']],
    ['on two days of the week', 'FREQ=WEEKLY;BYDAY=MO,TH', ['2026-01-08', '2026-01-12']],
    ['on the last day of the month', 'FREQ=MONTHLY;BYMONTHDAY=-1', ['2026-01-31', '2026-02-28']],
    ['on the last Friday', 'FREQ=MONTHLY;BYDAY=-1FR', ['2026-01-30', '2026-02-27']],
    ['on the last working day', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', ['2026-01-30', '2026-02-27']],
    ['every year', 'FREQ=YEARLY', ['2027-01-05', '2028-01-05']],
  ])('is recreated %s', (_, rule, days) => {
    expect(occurrencesOf(rule, 2)).toEqual(days);
  });

  test('is recreated a given number of times, or until a day', () => {
    expect(occurrencesOf('FREQ=DAILY;COUNT=3', 9)).toEqual(['2026-01-06', '2026-01-07']);
    expect(occurrencesOf('FREQ=DAILY;UNTIL=20260107', 9)).toEqual(['2026-01-06', '2026-01-07']);
    expect(occurrencesOf('FREQ=DAILY', 9, '2026-01-05', '2026-01-06')).toEqual(['2026-01-06']);
  });

  test('is recreated on the 31st only in months with 31 days', () => {
    expect(occurrencesOf('FREQ=MONTHLY;BYMONTHDAY=31', 3, '2026-01-31')).toEqual([
      '2026-03-31',
      '2026-05-31',
      '2026-07-31',
    ]);
    expect(occurrencesOf('FREQ=MONTHLY', 2, '2026-01-31')).toEqual(['2026-03-31', '2026-05-31']);
  });

  test('is recreated after a pause only on the latest of the missed days', () => {
    expect(nextOccurrence(series('FREQ=WEEKLY'), '2026-01-05', '2026-01-30')).toEqual({
      day: '2026-01-26',
      skipped: ['2026-01-12', '2026-01-19'],
    });
    expect(nextOccurrence(series('FREQ=WEEKLY'), '2026-01-05', '2026-01-05')).toEqual({
      day: '2026-01-12',
      skipped: [],
    });
  });

  test('is not recreated if no day matches its rule', () => {
    expect(
      nextOccurrence(series('FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=30', '2026-02-01'), '2026-02-01', '2026-02-01'),
    ).toBe(undefined);
  });
});

test.each([
  'FREQ=HOURLY',
  'INTERVAL=2',
  'FREQ=DAILY;BYHOUR=9',
  'FREQ=DAILY;FREQ=WEEKLY',
  'FREQ=DAILY;UNTIL=20260101T000000Z',
  'RRULE:FREQ=DAILY',
  'FREQ=DAILY;INTERVAL=0',
  'nonsense',
  'FREQ=DAILY;COUNT=2;UNTIL=20260201',
  'FREQ=DAILY;UNTIL=20261399',
  'FREQ=DAILY;UNTIL=20270000',
  'FREQ=DAILY;UNTIL=20260230',
  'FREQ=DAILY;UNTIL=00000000',
  'FREQ=WEEKLY;BYDAY=2MO',
  'FREQ=DAILY;BYDAY=-1FR',
  'FREQ=WEEKLY;BYMONTHDAY=1',
  'FREQ=MONTHLY;BYSETPOS=1',
  'FREQ=DAILY;BYDAY=MO;BYSETPOS=9',
  'FREQ=WEEKLY;BYDAY=MO;BYSETPOS=9',
  'FREQ=MONTHLY;BYDAY=5MO;BYMONTHDAY=1',
  'FREQ=MONTHLY;BYMONTHDAY=31;BYSETPOS=2',
  'FREQ=YEARLY;BYDAY=MO;BYSETPOS=60',
])('rejects %s as a rule for tasks', (rule) => {
  expect(() => assertRule(rule)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
});

describe('a stored rule that never occurs', () => {
  test.each([
    'FREQ=DAILY;BYDAY=MO;BYSETPOS=9',
    'FREQ=WEEKLY;BYDAY=MO;BYSETPOS=9',
    'FREQ=MONTHLY;BYDAY=5MO;BYMONTHDAY=1',
    'FREQ=YEARLY;INTERVAL=999;BYDAY=SU;BYSETPOS=366',
    'FREQ=DAILY;UNTIL=20261399',
    'FREQ=MONTHLY;UNTIL=20270000',
  ])('ends its series: %s', (rule) => {
    expect(nextOccurrence(series(rule), '2026-01-05', '2026-01-05')).toBe(undefined);
  });
});

describe('the days of a rule', () => {
  const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
  const positions = (most: number) =>
    fc.array(fc.oneof(fc.integer({ min: 1, max: most }), fc.integer({ min: -most, max: -1 })), {
      minLength: 1,
      maxLength: 3,
    });
  const plain = fc.uniqueArray(fc.constantFrom(...weekdays), { minLength: 1, maxLength: 4 });
  const ordinal = fc
    .tuple(fc.constantFrom(1, 2, 3, 4, 5, -1, -2, -5), fc.constantFrom(...weekdays))
    .map(([nth, weekday]) => [`${nth}${weekday}`]);
  const rules = fc
    .record({
      freq: fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'),
      interval: fc.integer({ min: 1, max: 5 }),
      count: fc.option(fc.integer({ min: 1, max: 12 })),
      days: fc.option(fc.oneof(plain, ordinal)),
      month_days: fc.option(positions(31)),
      // Other positions are wrong in rrule: it repeats days, and uses the last day for a missing one.
      position: fc.option(fc.constantFrom([1], [-1])),
    })
    .filter(({ freq, days, month_days, position }) => {
      const isSlow = freq === 'MONTHLY' || freq === 'YEARLY';
      if (month_days && freq === 'WEEKLY') return false;
      if (days?.some((day) => day.length > 2) && !isSlow) return false;
      // rrule searches endlessly for a missing position of a day, and counts the first week from the start.
      return position === null || ((days !== null || month_days !== null) && isSlow);
    })
    .map(({ freq, interval, count, days, month_days, position }) =>
      [
        `FREQ=${freq}`,
        `INTERVAL=${interval}`,
        ...(count === null ? [] : [`COUNT=${count}`]),
        ...(days ? [`BYDAY=${days.join(',')}`] : []),
        ...(month_days ? [`BYMONTHDAY=${month_days.join(',')}`] : []),
        ...(position ? [`BYSETPOS=${position.join(',')}`] : []),
      ].join(';'),
    );
  const starts = fc
    .date({ min: new Date('2024-01-01'), max: new Date('2026-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));

  test('match the days that rrule finds', () => {
    const until = '2028-06-30';
    const expectedDays = (rule: string, start: string) =>
      new rrule.RRule({ ...rrule.RRule.parseString(rule), dtstart: new Date(start), until: new Date(until) })
        .all()
        .map((date) => date.toISOString().slice(0, 10));
    fc.assert(
      fc.property(rules, starts, (rule, start) => {
        const all = expectedDays(rule, start);
        expect(ruleDays(rule, start, { after: '2000-01-01', until })).toEqual(all);
        expect(ruleDays(rule, start, { after: '2027-03-15', until })).toEqual(all.filter((day) => day > '2027-03-15'));
      }),
      { numRuns: 60 },
    );
  });
});
