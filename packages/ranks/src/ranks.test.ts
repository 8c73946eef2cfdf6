import { describe, expect, test } from '@jest/globals';
import { Decimal } from 'decimal.js';
import { between } from './ranks.ts';

describe('a rank between two others', () => {
  test.each([
    ['1', '2', '1.5'],
    ['-3', '5', '1'],
    ['0', '0.5', '0.3'],
    ['1.5', '2', '1.8'],
    ['-0.1', '0', '-0.05'],
    ['9', '10.01', '10'],
  ])('%s and %s is %s', (before, after, rank) => {
    expect(between(before, after)).toBe(rank);
  });

  test('lies strictly between them, a thousand drags to the same place later, and is still short', () => {
    let [before, after] = ['0', '1'];
    for (let drag = 0; drag < 1_000; drag += 1) {
      const rank = between(before, after);
      expect(new Decimal(rank).gt(before) && new Decimal(rank).lt(after)).toBe(true);
      // Now in front of the card, now behind it: the place where most cards lie closest.
      if (drag % 3) after = rank;
      else before = rank;
    }
    expect(after.length).toBeLessThan(400);
  });

  test('is found between ranks of six thousand digits', () => {
    const before = `0.${'1'.repeat(6_000)}`;
    const after = `${before}1`;
    const rank = between(before, after);
    expect(rank.startsWith(before) && rank < after).toBe(true);
  });

  test('does not exist between equal ranks', () => {
    expect(() => between('1', '1')).toThrow('not before');
  });
});
