/** Gaps in a load: how long no request of a kind succeeded although some were waiting. */

/** A request from its first try to its success. */
export interface Span {
  /** Requests of one group compensate each other: the gap ends with the first success of any. */
  group: string;
  /** Times in milliseconds. */
  sent_at: number;
  settled_at: number;
  tries: number;
}

/**
 * Returns the longest time in which requests of a group waited and none of the group succeeded, in milliseconds.
 * @param since time of the failure. Only the time after it counts
 */
export function longestGap(spans: readonly Span[], since: number): number {
  const groups = new Set(spans.map(({ group }) => group));
  return Math.max(
    0,
    ...[...groups].map((group) =>
      longestIn(
        spans.filter((span) => span.group === group),
        since,
      ),
    ),
  );
}

function longestIn(spans: readonly Span[], since: number): number {
  const settled = spans.toSorted((one, other) => one.settled_at - other.settled_at);
  let longest = 0;
  // Walks from the last success to the first: the earliest request that is still waiting is then known.
  let waiting_since = Number.POSITIVE_INFINITY;
  for (let at = settled.length - 1; at >= 0; at -= 1) {
    const { sent_at, settled_at } = settled[at]!;
    if (settled_at < since) break;
    waiting_since = Math.min(waiting_since, sent_at);
    const previous = settled[at - 1]?.settled_at ?? Number.NEGATIVE_INFINITY;
    longest = Math.max(longest, settled_at - Math.max(previous, waiting_since, since));
  }
  return longest;
}
