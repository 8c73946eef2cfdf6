/** One time-limited run of the synchronisation of a to-do list. The next run continues. */
import {
  type CalendarChanges,
  changesSince,
  type CalendarEntry,
  isAboutEntry,
  presentMarks,
  presentToken,
  readEntries,
} from '../caldav/calendar.ts';
import { bringTogether, removeEntry, pathOf, type Run, unassignOrRewrite, writeNew } from './todo-item-sync.ts';
import type { TodoItem } from './todo-sync.ts';
import { shownOf, tasksOf, type TodoLine, type TodoTask } from './todo-tasks.ts';

/** Progress of a run. */
export interface SyncProgress {
  sync_token: string | null;
  /** True if all work is done. */
  finished: boolean;
  /** Number of tasks that the server rejected. */
  refused: number;
}

// Chosen: a run yields after this time, so that a slow server does not delay the synchronisation of other users.
const BUDGET_MS = 5_000;
const AT_ONCE = 50;

/**
 * Returns the calendar changes since the last run, by sync token. Without a token, compares the ETags of our entries.
 */
async function changesIn(
  { calendar }: Run,
  items: readonly TodoItem[],
  { sync_token, has_token }: { sync_token: string | null; has_token: boolean },
): Promise<CalendarChanges> {
  const since = sync_token ? await changesSince(calendar, sync_token) : undefined;
  if (since) return since;
  // Read before the ETags: a change in between is seen twice instead of being missed.
  const token = has_token ? await presentToken(calendar) : undefined;
  const written = items.filter(({ etag }) => etag !== null).map(({ href }) => href);
  const found = await presentMarks(calendar, written);
  // Chosen: a calendar that was emptied or recreated unassigns the user from no task. The entries are written again.
  if (written.length > 1 && written.every((href) => found.gone.has(href))) {
    for (const item of items) item.etag = null;
  }
  return { ...found, token };
}

/** Work items of a run. Calendar changes are first, because the sync token is stored only after them. */
interface Work {
  line: TodoLine | TodoTask | undefined;
  item: TodoItem | undefined;
}

type Kind = 'there' | 'clear' | 'here' | 'new';

function kindOf(
  { line, item }: Work,
  { changed, gone }: CalendarChanges,
  direction: Run['direction'],
): Kind | undefined {
  if (!item) return 'new';
  if (!line) return 'clear';
  const etag = changed.get(item.href);
  if (gone.has(item.href) || item.etag === null || (etag !== undefined && etag !== item.etag)) return 'there';
  if (line.version === item.version && line.group === item.group) return undefined;
  return direction === 'in' ? undefined : 'here';
}

/** Processes one task. */
async function workOn(
  run: Run,
  { item, task, entry }: { item: TodoItem | undefined; task: TodoTask; entry: CalendarEntry | null | undefined },
) {
  if (!item) {
    if (run.direction !== 'in') await writeNew(run, task, pathOf(run, task.task_id));
    else if (entry) await bringTogether(run, task, { href: pathOf(run, task.task_id), etag: null, agreed: {} }, entry);
    return;
  }
  if (entry) await bringTogether(run, task, item, entry);
  // An entry that the server neither returns nor reports as deleted is left unchanged.
  else if (entry === null) await unassignOrRewrite(run, task, item);
}

/** Reads the entries of a batch, including newly found ones. */
const entriesOf = (run: Run, batch: readonly Work[]): Promise<Map<string, CalendarEntry | null>> =>
  readEntries(
    run.calendar,
    batch.flatMap(({ item, line }) =>
      item ? [item.href] : run.direction === 'in' ? [pathOf(run, line!.task_id)] : [],
    ),
  );

/** Creates the limits of a run: its time, and the number of rejections by the server. */
function limits() {
  const began = performance.now();
  return {
    refused: 0,
    isOver: () => performance.now() - began > BUDGET_MS,
    /** Processes a work item. A rejected entry does not prevent others from being written. */
    async attempt(work: () => Promise<void>): Promise<void> {
      try {
        await work();
      } catch (error) {
        if (!isAboutEntry(error)) throw error;
        this.refused += 1;
      }
    },
  };
}

/** Processes work items until the time is up. @returns true if all are done */
async function workThrough(run: Run, works: readonly Work[], limit: ReturnType<typeof limits>): Promise<boolean> {
  for (let from = 0; from < works.length; from += AT_ONCE) {
    if (limit.isOver()) return false;
    const batch = works.slice(from, from + AT_ONCE);
    const [entries, tasks] = await Promise.all([
      entriesOf(run, batch),
      shownOf(
        run,
        batch.map(({ line }) => line!),
      ),
    ]);
    for (const { item, line } of batch) {
      if (limit.isOver()) return false;
      const task = tasks.get(line!.task_id);
      const href = item?.href ?? pathOf(run, line!.task_id);
      if (task) await limit.attempt(() => workOn(run, { item, task, entry: entries.get(href) }));
    }
  }
  return true;
}

/** Removes the entries that no longer belong to the user. @returns true if all were removed */
async function clear(run: Run, works: readonly Work[], limit: ReturnType<typeof limits>): Promise<boolean> {
  for (const { item } of works) {
    if (limit.isOver()) return false;
    await limit.attempt(() => removeEntry(run, item!));
  }
  return true;
}

/** Synchronises a user's tasks with their calendar. @throws what a server refuses, a fault of a service, ClaimLost */
export async function synchronize(
  run: Run,
  items: TodoItem[],
  token: { sync_token: string | null; has_token: boolean },
): Promise<SyncProgress> {
  const limit = limits();
  const lines = await tasksOf(run, items);
  const changes = await changesIn(run, items, token);
  const known = new Map(items.map((item) => [item.task_id, item]));
  const ids = new Set([...known.keys(), ...lines.keys()]);
  const works = [...ids].map((id): Work => ({ line: lines.get(id), item: known.get(id) }));
  const sorted = Map.groupBy(works, (work) => kindOf(work, changes, run.direction));
  const of = (kind: Kind) => sorted.get(kind) ?? [];
  const isSeen = await workThrough(run, of('there'), limit);
  const finished =
    isSeen &&
    (await clear(run, of('clear'), limit)) &&
    (await workThrough(run, of('here'), limit)) &&
    (await workThrough(run, of('new'), limit));
  const { refused } = limit;
  return { sync_token: isSeen ? (changes.token ?? null) : token.sync_token, finished, refused };
}
