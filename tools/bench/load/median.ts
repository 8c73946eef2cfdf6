/** Returns the median, which is the mean of the middle two for an even number of values. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const below = sorted[Math.ceil(half) - 1] ?? Number.NaN;
  return (below + (sorted[Math.floor(half)] ?? Number.NaN)) / 2;
}
