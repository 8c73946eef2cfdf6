import { expect, test } from '@jest/globals';
import { monthsDue } from './draft-month.rules.ts';

test.each([
  ['before its day', '2026-06-24', 25, null, []],
  ['on its day', '2026-06-25', 25, null, ['2026-06-30']],
  ['after its day', '2026-06-29', 25, '2026-05-31', ['2026-06-30']],
  ['once it is drafted', '2026-06-29', 25, '2026-06-30', []],
  ['on the last day of a month that is too short', '2026-02-28', 31, '2026-01-31', ['2026-02-28']],
  ['a day before that', '2026-02-27', 31, '2026-01-31', []],
  ['after downtime, for all missed months', '2026-06-10', 25, '2026-03-31', ['2026-04-30', '2026-05-31']],
  ['after a stop, even in another year', '2027-01-25', 25, '2026-11-30', ['2026-12-31', '2027-01-31']],
])('drafts the due months %s', (_, day, payroll_day, through, due) => {
  expect(monthsDue(day, payroll_day, through)).toEqual(due);
});

test('drafts at most the last twelve missed months', () => {
  expect(monthsDue('2026-06-30', 1, '2020-01-31')).toHaveLength(12);
});
