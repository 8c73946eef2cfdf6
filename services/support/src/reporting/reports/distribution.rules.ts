/** Distribution of durations: average, median and 90th percentile. */

/** Statistics in seconds. Null without measured durations. */
interface Distribution {
  average: number | null;
  median: number | null;
  p90: number | null;
}

const BYTES = 4;

/** Returns all numbers in ascending order. @param parts buffers of four-byte integers, as PostgreSQL sends them */
function sortedNumbers(parts: readonly Buffer[]): Int32Array {
  const numbers = new Int32Array(parts.reduce((bytes, part) => bytes + part.length, 0) / BYTES);
  let at = 0;
  for (const part of parts)
    for (let from = 0; from < part.length; from += BYTES) {
      numbers[at] = part.readInt32BE(from);
      at += 1;
    }
  return numbers.toSorted();
}

/** Returns the percentile for a share, interpolated like `percentile_cont` in SQL. */
function percentile(numbers: Int32Array, share: number): number {
  const exact = share * (numbers.length - 1);
  const below = Math.floor(exact);
  const least = numbers[below]!;
  return Math.round(least + (exact - below) * (numbers[Math.ceil(exact)]! - least));
}

/** Returns the distribution of durations, from the seconds of each. */
export function distributionOf(parts: readonly Buffer[]): Distribution {
  const numbers = sortedNumbers(parts);
  if (numbers.length === 0) return { average: null, median: null, p90: null };
  const all = numbers.reduce((sum, one) => sum + one, 0);
  return { average: Math.round(all / numbers.length), median: percentile(numbers, 0.5), p90: percentile(numbers, 0.9) };
}
