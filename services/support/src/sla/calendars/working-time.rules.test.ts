import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dueAfter, WEEKDAYS, type WorkingHours, workingTime } from './working-time.rules.ts';

const MINUTE = 60_000;
const day: [string, string][] = [
  ['08:00', '12:00'],
  ['13:00', '17:00'],
];
/** Example SLA calendar of docs/worked-examples.md. */
const office: WorkingHours = {
  timezone: 'Europe/Berlin',
  hours: { 1: day, 2: day, 3: day, 4: day, 5: [['08:00', '14:00']] },
  holidays: [{ date: '2026-04-03' }, { date: '2026-04-06' }],
};
const night: [string, string][] = [
  ['22:00', '24:00'],
  ['00:00', '06:00'],
];
/** Example night calendar of docs/worked-examples.md. */
const nights: WorkingHours = {
  timezone: 'Europe/Berlin',
  hours: Object.fromEntries(WEEKDAYS.map((weekday) => [weekday, night])),
  holidays: [],
};

const at = (moment: string) => Date.parse(moment);
const due = (calendar: WorkingHours, from: string, minutes: number) =>
  new Date(dueAfter(calendar, at(from), minutes * MINUTE)!).toISOString();
const minutes = (calendar: WorkingHours, from: string, until: string) =>
  workingTime(calendar, at(from), at(until)) / MINUTE;

describe('working time', () => {
  test.each([
    ['7 April, 08:40 for a first response in two hours', '2026-04-02T15:40:00+02:00', 120, '2026-04-07T08:40:00+02:00'],
    ['8 April, 15:40 for a resolution in sixteen hours', '2026-04-02T15:40:00+02:00', 960, '2026-04-08T15:40:00+02:00'],
    [
      '9 April, 11:25 for a resolution after waiting',
      '2026-04-08T08:15:00+02:00',
      960 - 290,
      '2026-04-09T11:25:00+02:00',
    ],
    [
      '9 April, 08:13 for four fifths of that resolution',
      '2026-04-08T08:15:00+02:00',
      768 - 290,
      '2026-04-09T08:13:00+02:00',
    ],
    ['8 April, 11:25 for a higher priority', '2026-04-08T09:00:00+02:00', 480 - 335, '2026-04-08T11:25:00+02:00'],
    ['10 April, 13:45 for a reopened ticket', '2026-04-09T13:20:00+02:00', 565, '2026-04-10T13:45:00+02:00'],
    ['8 April, 17:00 at the end of an interval', '2026-04-08T16:00:00+02:00', 60, '2026-04-08T17:00:00+02:00'],
  ])('ends on %s', (_, from, length, expected) => {
    expect(due(office, from, length)).toBe(new Date(expected).toISOString());
  });

  test('is 290 minutes before a pause of 285, and 395 with the time after the pause', () => {
    expect(minutes(office, '2026-04-02T15:40:00+02:00', '2026-04-07T11:30:00+02:00')).toBe(290);
    expect(minutes(office, '2026-04-07T11:30:00+02:00', '2026-04-08T08:15:00+02:00')).toBe(285);
    expect(290 + minutes(office, '2026-04-08T08:15:00+02:00', '2026-04-08T10:00:00+02:00')).toBe(395);
  });

  test('counts seven hours in the night when the clocks go forward', () => {
    expect(due(nights, '2026-03-28T23:30:00+01:00', 300)).toBe(new Date('2026-03-29T05:30:00+02:00').toISOString());
    expect(minutes(nights, '2026-03-28T22:00:00+01:00', '2026-03-29T06:00:00+02:00')).toBe(7 * 60);
  });

  test('counts nine hours in the night when the clocks go back', () => {
    expect(due(nights, '2026-10-24T23:30:00+02:00', 300)).toBe(new Date('2026-10-25T03:30:00+01:00').toISOString());
    expect(minutes(nights, '2026-10-24T22:00:00+02:00', '2026-10-25T06:00:00+01:00')).toBe(9 * 60);
  });
});

