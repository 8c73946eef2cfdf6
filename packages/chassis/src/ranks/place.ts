/**
 * Places cards below others, with ranks of a bounded length. When the gap between two cards becomes too small, the cards around
 * it are spread evenly. A rank that was stored with more digits is shortened in the same way.
 */
import { Decimal } from 'decimal.js';
import { rankBetween, type RankedCard, spreadRanks } from './rank.rules.ts';

/** Maximum number of decimal places. Chosen: 24 decimal places fit into all rank columns. */
export const PLACES_MAX = 24;
/**
 * Numbers of cards on each side of a gap to spread. Each is tried in order until the ranks fit. The last one is the
 * whole column.
 */
const WINDOWS = [32, 256, 2_048, Infinity];

/** The cards around a card, in order. */
export interface AdjacentCards {
  cards: RankedCard[];
  /** True if the column begins with the first card, and ends with the last one. */
  begins: boolean;
  ends: boolean;
}

/** The cards of a column, without the card that moves. */
export interface ColumnCards {
  rankOf(id: string): Promise<string>;
  below(id: string): Promise<RankedCard | undefined>;
  /** @param most the number of cards on each side */
  around(id: string, most: number): Promise<AdjacentCards>;
  write(cards: readonly RankedCard[]): Promise<unknown>;
}

const isShort = (rank: string): boolean => new Decimal(rank).decimalPlaces() <= PLACES_MAX;

/** Returns the rank between two cards, unless it has too many digits or the cards have the same rank. */
function shortRankBetween(above: string, below: string): string | undefined {
  if (!isShort(above) || !isShort(below) || new Decimal(above).gte(below)) return undefined;
  const rank = rankBetween(above, below);
  return isShort(rank) ? rank : undefined;
}

async function spreadAround(column: ColumnCards, id: string): Promise<void> {
  for (const most of WINDOWS) {
    const { cards, ...ends } = await column.around(id, most);
    const moved = spreadRanks(cards, ends, PLACES_MAX / 2);
    if (moved) return void (await column.write(moved));
  }
}

/**
 * Returns the rank directly below a card. Spreads the cards around it if necessary.
 * @param above the ID of the card
 * @param last makes the rank below the last card
 */
export async function rankBelowIn(
  column: ColumnCards,
  above: string,
  last: (rank: string) => string | Promise<string>,
): Promise<string> {
  const [rank, below] = [await column.rankOf(above), await column.below(above)];
  if (!below) return await last(rank);
  const short = shortRankBetween(rank, below.rank);
  if (short !== undefined) return short;
  await spreadAround(column, above);
  return rankBetween(await column.rankOf(above), await column.rankOf(below.id));
}
