import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { lockedThrough } from './period.rules.ts';
import { durationOf, type Rounding, roundedSeconds, type EntrySpan } from './rounding.rules.ts';

const spanOf = (from: string, to: string, more: Partial<EntrySpan> = {}): EntrySpan => ({
  started_at: new Date(from),
  ended_at: new Date(to),
  timezone: 'Europe/Berlin',
  breaks: [],
  idle_seconds: 0,
  idle_discarded: false,
  ...more,
});
const rule = (mode: string, more: Partial<Rounding> = {}): Rounding => {
  return { mode, begin_minutes: 0, end_minutes: 0, duration_minutes: 0, weekdays: [1, 2, 3, 4, 5, 6, 7], ...more };
};
const minutes = (span: EntrySpan, rounding: Rounding | null) => roundedSeconds(span, rounding) / 60;

describe('rounding', () => {
  const clocked = spanOf('2026-06-01T09:08:00+02:00', '2026-06-01T09:52:00+02:00');
  const lasting = spanOf('2026-06-01T09:00:00+02:00', '2026-06-01T09:52:30+02:00');

  test.each([
    ['60 and 60 minutes by default', 'default', 60, 60],
    ['30 and 45 minutes to the closest quarter', 'closest', 30, 45],
    ['45 and 45 minutes downwards', 'floor', 45, 45],
    ['45 and 60 minutes upwards', 'ceil', 45, 60],
  ])('rounds 44 and 52.5 minutes to %s', (_, mode, of_clock, of_duration) => {
    expect(minutes(clocked, rule(mode, { begin_minutes: 15, end_minutes: 15 }))).toBe(of_clock);
    expect(minutes(lasting, rule(mode, { duration_minutes: 15 }))).toBe(of_duration);
  });

  test('leaves other weekdays unchanged', () => {
    expect(minutes(clocked, rule('default', { begin_minutes: 15, end_minutes: 15, weekdays: [2, 3] }))).toBe(44);
  });

  test('subtracts breaks and discarded idle time first, and is never negative', () => {
    const breaks = [
      { started_at: new Date('2026-06-01T09:10:00+02:00'), ended_at: new Date('2026-06-01T09:20:00+02:00') },
    ];
    const worn = { ...clocked, breaks, idle_seconds: 300, idle_discarded: true };
    expect([durationOf(worn) / 60, minutes(worn, rule('default', { begin_minutes: 15, end_minutes: 15 }))]).toEqual([
      29, 45,
    ]);
    const short = spanOf('2026-06-01T09:08:00+02:00', '2026-06-01T09:12:00+02:00');
    expect(minutes(short, rule('ceil', { begin_minutes: 15, end_minutes: 0 }))).toBe(0);
  });

  test('follows the wall clock in a time zone with a fractional offset', () => {
    const span = spanOf('2026-06-01T03:23:00Z', '2026-06-01T04:15:00Z', { timezone: 'Asia/Kathmandu' });
    expect(minutes(span, rule('default', { begin_minutes: 60, end_minutes: 60 }))).toBe(60);
  });

  const span = fc
    .tuple(fc.integer({ min: 0, max: 40_000_000 }), fc.integer({ min: 1, max: 86_400 }))
    .map(([from, length]) =>
      spanOf(
        new Date(1_790_000_000_000 + from * 1_000).toISOString(),
        new Date(1_790_000_000_000 + (from + length) * 1_000).toISOString(),
      ),
    );
  const step = fc.integer({ min: 0, max: 60 });

  test('differs by at most its steps, and its modes are in order', () => {
    fc.assert(
      fc.property(span, step, step, step, (one, begin, end, duration) => {
        const roundBy = (mode: string) =>
          roundedSeconds(one, rule(mode, { begin_minutes: begin, end_minutes: end, duration_minutes: duration }));
        const most = (begin + end + duration) * 60;
        for (const mode of ['default', 'closest', 'floor', 'ceil']) {
          expect(Math.abs(roundBy(mode) - durationOf(one))).toBeLessThanOrEqual(most);
          expect(roundBy(mode)).toBeGreaterThanOrEqual(0);
          expect(duration === 0 ? 0 : roundBy(mode) % (duration * 60)).toBe(0);
        }
        expect(roundBy('default')).toBeGreaterThanOrEqual(Math.max(roundBy('floor'), roundBy('ceil'), durationOf(one)));
      }),
    );
  });
});

describe('clock changes in Berlin', () => {
  const length = (from: string, to: string) => durationOf(spanOf(from, to)) / 60;

  test('go back in autumn and forward in spring, determined by the UTC time', () => {
    expect(length('2026-10-25T02:10:00+02:00', '2026-10-25T02:50:00+02:00')).toBe(40);
    expect(length('2026-10-25T02:10:00+01:00', '2026-10-25T02:50:00+01:00')).toBe(40);
    expect(length('2026-10-25T01:30:00+02:00', '2026-10-25T03:30:00+01:00')).toBe(180);
    expect(length('2026-03-29T01:30:00+01:00', '2026-03-29T03:30:00+02:00')).toBe(60);
  });
});

describe('the last locked day', () => {
  const settings = { locked_through: null, lock_period: 'none', grace_days: 0 };
  test.each([
    ['none', 0, null, '2026-06-10', null],
    ['week', 0, null, '2026-06-07', '2026-05-31'],
    ['week', 0, null, '2026-06-08', '2026-06-07'],
    ['week', 2, null, '2026-06-09', '2026-05-31'],
    ['week', 2, null, '2026-06-10', '2026-06-07'],
    ['month', 0, null, '2026-06-30', '2026-05-31'],
    ['month', 5, null, '2026-06-05', '2026-04-30'],
    ['month', 5, null, '2026-06-06', '2026-05-31'],
    ['month', 0, '2026-06-20', '2026-06-30', '2026-06-20'],
    ['month', 0, '2026-01-20', '2026-06-30', '2026-05-31'],
  ])(
    'follows the lock period, grace days and manual lock: %s, %i, %s on %s',
    (lock_period, grace_days, locked_through, today, through) => {
      expect(lockedThrough({ ...settings, lock_period, grace_days, locked_through }, today)).toBe(through);
    },
  );
});
