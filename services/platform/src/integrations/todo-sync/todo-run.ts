/** One time-limited run of the synchronisation of a to-do list. The next run continues. */
import {
  type CalendarChanges,
  readChangesSince,
  type CalendarEntry,
  isAboutEntry,
  readEtags,
  readSyncToken,
  readEntries,
} from '../caldav/calendar.ts';
import { mergeTask, removeEntry, pathOf, type SyncRun, unassignOrRewrite, writeNew } from './todo-item-sync.ts';
import type { TodoItem } from './todo-sync.ts';
import { readTaskFields, readTasks, type TodoLine, type TodoTask } from './todo-tasks.ts';

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
const BATCH = 50;

/**
 * Returns the calendar changes since the last run, by sync token. Without a token, compares the ETags of our entries.
 */
async function readChanges(
  { calendar }: SyncRun,
  items: readonly TodoItem[],
  { sync_token, has_token }: { sync_token: string | null; has_token: boolean },
): Promise<CalendarChanges> {
  const since = sync_token ? await readChangesSince(calendar, sync_token) : undefined;
  if (since) return since;
  // Read before the ETags: a change in between is seen twice instead of being missed.
  const token = has_token ? await readSyncToken(calendar) : undefined;
  const written = items.filter(({ etag }) => etag !== null).map(({ href }) => href);
  const etags = await readEtags(calendar, written);
  // Chosen: a calendar that was emptied or recreated unassigns the user from no task. The entries are written again.
  if (written.length > 1 && written.every((href) => etags.gone.has(href))) {
    for (const item of items) item.etag = null;
  }
  return { ...etags, token };
}

/** Work items of a run. Calendar changes are first, because the sync token is stored only after them. */
interface WorkItem {
  line: TodoLine | TodoTask | undefined;
  item: TodoItem | undefined;
}

type WorkKind = 'there' | 'clear' | 'here' | 'new';

function kindOf(
  { line, item }: WorkItem,
  { changed, gone }: CalendarChanges,
  direction: SyncRun['direction'],
): WorkKind | undefined {
  if (!item) return 'new';
  if (!line) return 'clear';
  const etag = changed.get(item.href);
  if (gone.has(item.href) || item.etag === null || (etag !== undefined && etag !== item.etag)) return 'there';
  if (line.version === item.version && line.group === item.group) return undefined;
  return direction === 'in' ? undefined : 'here';
}

/** Processes one task. */
async function processTask(
  run: SyncRun,
  { item, task, entry }: { item: TodoItem | undefined; task: TodoTask; entry: CalendarEntry | null | undefined },
) {
  if (!item) {
    if (run.direction !== 'in') await writeNew(run, task, pathOf(run, task.task_id));
    else if (entry) await mergeTask(run, task, { href: pathOf(run, task.task_id), etag: null, agreed: {} }, entry);
    return;
  }
  if (entry) await mergeTask(run, task, item, entry);
  // An entry that the server neither returns nor reports as deleted is left unchanged.
  else if (entry === null) await unassignOrRewrite(run, task, item);
}

/** Reads the entries of a batch, including newly found ones. */
const entriesOf = (run: SyncRun, batch: readonly WorkItem[]): Promise<Map<string, CalendarEntry | null>> =>
  readEntries(
    run.calendar,
    batch.flatMap(({ item, line }) =>
      item ? [item.href] : run.direction === 'in' ? [pathOf(run, line!.task_id)] : [],
    ),
  );

/** Creates the limits of a run: its time, and the number of rejections by the server. */
function createLimits() {
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
async function processAll(
  run: SyncRun,
  workItems: readonly WorkItem[],
  limit: ReturnType<typeof createLimits>,
): Promise<boolean> {
  for (let from = 0; from < workItems.length; from += BATCH) {
    if (limit.isOver()) return false;
    const batch = workItems.slice(from, from + BATCH);
    const [entries, tasks] = await Promise.all([
      entriesOf(run, batch),
      readTaskFields(
        run,
        batch.map(({ line }) => line!),
      ),
    ]);
    for (const { item, line } of batch) {
      if (limit.isOver()) return false;
      const task = tasks.get(line!.task_id);
      const href = item?.href ?? pathOf(run, line!.task_id);
      if (task) await limit.attempt(() => processTask(run, { item, task, entry: entries.get(href) }));
    }
  }
  return true;
}

/** Removes the entries that no longer belong to the user. @returns true if all were removed */
async function removeEntries(
  run: SyncRun,
  workItems: readonly WorkItem[],
  limit: ReturnType<typeof createLimits>,
): Promise<boolean> {
  for (const { item } of workItems) {
    if (limit.isOver()) return false;
    await limit.attempt(() => removeEntry(run, item!));
  }
  return true;
}

/** Synchronises a user's tasks with their calendar. @throws what a server refuses, a fault of a service, ClaimLost */
export async function synchronize(
  run: SyncRun,
  items: TodoItem[],
  token: { sync_token: string | null; has_token: boolean },
): Promise<SyncProgress> {
  const limit = createLimits();
  const lines = await readTasks(run, items);
  const changes = await readChanges(run, items, token);
  const itemsByTask = new Map(items.map((item) => [item.task_id, item]));
  const ids = new Set([...itemsByTask.keys(), ...lines.keys()]);
  const workItems = [...ids].map((id): WorkItem => ({ line: lines.get(id), item: itemsByTask.get(id) }));
  const itemsByKind = Map.groupBy(workItems, (work) => kindOf(work, changes, run.direction));
  const itemsOfKind = (kind: WorkKind) => itemsByKind.get(kind) ?? [];
  const areChangesDone = await processAll(run, itemsOfKind('there'), limit);
  const finished =
    areChangesDone &&
    (await removeEntries(run, itemsOfKind('clear'), limit)) &&
    (await processAll(run, itemsOfKind('here'), limit)) &&
    (await processAll(run, itemsOfKind('new'), limit));
  const { refused } = limit;
  return { sync_token: areChangesDone ? (changes.token ?? null) : token.sync_token, finished, refused };
}
