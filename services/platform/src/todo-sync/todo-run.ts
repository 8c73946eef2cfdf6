/** One run of the synchronization of a to-do list: as far as it comes in its time. The next one goes on. */
import {
  type CalendarChanges,
  changesSince,
  type Entry,
  isAboutEntry,
  presentMarks,
  presentToken,
  readEntries,
} from '../caldav/calendar.ts';
import { bringTogether, clearAway, pathOf, type Run, takeOff, writeNew } from './todo-item-sync.ts';
import type { TodoItem } from './todo-sync.ts';
import { shownOf, tasksOf, type TodoLine, type TodoTask } from './todo-tasks.ts';

/** How far a run has come. */
export interface Progress {
  sync_token: string | null;
  /** Whether there was nothing left to do. */
  finished: boolean;
  /** The tasks that the server would not take. */
  refused: number;
}

// Chosen: a run gives way after this time, so that a slow server keeps nobody else's tasks from being synchronized in time.
const BUDGET_MS = 5_000;
const AT_ONCE = 50;

/** The changes in the calendar since the last run: by its token, or by the marks of our own entries where there is none. */
async function changesIn(
  { calendar }: Run,
  items: readonly TodoItem[],
  { sync_token, has_token }: { sync_token: string | null; has_token: boolean },
): Promise<CalendarChanges> {
  const since = sync_token ? await changesSince(calendar, sync_token) : undefined;
  if (since) return since;
  // Asked before the marks: a change in between is seen twice, and not missed.
  const token = has_token ? await presentToken(calendar) : undefined;
  const written = items.filter(({ etag }) => etag !== null).map(({ href }) => href);
  const found = await presentMarks(calendar, written);
  // Chosen: a calendar that was emptied, or made anew, all at once takes nobody off all of his tasks. They are written anew.
  if (written.length > 1 && written.every((href) => found.gone.has(href))) {
    for (const item of items) item.etag = null;
  }
  return { ...found, token };
}

/** The work of a run: what has changed there first, since its token is kept only when all of that is done. */
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

/** Does the work on one task. */
async function workOn(
  run: Run,
  { item, task, entry }: { item: TodoItem | undefined; task: TodoTask; entry: Entry | null | undefined },
) {
  if (!item) {
    if (run.direction !== 'in') await writeNew(run, task, pathOf(run, task.task_id));
    else if (entry) await bringTogether(run, task, { href: pathOf(run, task.task_id), etag: null, agreed: {} }, entry);
    return;
  }
  if (entry) await bringTogether(run, task, item, entry);
  // The server says nothing of an entry that it has not named as gone: nothing is done about it.
  else if (entry === null) await takeOff(run, task, item);
}

/** Reads the entries of some work, those that are found anew there included. */
const entriesOf = (run: Run, batch: readonly Work[]): Promise<Map<string, Entry | null>> =>
  readEntries(
    run.calendar,
    batch.flatMap(({ item, line }) =>
      item ? [item.href] : run.direction === 'in' ? [pathOf(run, line!.task_id)] : [],
    ),
  );

/** Runs out of time, or counts what the server would not take. */
function limits() {
  const began = performance.now();
  return {
    refused: 0,
    isOver: () => performance.now() - began > BUDGET_MS,
    /** Does a piece of work. An entry that the server would not take keeps no other one from being written. */
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

/** Does pieces of work, as many as there is time for. @returns whether that were all */
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

/** Removes what is not the user's any more. @returns whether that were all */
async function clear(run: Run, works: readonly Work[], limit: ReturnType<typeof limits>): Promise<boolean> {
  for (const { item } of works) {
    if (limit.isOver()) return false;
    await limit.attempt(() => clearAway(run, item!));
  }
  return true;
}

/** Brings the tasks of a user and his calendar together. @throws what a server refuses, a fault of a service, ClaimLost */
export async function synchronize(
  run: Run,
  items: TodoItem[],
  token: { sync_token: string | null; has_token: boolean },
): Promise<Progress> {
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
