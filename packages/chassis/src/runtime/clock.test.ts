import { afterEach, expect, test } from '@jest/globals';
import { clock, today } from './clock.ts';

const { now } = clock;
afterEach(() => {
  clock.now = now;
});

test('returns a different day in another time zone', () => {
  clock.now = () => new Date('2026-12-31T23:30:00Z');
  expect(['UTC', 'Europe/Berlin', 'America/Lima', 'Pacific/Kiritimati'].map(today)).toEqual([
    '2026-12-31',
    '2027-01-01',
    '2026-12-31',
    '2027-01-01',
  ]);
});

test('the clock advances automatically', () => {
  const before = clock.now().getTime();
  expect(Math.abs(Date.now() - before)).toBeLessThan(1_000);
});
