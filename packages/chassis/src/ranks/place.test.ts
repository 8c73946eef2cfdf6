import { expect, test } from '@jest/globals';
import { Decimal } from 'decimal.js';
import { type ColumnCards, PLACES_MAX, rankBelowIn } from './place.ts';
import { rankAfter, type RankedCard } from './rank.rules.ts';

/** Returns a column in memory, and the number of ranks that were rewritten. */
function columnOf(cards: RankedCard[]) {
  const at = (id: string) => cards.findIndex((card) => card.id === id);
  const column: ColumnCards & { cards: RankedCard[]; written: number } = {
    cards,
    written: 0,
    rankOf: async (id) => cards[at(id)]!.rank,
    below: async (id) => cards[at(id) + 1],
    async around(id, most) {
      const [from, until] = [Math.max(0, at(id) - most), Math.min(cards.length, at(id) + 1 + most)];
      return { cards: cards.slice(from, until), begins: from === 0, ends: until === cards.length };
    },
    async write(moved) {
      for (const { id, rank } of moved) cards[at(id)] = { id, rank };
      column.written += moved.length;
    },
  };
  return column;
}

/** Places a card below another one, like a drag or a new card. */
async function put(column: ReturnType<typeof columnOf>, id: string, above: string): Promise<void> {
  const { cards } = column;
  const from = cards.findIndex((card) => card.id === id);
  if (from >= 0) cards.splice(from, 1);
  const rank = await rankBelowIn(column, above, rankAfter);
  cards.splice(cards.findIndex((card) => card.id === above) + 1, 0, { id, rank });
}

const inOrder = (cards: readonly RankedCard[]) =>
  cards.every(({ rank }, at) => at === 0 || new Decimal(rank).gt(cards[at - 1]!.rank));
const longest = (cards: readonly RankedCard[]) =>
  Math.max(...cards.map(({ rank }) => new Decimal(rank).decimalPlaces()));
const numbered = (count: number) => Array.from({ length: count }, (_, at) => ({ id: String(at), rank: String(at) }));

test('keeps ranks short after 20,000 drags into one gap, rewriting few other cards', async () => {
  const column = columnOf(numbered(100));
  for (let drag = 0; drag < 20_000; drag += 1) await put(column, drag % 2 ? '98' : '99', '0');
  expect(inOrder(column.cards)).toBe(true);
  expect(longest(column.cards)).toBeLessThanOrEqual(PLACES_MAX);
  expect(column.written).toBeLessThan(60_000);
});

test('keeps ranks short after 3,000 new cards in one gap', async () => {
  const column = columnOf(numbered(3));
  for (let card = 0; card < 3_000; card += 1) await put(column, `new ${card}`, '1');
  expect(column.cards).toHaveLength(3_003);
  expect(inOrder(column.cards)).toBe(true);
  expect(longest(column.cards)).toBeLessThanOrEqual(PLACES_MAX);
});

test('replaces stored ranks with thousands of digits and duplicate ranks', async () => {
  const long = `0.${'1'.repeat(6_000)}`;
  const ranks = ['0', long, `${long}1`, `${long}1`, '1'];
  const column = columnOf(ranks.map((rank, at) => ({ id: String(at), rank })));
  await put(column, 'dragged', '2');
  expect(column.cards.map(({ id }) => id)).toEqual(['0', '1', '2', 'dragged', '3', '4']);
  expect(inOrder(column.cards)).toBe(true);
  expect(longest(column.cards)).toBeLessThanOrEqual(PLACES_MAX);
});
