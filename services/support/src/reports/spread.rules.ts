/** How long something took: on average, and in most cases. */

/** In seconds; null where nothing was timed. */
interface Spread {
  average: number | null;
  median: number | null;
  p90: number | null;
}

const BYTES = 4;

/** All numbers in ascending order. @param parts each has numbers of four bytes, as PostgreSQL sends them */
function inOrder(parts: readonly Buffer[]): Int32Array {
  const numbers = new Int32Array(parts.reduce((bytes, part) => bytes + part.length, 0) / BYTES);
  let at = 0;
  for (const part of parts)
    for (let from = 0; from < part.length; from += BYTES) {
      numbers[at] = part.readInt32BE(from);
      at += 1;
    }
  return numbers.toSorted();
}

/** The number that so many of all are at most, between its neighbours, as `percentile_cont` of SQL has it. */
function place(numbers: Int32Array, share: number): number {
  const exact = share * (numbers.length - 1);
  const below = Math.floor(exact);
  const least = numbers[below]!;
  return Math.round(least + (exact - below) * (numbers[Math.ceil(exact)]! - least));
}

/** How long something took, from the seconds of each time. */
export function spread(parts: readonly Buffer[]): Spread {
  const numbers = inOrder(parts);
  if (numbers.length === 0) return { average: null, median: null, p90: null };
  const all = numbers.reduce((sum, one) => sum + one, 0);
  return { average: Math.round(all / numbers.length), median: place(numbers, 0.5), p90: place(numbers, 0.9) };
}
