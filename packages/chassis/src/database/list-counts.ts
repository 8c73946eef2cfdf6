/** Counts that are remembered for a moment: how many rows lists are of. Counting costs more than the page that is shown. */
import { LRUCache } from 'lru-cache';

/** How long a count is good for where another replica may have written since. */
const REMEMBERED_MS = 2_000;
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

function makeCounts(): Counts {
  const counted = new Map<string, unknown>();
  const underway = new Map<string, Promise<unknown>>();
  async function begin<T>(question: string, count: () => Promise<T>, size: (counted: T) => number): Promise<T> {
    try {
      const found = await count();
      if (size(found) >= WORTHWHILE && counted.size < QUESTIONS) counted.set(question, found);
      return found;
    } finally {
      underway.delete(question);
    }
  }
  return {
    get: <T>(question: string) => counted.get(question) as T | undefined,
    count<T>(question: string, count: () => Promise<T>, size: (counted: T) => number) {
      // A request may be given up while others wait for its count: they count for themselves then.
      const before = (underway.get(question) as Promise<T> | undefined)?.catch(() => count());
      if (before) return before;
      const begun = begin(question, count, size);
      underway.set(question, begun);
      return begun;
    },
  };
}

const known = new WeakMap<object, LRUCache<string, Counts>>();

/** The counts of a database, for which any object of its own stands, by workspace. */
function countsOf(database: object): LRUCache<string, Counts> {
  const counts = known.get(database) ?? new LRUCache({ max: WORKSPACES, ttl: REMEMBERED_MS });
  known.set(database, counts);
  return counts;
}

/** The counts that a transaction which begins now may use, and add to what it counts itself. */
export function countsFor(database: object, workspace_id: string): Counts {
  const counts = countsOf(database);
  const before = counts.get(workspace_id);
  if (before) return before;
  const begun = makeCounts();
  counts.set(workspace_id, begun);
  return begun;
}

/**
 * Forgets the counts of a workspace in which something was committed; of all, when the transaction belonged to none. Those
 * that began before it go on with counts that nobody else is given any more.
 */
export function forgetCounts(database: object, workspace_id: string | null): void {
  if (workspace_id === null) countsOf(database).clear();
  else countsOf(database).delete(workspace_id);
}
