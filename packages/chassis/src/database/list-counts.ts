/** Counts that are remembered for a moment: how many rows lists are of. Counting costs more than the page that is shown. */
import { LRUCache } from 'lru-cache';

/** How long a count is good for where another replica may have written since. */
const REMEMBERED_MS = 2_000;
/** From then on the first one who asks counts anew. Others need not wait for him: counting a million rows takes a while. */
const RENEWED_AFTER_MS = 1_500;
const WORKSPACES = 1_000;
const QUESTIONS = 200;
/** Fewer rows are counted faster than they are worth remembering. */
const WORTHWHILE = 1_000;

/** The counts of one workspace, by question. */
export interface Counts {
  get<T>(question: string): T | undefined;
  /**
   * Counts, unless somebody is at it: many who ask at the same moment have it counted once.
   * @param size how many rows were counted
   */
  count<T>(question: string, count: () => Promise<T>, size: (counted: T) => number): Promise<T>;
}

/** A count, and the moment at which the transaction that made it had begun. */
interface Remembered {
  found: unknown;
  since: number;
}

/** The counts of one workspace, as a transaction uses them that began at a moment: it may take what was good then. */
type Shared = (since: number) => Counts;

function makeCounts(): Shared {
  const counted = new Map<string, Remembered>();
  const underway = new Map<string, Promise<unknown>>();
  function remember(question: string, count: Remembered): void {
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
      // A request may be given up while others wait for its count: they count for themselves then.
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

const known = new WeakMap<object, LRUCache<string, Shared>>();

/** The counts of a database, for which any object of its own stands, by workspace. */
function countsOf(database: object): LRUCache<string, Shared> {
  const counts = known.get(database) ?? new LRUCache({ max: WORKSPACES });
  known.set(database, counts);
  return counts;
}

/** The counts that a transaction which begins now may use, and add to what it counts itself. */
export function countsFor(database: object, workspace_id: string): Counts {
  const counts = countsOf(database);
  const shared = counts.get(workspace_id) ?? makeCounts();
  counts.set(workspace_id, shared);
  return shared(performance.now());
}

/**
 * Forgets the counts of a workspace in which something was committed; of all, when the transaction belonged to none. Those
 * that began before it go on with counts that nobody else is given any more.
 */
export function forgetCounts(database: object, workspace_id: string | null): void {
  if (workspace_id === null) countsOf(database).clear();
  else countsOf(database).delete(workspace_id);
}
