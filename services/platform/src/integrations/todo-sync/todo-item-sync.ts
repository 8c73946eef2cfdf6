/** Synchronises a task with its calendar entry. */
import { sanitizeText } from '../../connections/integrations/sanitize-text.ts';
import type { CallFailure } from '../../connections/integrations/integration.ts';
import type { Db } from '../../operations.ts';
import { type Calendar, deleteEntry, type CalendarEntry, readEntries, writeEntry } from '../caldav/calendar.ts';
import {
  plainFields,
  readTodo,
  TODO_FIELDS,
  type TodoEntry,
  type TodoFields,
  writeTodo,
} from '../caldav/todo-entry.ts';
import {
  type SyncClaim,
  ClaimLost,
  deleteItem,
  storeItem,
  queueLateRemoval,
  readSharedItems,
  type TodoItem,
} from './todo-sync.ts';
import { type TaskClients, ChangeRejection, changeTask, type TodoTask } from './todo-tasks.ts';

/** Run of the synchronisation of one to-do list. */
export interface SyncRun extends TaskClients, SyncClaim {
  calendar: Calendar;
  direction: 'both' | 'out' | 'in';
  timezone: string;
  /** Rejected changes, with messages for the user. */
  rejections: CallFailure[];
  /** Runs a function in a transaction of the workspace. */
  write: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
}

/** Returns the path of the entry for a new task. */
export const pathOf = ({ calendar }: SyncRun, task_id: string): string =>
  `${new URL(calendar.url).pathname}${task_id}.ics`;

const fieldsOf = ({ title, description, due_date, priority, group }: TodoTask): TodoFields => ({
  title,
  description,
  due_date,
  priority,
  group,
});

/** Returns the names of the fields that differ. */
function differingFields(fields: TodoFields, others: Partial<TodoFields>): (keyof TodoFields)[] {
  const plain = plainFields(others);
  return TODO_FIELDS.filter((name) => fields[name] !== plain[name]);
}

const pickFields = (fields: Partial<TodoFields>, names: readonly (keyof TodoFields)[]): Partial<TodoFields> =>
  Object.fromEntries(names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]));

const TITLE_MAX = 60;

/** Records a change that is rejected here and reverted in the calendar. */
function recordRejection({ rejections }: SyncRun, { title }: TodoTask, { reason }: ChangeRejection): void {
  const name = title.length > TITLE_MAX ? `${sanitizeText(title, TITLE_MAX - 1)}…` : title;
  rejections.push({ code: 'change_refused', message: `A change to “${name}” was not accepted. ${reason}` });
}

/**
 * Applies the user's changes in the calendar. The stage is changed separately from the other fields, because it may be
 * rejected.
 * @returns the resulting task, in which rejected fields stay unchanged
 */
async function applyCalendarChanges(
  run: SyncRun,
  task: TodoTask,
  { remote, etag, agreed }: { remote: TodoEntry; etag: string; agreed: Partial<TodoFields> },
): Promise<TodoTask> {
  const isNew = Object.keys(agreed).length === 0;
  const changed = differingFields(remote.fields, isNew ? task : agreed);
  const before = isNew ? {} : normalizeGroup(agreed);
  let current = task;
  for (const names of [changed.filter((name) => name !== 'group'), changed.filter((name) => name === 'group')]) {
    if (names.length === 0) continue;
    const { changed_at } = remote;
    const change = { etag, after: pickFields(remote.fields, names), before: pickFields(before, names), changed_at };
    const result = await changeTask(run, run.id, { task_id: task.task_id, ...change });
    if (result instanceof ChangeRejection) recordRejection(run, task, result);
    else if (result) current = result;
  }
  return current;
}

const normalizeGroup = ({ group, ...rest }: Partial<TodoFields>): Partial<TodoFields> => ({
  ...rest,
  ...(group !== undefined && { group: group === 'backlog' ? 'unstarted' : group }),
});

