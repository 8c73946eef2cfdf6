/** Synchronises a task with its calendar entry. */
import { foreignText } from '../../connections/integrations/foreign-text.ts';
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
import { type SyncClaim, ClaimLost, dropItem, keepItem, removeLate, sharedItems, type TodoItem } from './todo-sync.ts';
import { type TaskClients, ChangeRefused, changeTask, type TodoTask } from './todo-tasks.ts';

/** Run of the synchronisation of one to-do list. */
export interface Run extends TaskClients, SyncClaim {
  calendar: Calendar;
  direction: 'both' | 'out' | 'in';
  timezone: string;
  /** Rejected changes, with messages for the user. */
  refusals: CallFailure[];
  /** Runs a function in a transaction of the workspace. */
  write: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
}

/** Returns the path of the entry for a new task. */
export const pathOf = ({ calendar }: Run, task_id: string): string => `${new URL(calendar.url).pathname}${task_id}.ics`;

const fieldsOf = ({ title, description, due_date, priority, group }: TodoTask): TodoFields => ({
  title,
  description,
  due_date,
  priority,
  group,
});

/** Returns the names of the fields that differ. */
function differing(fields: TodoFields, others: Partial<TodoFields>): (keyof TodoFields)[] {
  const plain = plainFields(others);
  return TODO_FIELDS.filter((name) => fields[name] !== plain[name]);
}

const only = (fields: Partial<TodoFields>, names: readonly (keyof TodoFields)[]): Partial<TodoFields> =>
  Object.fromEntries(names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]));

const TITLE = 60;

/** Records a change that is rejected here and reverted in the calendar. */
function noteRefusal({ refusals }: Run, { title }: TodoTask, { reason }: ChangeRefused): void {
  const name = title.length > TITLE ? `${foreignText(title, TITLE - 1)}…` : title;
  refusals.push({ code: 'change_refused', message: `A change of “${name}” was not accepted. ${reason}` });
}

/**
 * Applies the user's changes in the calendar. The stage is changed separately from the other fields, because it may be
 * rejected.
 * @returns the resulting task, in which rejected fields stay unchanged
 */
async function takeChanges(
  run: Run,
  task: TodoTask,
  { there, etag, agreed }: { there: TodoEntry; etag: string; agreed: Partial<TodoFields> },
): Promise<TodoTask> {
  const isNew = Object.keys(agreed).length === 0;
  const changed = differing(there.fields, isNew ? task : agreed);
  const before = isNew ? {} : plainGroup(agreed);
  let now = task;
  for (const names of [changed.filter((name) => name !== 'group'), changed.filter((name) => name === 'group')]) {
    if (names.length === 0) continue;
    const { changed_at } = there;
    const change = { etag, after: only(there.fields, names), before: only(before, names), changed_at };
    const answer = await changeTask(run, run.id, { task_id: task.task_id, ...change });
    if (answer instanceof ChangeRefused) noteRefusal(run, task, answer);
    else if (answer) now = answer;
  }
  return now;
}

const plainGroup = ({ group, ...rest }: Partial<TodoFields>): Partial<TodoFields> => ({
  ...rest,
  ...(group !== undefined && { group: group === 'backlog' ? 'unstarted' : group }),
});

/**
 * Records a written entry. If the to-do list was disconnected in the meantime, queues the entry for removal instead.
 */
async function keepWritten(run: Run, item: TodoItem): Promise<void> {
  try {
    await run.write((db) => keepItem(db, run, item));
  } catch (error) {
    if (error instanceof ClaimLost) await run.write((db) => removeLate(db, run, item.href));
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

/** Merges a task and its entry. @param item the last known entry; without fields for a newly found one */
export async function bringTogether(
  run: Run,
  task: TodoTask,
  item: Pick<TodoItem, 'href' | 'etag' | 'agreed'>,
  entry: CalendarEntry,
): Promise<void> {
  const { href, agreed } = item;
  const read = await readTodo(entry.text, run.timezone);
  const there = read?.uid === task.task_id ? read : undefined;
  const isChanged = there && entry.etag !== item.etag;
  const takes = isChanged && task.source === 'projects' && run.direction !== 'out';
  const now = takes ? await takeChanges(run, task, { there, etag: entry.etag, agreed }) : task;
  const fields = fieldsOf(now);
  const isSame = there !== undefined && differing(there.fields, fields).length === 0;
  if (isSame || run.direction === 'in') {
    const kept = run.direction === 'in' && there ? there.fields : fields;
    await run.write((db) => keepItem(db, run, { ...itemOf(now, href), etag: entry.etag, agreed: kept }));
    return;
  }
  const before = there && entry.text;
  const text = await writeTodo(task.task_id, fields, { before, updated_at: now.updated_at, timezone: run.timezone });
  const etag = await writeEntry(run.calendar, href, { text, etag: entry.etag });
  // The entry has changed in the meantime: the next run reads it.
  if (etag === undefined) return;
  await keepWritten(run, { ...itemOf(now, href), etag, agreed: fields });
}

/** Writes a task for the first time, or again. An entry that already exists is merged with the task. */
export async function writeNew(run: Run, task: TodoTask, href: string): Promise<void> {
  const fields = fieldsOf(task);
  const { updated_at } = task;
  const text = await writeTodo(task.task_id, fields, { updated_at, timezone: run.timezone });
  const etag = await writeEntry(run.calendar, href, { text, etag: undefined });
  if (etag !== undefined) return await keepWritten(run, { ...itemOf(task, href), etag, agreed: fields });
  const entry = (await readEntries(run.calendar, [href])).get(href);
  if (entry) await bringTogether(run, task, { href, etag: null, agreed: {} }, entry);
}

/** Unassigns the user from a task whose entry they have deleted. If that is rejected, writes the entry again. */
export async function unassignOrRewrite(run: Run, task: TodoTask, item: TodoItem): Promise<void> {
  const { task_id, href, etag } = item;
  if (task.source === 'projects' && run.direction !== 'out' && etag !== null) {
    const answer = await changeTask(run, run.id, { task_id, etag, unassign: true });
    if (!(answer instanceof ChangeRefused)) return await run.write((db) => dropItem(db, run, task_id));
    noteRefusal(run, task, answer);
  }
  if (run.direction === 'in') await run.write((db) => dropItem(db, run, task_id));
  else await writeNew(run, task, href);
}

/**
 * Deletes the entry of a task that no longer belongs to the user, unless a colleague shares the calendar and the task.
 */
export async function removeEntry(run: Run, { task_id, href }: TodoItem): Promise<void> {
  const isOurs = () => run.write(async (db) => (await sharedItems(db, run, run.calendar.url, [task_id])).length === 0);
  if (run.direction !== 'in' && (await isOurs())) await deleteEntry(run.calendar, href);
  await run.write((db) => dropItem(db, run, task_id));
}
