/** How many rows lists are of, remembered for a moment: counting costs more than the page that is shown. */
import { LRUCache } from 'lru-cache';

/** How long a count is good for where another replica may have written since. */
const REMEMBERED_MS = 2_000;
const WORKSPACES = 1_000;
const QUESTIONS = 200;
/** Fewer rows are counted faster than they are worth remembering. */
const WORTHWHILE = 1_000;

/** The counts of one workspace, by question. */
export interface Counts {
  get(question: string): number | undefined;
  /** Counts, unless somebody is at it: many who ask at the same moment have it counted once. */
  count(question: string, count: () => Promise<number>): Promise<number>;
}

function makeCounts(): Counts {
  const counted = new Map<string, number>();
  const underway = new Map<string, Promise<number>>();
  async function begin(question: string, count: () => Promise<number>): Promise<number> {
    try {
      const found = await count();
      if (found >= WORTHWHILE && counted.size < QUESTIONS) counted.set(question, found);
      return found;
    } finally {
      underway.delete(question);
    }
  }
  return {
    get: (question) => counted.get(question),
    count(question, count) {
      // A request may be given up while others wait for its count: they count for themselves then.
      const before = underway.get(question)?.catch(() => count());
      if (before) return before;
      const begun = begin(question, count);
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