/**
 * Records a written entry. If the to-do list was disconnected in the meantime, queues the entry for removal instead.
 */
async function recordWritten(run: SyncRun, item: TodoItem): Promise<void> {
  try {
    await run.write((db) => storeItem(db, run, item));
  } catch (error) {
    if (error instanceof ClaimLost) await run.write((db) => queueLateRemoval(db, run, item.href));
    throw error;
  }
}

const itemOf = ({ task_id, source, version, group }: TodoTask, href: string) => ({
  task_id,
  source,
  version,
  group,
  href,
});

/** Merges a task and its entry. @param item the last known entry. Without fields for a newly found one */
export async function mergeTask(
  run: SyncRun,
  task: TodoTask,
  item: Pick<TodoItem, 'href' | 'etag' | 'agreed'>,
  entry: CalendarEntry,
): Promise<void> {
  const { href, agreed } = item;
  const read = await readTodo(entry.text, run.timezone);
  const remote = read?.uid === task.task_id ? read : undefined;
  const isChanged = remote && entry.etag !== item.etag;
  const isApplied = isChanged && task.source === 'projects' && run.direction !== 'out';
  const current = isApplied ? await applyCalendarChanges(run, task, { remote, etag: entry.etag, agreed }) : task;
  const fields = fieldsOf(current);
  const isSame = remote !== undefined && differingFields(remote.fields, fields).length === 0;
  if (isSame || run.direction === 'in') {
    const agreedFields = run.direction === 'in' && remote ? remote.fields : fields;
    await run.write((db) => storeItem(db, run, { ...itemOf(current, href), etag: entry.etag, agreed: agreedFields }));
    return;
  }
  const before = remote && entry.text;
  const text = await writeTodo(task.task_id, fields, {
    before,
    updated_at: current.updated_at,
    timezone: run.timezone,
  });
  const etag = await writeEntry(run.calendar, href, { text, etag: entry.etag });
  // The entry has changed in the meantime: the next run reads it.
  if (etag === undefined) return;
  await recordWritten(run, { ...itemOf(current, href), etag, agreed: fields });
}

/** Writes a task for the first time, or again. An entry that already exists is merged with the task. */
export async function writeNew(run: SyncRun, task: TodoTask, href: string): Promise<void> {
  const fields = fieldsOf(task);
  const { updated_at } = task;
  const text = await writeTodo(task.task_id, fields, { updated_at, timezone: run.timezone });
  const etag = await writeEntry(run.calendar, href, { text, etag: undefined });
  if (etag !== undefined) return await recordWritten(run, { ...itemOf(task, href), etag, agreed: fields });
  const entry = (await readEntries(run.calendar, [href])).get(href);
  if (entry) await mergeTask(run, task, { href, etag: null, agreed: {} }, entry);
}

/** Unassigns the user from a task whose entry they have deleted. If that is rejected, writes the entry again. */
export async function unassignOrRewrite(run: SyncRun, task: TodoTask, item: TodoItem): Promise<void> {
  const { task_id, href, etag } = item;
  if (task.source === 'projects' && run.direction !== 'out' && etag !== null) {
    const result = await changeTask(run, run.id, { task_id, etag, unassign: true });
    if (!(result instanceof ChangeRejection)) return await run.write((db) => deleteItem(db, run, task_id));
    recordRejection(run, task, result);
  }
  if (run.direction === 'in') await run.write((db) => deleteItem(db, run, task_id));
  else await writeNew(run, task, href);
}

/**
 * Deletes the entry of a task that no longer belongs to the user, unless a colleague shares the calendar and the task.
 */
export async function removeEntry(run: SyncRun, { task_id, href }: TodoItem): Promise<void> {
  const isUnshared = () =>
    run.write(async (db) => (await readSharedItems(db, run, run.calendar.url, [task_id])).length === 0);
  if (run.direction !== 'in' && (await isUnshared())) await deleteEntry(run.calendar, href);
  await run.write((db) => deleteItem(db, run, task_id));
}