test('a skipped hour is not working time, and a repeated hour counts twice', () => {
  const early = (weekday: string): WorkingHours => ({
    ...nights,
    hours: { [weekday]: [['02:00', '03:00']] },
  });
  expect(minutes(early('7'), '2026-03-29T00:00:00+01:00', '2026-03-30T00:00:00+02:00')).toBe(0);
  expect(minutes(early('7'), '2026-10-25T00:00:00+02:00', '2026-10-26T00:00:00+01:00')).toBe(120);
});

test('counts exact seconds, and zero for an empty span', () => {
  expect(workingTime(office, at('2026-04-08T11:59:59.5+02:00'), at('2026-04-08T13:00:00.25+02:00'))).toBe(750);
  expect(workingTime(office, at('2026-04-08T10:00:00Z'), at('2026-04-08T09:00:00Z'))).toBe(0);
  expect(dueAfter(office, at('2026-04-04T10:00:00Z'), 0)).toBe(at('2026-04-04T10:00:00Z'));
});

/** Calendar with one minute a week. */
const rare: WorkingHours = { timezone: 'UTC', hours: { 1: [['00:00', '00:01']] }, holidays: [] };

describe('a target that takes years', () => {
  test.each([
    ['2026-01-05T00:00:00Z', 1],
    ['2026-01-05T00:00:00Z', 525],
    ['2025-12-31T12:34:56Z', 5_000],
  ])('is due from %s after %d weeks of one minute', (from, weeks) => {
    const first = at('2026-01-05T00:01:00Z');
    expect(due(rare, from, weeks)).toBe(new Date(first + (weeks - 1) * 7 * 24 * 60 * MINUTE).toISOString());
  });

  test('skips holidays over several years', () => {
    const monday = at('2026-01-05T00:00:00Z');
    const day = (week: number) => new Date(monday + week * 7 * 24 * 60 * MINUTE).toISOString().slice(0, 10);
    const holidays = Array.from({ length: 1_000 }, (_, week) => ({ date: day(week) }));
    expect(due({ ...rare, holidays }, '2026-01-01T00:00:00Z', 1)).toBe(`${day(1_000)}T00:01:00.000Z`);
  });

  test('is never due if it takes more than a century', () => {
    expect(dueAfter(rare, at('2026-01-01T00:00:00Z'), 5_300 * MINUTE)).toBeNull();
  });

  test('is calculated as fast as a target of hours', () => {
    const zoned = { ...rare, timezone: 'Europe/Berlin' };
    const before = process.cpuUsage();
    for (let from = 0; from < 1_000; from += 1)
      dueAfter(zoned, at('2026-01-01T00:00:00Z') + from * MINUTE, 4_000 * MINUTE);
    const { user } = process.cpuUsage(before);
    // Walking through the days would take 0.2 s for each target.
    expect(user / 1_000).toBeLessThan(20_000);
  });
});

/** Returns the working minutes since the start, minute by minute, read from a wall clock. */
function walk({ timezone, hours, holidays }: WorkingHours, from: number, count: number): Int32Array {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  const free = new Set(holidays.map(({ date }) => date));
  const sums = new Int32Array(count + 1);
  for (let minute = 0; minute < count; minute += 1) {
    const [date = '', time = ''] = format.format(from + minute * MINUTE).split(' ');
    const weekday = WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()]!;
    const isOpen = !free.has(date) && (hours[weekday] ?? []).some(([opens, closes]) => opens <= time && time < closes);
    sums[minute + 1] = sums[minute]! + Number(isOpen);
  }
  return sums;
}

const odd: WorkingHours['hours'] = {
  7: [
    ['00:00', '02:15'],
    ['02:45', '24:00'],
  ],
  1: [['09:10', '17:55']],
  3: [['00:00', '24:00']],
  6: night,
};

