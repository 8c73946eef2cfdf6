/** Short-lived cache of the row counts of lists. Counting costs more than reading the page. */
import { LRUCache } from 'lru-cache';

/** Lifetime of a count when another replica may have written since. */
const REMEMBERED_MS = 2_000;
/** Age after which the first caller counts again. Others do not wait: counting a million rows takes a while. */
const RENEWED_AFTER_MS = 1_500;
const WORKSPACES = 1_000;
const QUESTIONS = 200;
/** The lowest count to cache. Fewer rows are counted faster than cached. */
const WORTHWHILE = 1_000;

/** The counts of one workspace, by query. */
export interface Counts {
  get<T>(question: string): T | undefined;
  /**
   * Counts, unless the same count is already running: concurrent callers share one count.
   * @param size returns the number of counted rows
   */
  count<T>(question: string, count: () => Promise<T>, size: (counted: T) => number): Promise<T>;
}

/** A count, and the start time of the transaction that made it. */
interface CachedCount {
  found: unknown;
  since: number;
}

/** Returns the counts of one workspace that are valid for a transaction with this start time. */
type CountsAt = (since: number) => Counts;

function makeCounts(): CountsAt {
  const counted = new Map<string, CachedCount>();
  const underway = new Map<string, Promise<unknown>>();
  function remember(question: string, count: CachedCount): void {
    if (counted.size >= QUESTIONS)
      for (const [other, { since }] of counted) if (count.since - since > REMEMBERED_MS) counted.delete(other);
    const isLatest = (counted.get(question)?.since ?? 0) <= count.since;
    if (isLatest && (counted.size < QUESTIONS || counted.has(question))) counted.set(question, count);
  }
  return (since) => ({
    get<T>(question: string) {
      const known = counted.get(question);
      const good_ms = underway.has(question) ? REMEMBERED_MS : RENEWED_AFTER_MS;
      return known && since - known.since < good_ms ? (known.found as T) : undefined;
    },
    count<T>(question: string, count: () => Promise<T>, size: (counted: T) => number) {
      // A request can be cancelled while others wait for its count. They then count themselves.
      const before = (underway.get(question) as Promise<T> | undefined)?.catch(() => count());
      if (before) return before;
      const begun = count()
        .then((found) => {
          if (size(found) >= WORTHWHILE) remember(question, { found, since });
          return found;
        })
        .finally(() => underway.delete(question));
      underway.set(question, begun);
      return begun;
    },
  });
}

const cachedCounts = new WeakMap<object, LRUCache<string, CountsAt>>();

/** Returns the counts of a database by workspace. Any object that is unique to the database identifies it. */
function countsOf(database: object): LRUCache<string, CountsAt> {
  const counts = cachedCounts.get(database) ?? new LRUCache({ max: WORKSPACES });
  cachedCounts.set(database, counts);
  return counts;
}

/** Returns the counts that a transaction starting now can use and add to. */
export function countsFor(database: object, workspace_id: string): Counts {
  const counts = countsOf(database);
  const shared = counts.get(workspace_id) ?? makeCounts();
  counts.set(workspace_id, shared);
  return shared(performance.now());
}

/**
 * Forgets the counts of a workspace after a commit, or all counts if the transaction had no workspace. Running
 * transactions continue with their own counts, which no later transaction gets.
 */
export function forgetCounts(database: object, workspace_id: string | null): void {
  if (workspace_id === null) countsOf(database).clear();
  else countsOf(database).delete(workspace_id);
}
