import { describe, expect, test } from '@jest/globals';
import { dayAt, daysAfter, daysFrom, daysOf, offsetAt, wallClockAt, weekdayOf, localTimesAt } from './time-zones.ts';

const shown = (day: string, time: string, zone: string) => {
  const { first, last, is } = localTimesAt(day, time, zone);
  return [is, new Date(first).toISOString(), new Date(last).toISOString()];
};

describe('a local time', () => {
  test.each([
    ['2026-06-01', '09:00', 'Europe/Berlin', 'once', '2026-06-01T07:00:00.000Z', '2026-06-01T07:00:00.000Z'],
    ['2026-03-29', '02:30', 'Europe/Berlin', 'skipped', '2026-03-29T01:30:00.000Z', '2026-03-29T01:30:00.000Z'],
    ['2026-03-29', '03:00', 'Europe/Berlin', 'once', '2026-03-29T01:00:00.000Z', '2026-03-29T01:00:00.000Z'],
    ['2026-10-25', '02:30', 'Europe/Berlin', 'twice', '2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z'],
    ['2026-10-25', '03:00', 'Europe/Berlin', 'once', '2026-10-25T02:00:00.000Z', '2026-10-25T02:00:00.000Z'],
    ['2026-03-08', '02:10', 'America/New_York', 'skipped', '2026-03-08T07:10:00.000Z', '2026-03-08T07:10:00.000Z'],
    ['2026-04-05', '01:45', 'Australia/Lord_Howe', 'twice', '2026-04-04T14:45:00.000Z', '2026-04-04T15:15:00.000Z'],
    ['2026-10-04', '02:10', 'Australia/Lord_Howe', 'skipped', '2026-10-03T15:40:00.000Z', '2026-10-03T15:40:00.000Z'],
    ['2026-06-01', '18:00:30', 'Asia/Kolkata', 'once', '2026-06-01T12:30:30.000Z', '2026-06-01T12:30:30.000Z'],
    // Samoa skipped 30 December 2011: its local times fall on the next day.
    ['2011-12-30', '12:00', 'Pacific/Apia', 'skipped', '2011-12-30T22:00:00.000Z', '2011-12-30T22:00:00.000Z'],
  ])('%s %s in %s occurs %s', (day, time, zone, ...expected) => {
    expect(shown(day, time, zone)).toEqual(expected);
  });

  test('maps each hour of two years back to its local time', () => {
    for (const zone of ['Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'UTC']) {
      const begin = Date.parse('2026-01-01T00:10:00Z');
      for (let hour = 0; hour < 2 * 365 * 24; hour += 1) {
        const instant = begin + hour * 3_600_000;
        const [day = '', time = ''] = wallClockAt(instant, zone).split('T');
        const { first, last } = localTimesAt(day, time, zone);
        expect([first, last]).toContain(instant);
      }
    }
  });
});

test('returns the offset and the day of a timestamp', () => {
  expect(offsetAt(Date.parse('2026-10-25T00:30:00Z'), 'Europe/Berlin')).toBe(7_200_000);
  expect(offsetAt(Date.parse('2026-10-25T01:30:00Z'), 'Europe/Berlin')).toBe(3_600_000);
  expect(offsetAt(0, 'UTC')).toBe(0);
  expect(offsetAt(Date.parse('1900-01-01T00:00:00Z'), 'America/New_York')).toBe(-18_000_000);
  expect(dayAt(Date.parse('2026-06-01T22:30:00Z'), 'Europe/Berlin')).toBe('2026-06-02');
  expect(dayAt(Date.parse('2026-06-01T02:30:00Z'), 'America/New_York')).toBe('2026-05-31');
  expect(wallClockAt(Date.parse('2026-06-01T22:30:15Z'), 'Asia/Kathmandu')).toBe('2026-06-02T04:15:15');
});

test('calculates with days', () => {
  expect([weekdayOf('2026-06-01'), weekdayOf('2026-06-07')]).toEqual([1, 7]);
  expect(daysAfter('2026-02-28', 1)).toBe('2026-03-01');
  expect(daysFrom('2026-12-28', '2027-01-05')).toBe(8);
  expect(daysOf('2026-02-27', '2026-03-02')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']);
  expect(daysOf('2026-03-02', '2026-03-01')).toEqual([]);
});
