import { expect, test } from '@jest/globals';
import { distributionOf } from './distribution.rules.ts';

const secondsOf = (...numbers: number[]): Buffer => {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [at, number] of numbers.entries()) bytes.writeInt32BE(number, at * 4);
  return bytes;
};

test('has no average or median without measured durations', () => {
  expect(distributionOf([])).toEqual({ average: null, median: null, p90: null });
  expect(distributionOf([Buffer.alloc(0)])).toEqual({ average: null, median: null, p90: null });
});

test('the median is the mean of the two middle values, in any order', () => {
  expect(distributionOf([secondsOf(30, 10), secondsOf(20, 50)])).toEqual({ average: 28, median: 25, p90: 44 });
  expect(distributionOf([secondsOf(7)])).toEqual({ average: 7, median: 7, p90: 7 });
});

test('rounds halves up, like the database', () => {
  expect(distributionOf([secondsOf(1, 2)])).toEqual({ average: 2, median: 2, p90: 2 });
});

test('sorts numbers numerically', () => {
  expect(distributionOf([secondsOf(100_000, 9, 0)]).median).toBe(9);
});
