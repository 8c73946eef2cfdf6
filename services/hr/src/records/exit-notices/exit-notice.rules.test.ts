import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { daysAfter } from '@suite/time-zones';
import { assertNotice } from './exit-notice.rules.ts';

const day = fc.integer({ min: 0, max: 4_000 }).map((days) => daysAfter('2020-01-01', days));
const outcomeOf = (check: () => void): string => {
  try {
    check();
    return 'fits';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

test('ends a notice at or after its period, and not before the employment', () => {
  fc.assert(
    fc.property(
      day,
      day,
      day,
      fc.option(fc.integer({ min: 0, max: 730 })),
      fc.boolean(),
      (joining_date, notice_date, last_day, notice_days, waive_notice) => {
        const found = outcomeOf(() =>
          assertNotice({ notice_date, last_day, waive_notice }, { joining_date, notice_days }, 'last_day'),
        );
        const isMet = waive_notice || last_day >= daysAfter(notice_date, notice_days ?? 0);
        const refusals = [
          last_day < joining_date && 'exit_before_joining',
          last_day < notice_date && 'validation_failed',
          !isMet && 'notice_too_short',
        ];
        expect(found).toBe(refusals.find(Boolean) ?? 'fits');
      },
    ),
  );
});
