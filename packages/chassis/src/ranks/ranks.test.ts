import { describe, expect, test } from '@jest/globals';
import { Decimal } from 'decimal.js';
import { rankBetween, spreadRanks } from './rank.rules.ts';

describe('a rank between two others', () => {
  test.each([
    ['1', '2', '1.5'],
    ['-3', '5', '1'],
    ['0', '0.5', '0.3'],
    ['1.5', '2', '1.8'],
    ['-0.1', '0', '-0.05'],
    ['9', '10.01', '10'],
  ])('%s and %s is %s', (before, after, rank) => {
    expect(rankBetween(before, after)).toBe(rank);
  });

  test('stays strictly between them and short after a thousand drags to one place', () => {
    let [before, after] = ['0', '1'];
    for (let drag = 0; drag < 1_000; drag += 1) {
      const rank = rankBetween(before, after);
      expect(new Decimal(rank).gt(before) && new Decimal(rank).lt(after)).toBe(true);
      // Alternates before and after the card, where the ranks are closest.
      if (drag % 3) after = rank;
      else before = rank;
    }
    expect(after.length).toBeLessThan(400);
  });

  test('exists between ranks of six thousand digits', () => {
    const before = `0.${'1'.repeat(6_000)}`;
    const after = `${before}1`;
    const rank = rankBetween(before, after);
    expect(rank.startsWith(before) && rank < after).toBe(true);
  });

  test('does not exist between equal ranks', () => {
    expect(() => rankBetween('1', '1')).toThrow('not below');
  });
});

describe('spreading cards', () => {
  const ids = (count: number) => Array.from({ length: count }, (_, at) => String(at));
  const isRising = (ranks: readonly string[]) =>
    ranks.every((rank, at) => at === 0 || new Decimal(rank).gt(ranks[at - 1]!));

  test('keeps their order between the first and the last one, with few digits', () => {
    const ranks = [
      '-3',
      ...Array.from({ length: 98 }, (_, at) => `0.${'0'.repeat(20)}${String(at + 1).padStart(2, '0')}`),
      '5',
    ];
    const cards = ids(100).map((id, at) => ({ id, rank: ranks[at]! }));
    const moved = spreadRanks(cards, { begins: false, ends: false }, 12)!;
    expect(moved).toHaveLength(98);
    expect(isRising(['-3', ...moved.map(({ rank }) => rank), '5'])).toBe(true);
    expect(Math.max(...moved.map(({ rank }) => rank.length))).toBeLessThan(10);
  });

  test('finds no room between two ranks that are too close', () => {
    const cards = ids(3).map((id, at) => ({ id, rank: `0.${'0'.repeat(15)}${at + 1}` }));
    expect(spreadRanks(cards, { begins: false, ends: false }, 12)).toBeUndefined();
    expect(spreadRanks(cards, { begins: true, ends: true }, 12)?.map(({ rank }) => rank)).toEqual(['0', '0.5', '1']);
  });

  test('assigns different ranks if all of them had the same', () => {
    const moved = spreadRanks(
      ids(4).map((id) => ({ id, rank: '7' })),
      { begins: true, ends: true },
      12,
    )!;
    expect(isRising(['7', ...moved.map(({ rank }) => rank)])).toBe(true);
  });
});
