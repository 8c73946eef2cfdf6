import { expect, test } from '@jest/globals';
import { spread } from './spread.rules.ts';

const secondsOf = (...numbers: number[]): Buffer => {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [at, number] of numbers.entries()) bytes.writeInt32BE(number, at * 4);
  return bytes;
};

test('has no average or median without measured durations', () => {
  expect(spread([])).toEqual({ average: null, median: null, p90: null });
  expect(spread([Buffer.alloc(0)])).toEqual({ average: null, median: null, p90: null });
});

test('the median is the mean of the two middle values, in any order', () => {
  expect(spread([secondsOf(30, 10), secondsOf(20, 50)])).toEqual({ average: 28, median: 25, p90: 44 });
  expect(spread([secondsOf(7)])).toEqual({ average: 7, median: 7, p90: 7 });
});

test('rounds halves up, like the database', () => {
  expect(spread([secondsOf(1, 2)])).toEqual({ average: 2, median: 2, p90: 2 });
});

test('sorts numbers numerically', () => {
  expect(spread([secondsOf(100_000, 9, 0)]).median).toBe(9);
});