describe('hours that begin at any minute', () => {
  const calendar = {
    timezone: 'America/St_Johns',
    hours: odd,
    holidays: [{ date: '2025-03-09' }, { date: '2025-12-25' }, { date: '2026-04-05' }],
  };
  const begin = at('2025-01-01T00:00:00Z');
  const count = 2 * 365 * 24 * 60;

  test('match a minute-by-minute walk over two years', () => {
    const sums = walk(calendar, begin, count);
    const minute = fc.integer({ min: 0, max: count });
    fc.assert(
      fc.property(minute, minute, (one, other) => {
        const [from, until] = [Math.min(one, other), Math.max(one, other)];
        const worked = sums[until]! - sums[from]!;
        expect(workingTime(calendar, begin + from * MINUTE, begin + until * MINUTE)).toBe(worked * MINUTE);
        const first = sums.findIndex((sum, index) => index >= from && sum - sums[from]! >= worked);
        expect(dueAfter(calendar, begin + from * MINUTE, worked * MINUTE)).toBe(begin + first * MINUTE);
      }),
      { numRuns: 150 },
    );
  });
});

/** Zones with unusual clock changes: half an hour, two hours, a pause in summer, another date, and none at all. */
const ZONES = [
  'Africa/Casablanca',
  'America/St_Johns',
  'Antarctica/Troll',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Europe/Berlin',
  'Pacific/Apia',
  'Pacific/Chatham',
];
const QUARTER = 15 * MINUTE;

/** Returns true for each quarter of an hour that is working time, read from a wall clock. */
function quarters({ timezone, hours, holidays }: WorkingHours, from: number, count: number): boolean[] {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' });
  const free = new Set(holidays.map(({ date }) => date));
  return Array.from({ length: count }, (_, quarter) => {
    const [date = '', time = ''] = format.format(from + quarter * QUARTER).split(' ');
    const weekday = WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()]!;
    return !free.has(date) && (hours[weekday] ?? []).some(([opens, closes]) => opens <= time && time < closes);
  });
}

const clockTime = (quarter: number) =>
  `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`;
const spans = fc
  .uniqueArray(fc.integer({ min: 0, max: 96 }), { maxLength: 6 })
  .map((times) => times.toSorted((one, other) => one - other).map(clockTime))
  .map((times) => times.flatMap((time, index): [string, string][] => (index % 2 ? [[times[index - 1]!, time]] : [])));
const YEAR_DAYS = 366;
const begin = at('2026-01-01T00:00:00Z');
const dates = fc
  .array(fc.integer({ min: 0, max: YEAR_DAYS }), { maxLength: 40 })
  .map((days) => days.map((day) => ({ date: new Date(begin + day * 96 * QUARTER).toISOString().slice(0, 10) })));
const calendars = fc.record({
  timezone: fc.constantFrom(...ZONES),
  hours: fc.record(Object.fromEntries(WEEKDAYS.map((weekday) => [weekday, spans]))),
  holidays: dates,
});

test('any calendar matches a walk in quarter hours over a year', () => {
  const length = YEAR_DAYS * 24 * 60 * MINUTE;
  const moment = fc.integer({ min: 0, max: length });
  fc.assert(
    fc.property(calendars, fc.array(fc.tuple(moment, moment), { minLength: 20, maxLength: 20 }), (calendar, pairs) => {
      const isOpen = quarters(calendar, begin, length / QUARTER);
      let sum = 0;
      const sums = [0, ...isOpen.map((open) => (sum += open ? QUARTER : 0))];
      const until = (time: number) => {
        const quarter = Math.floor(time / QUARTER);
        return sums[quarter]! + (isOpen[quarter] ? time % QUARTER : 0);
      };
      for (const pair of pairs) {
        const [from, to] = [Math.min(...pair), Math.max(...pair)];
        const worked = until(to) - until(from);
        expect(workingTime(calendar, begin + from, begin + to)).toBe(worked);
        const due = dueAfter(calendar, begin + from, worked)!;
        expect(due).toBeLessThanOrEqual(begin + to);
        expect(until(due - begin) - until(from)).toBe(worked);
        expect(worked === 0 ? -1 : until(due - begin - 1) - until(from)).toBeLessThan(worked || 1);
      }
    }),
    { numRuns: 40 },
  );
});
