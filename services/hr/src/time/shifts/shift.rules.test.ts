import { describe, expect, test } from '@jest/globals';
import { assertLength, shiftMinutes } from './shift.rules.ts';

describe('the length of a shift', () => {
  test.each([
    ['09:00', '17:30', 510],
    ['22:00', '06:00', 480],
    ['18:00', '00:00', 360],
    ['00:00', '23:59', 1_439],
    ['08:00', '08:00', 0],
  ])('is calculated from %s to %s: %i minutes', (start, end, minutes) => {
    expect(shiftMinutes({ start, end })).toBe(minutes);
  });

  test('must exceed the break', () => {
    expect(() => assertLength({ start: '22:00', end: '06:00', break_minutes: 479 })).not.toThrow();
    for (const wrong of [
      { start: '22:00', end: '06:00', break_minutes: 480 },
      { start: '08:00', end: '08:00', break_minutes: 0 },
    ])
      expect(() => assertLength(wrong)).toThrow(expect.objectContaining({ code: 'shift_without_length' }));
  });
});
