/** iCalendar tasks (RFC 5545): read and changed without losing data of other programs. */
import type ICAL from 'ical.js';
import { clock } from '@suite/chassis/runtime';

/** Task fields that both sides have. */
export interface TodoFields {
  title: string;
  /** Description. Empty for none. */
  description: string;
  /** Due date as YYYY-MM-DD. Empty for none. */
  due_date: string;
  priority: string;
  /** unstarted | started | completed | cancelled */
  group: string;
}

/** Names of the synchronised fields. */
export const TODO_FIELDS = ['title', 'description', 'due_date', 'priority', 'group'] as const;

/** Task as stored in a calendar. */
export interface TodoEntry {
  uid: string;
  fields: TodoFields;
  /** Time of the last change in the calendar, RFC 3339. Empty if unknown. */
  changed_at: string;
}

// Loaded with the first calendar, because most workspaces have none.
const loadLibrary = async () => (await import('ical.js')).default;

const DAY_MS = 86_400_000;
const STATUSES: Readonly<Record<string, string>> = {
  'NEEDS-ACTION': 'unstarted',
  'IN-PROCESS': 'started',
  COMPLETED: 'completed',
  CANCELLED: 'cancelled',
};
const PRIORITIES: Readonly<Record<string, number>> = { urgent: 1, high: 3, medium: 5, low: 7 };

/** Returns the priority: 1 and 2 are urgent, 3 and 4 high, 7 and more low. All others are medium. */
const priorityOf = (value: number): string =>
  value >= 1 && value <= 2 ? 'urgent' : value >= 3 && value <= 4 ? 'high' : value >= 7 ? 'low' : 'medium';

/** Returns a text as a calendar returns it: with line feeds, and without other control characters. */
export const plainText = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\p{Cc}--[\n\t]]/gv, '')
    .trim();

/** Returns fields as a calendar returns them. */
export const plainFields = <T extends Partial<TodoFields>>({ title, description, group, ...rest }: T): T =>
  ({
    ...rest,
    ...(title !== undefined && { title: plainText(title) }),
    ...(description !== undefined && { description: plainText(description) }),
    ...(group !== undefined && { group: group === 'backlog' ? 'unstarted' : group }),
  }) as T;

/** Returns the task of a calendar file. For a series, returns the first task. */
const taskIn = (calendar: ICAL.Component): ICAL.Component | undefined => {
  const tasks = calendar.getAllSubcomponents('vtodo');
  return tasks.find((task) => !task.hasProperty('recurrence-id')) ?? tasks[0];
};

const textOf = (task: ICAL.Component, name: string): string => {
  const value = task.getFirstPropertyValue(name);
  return value === null || value === undefined ? '' : String(value);
};

function groupOf(task: ICAL.Component): string {
  const status = STATUSES[textOf(task, 'status').trim().toUpperCase()];
  if (status) return status;
  return task.hasProperty('completed') || textOf(task, 'percent-complete') === '100' ? 'completed' : 'unstarted';
}

/** Returns the day of a time as written in the calendar. A time in UTC is converted to the user's zone. */
function dayOf(task: ICAL.Component, timezone: string): string {
  const value = task.getFirstPropertyValue('due') as ICAL.Time | null;
  if (!value || typeof value !== 'object' || !('isDate' in value)) return '';
  if (value.isDate || value.zone?.tzid !== 'UTC') return value.toString().slice(0, 10);
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return parts.format(value.toJSDate());
}

function timestampOf(task: ICAL.Component, name: string): string {
  const value = task.getFirstPropertyValue(name) as ICAL.Time | null;
  const at = value && typeof value === 'object' && 'toJSDate' in value ? value.toJSDate() : undefined;
  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : '';
}

const PARAMETERS_MAX = 100;
/** Matches a line up to its value: a name with parameters. */
const HEAD = /^(?:[^":\r\n]|"[^"\r\n]*")*/gm;

/**
 * Returns true if a line has more parameters than any real client writes. Parsing them would block other requests for a
 * long time.
 */
const hasTooManyParameters = (text: string): boolean =>
  [...text.replaceAll(/\r?\n[ \t]/g, '').matchAll(HEAD)].some(([head]) => head.split(';').length > PARAMETERS_MAX);

async function parseCalendar(text: string): Promise<ICAL.Component | undefined> {
  const { Component } = await loadLibrary();
  if (hasTooManyParameters(text)) return undefined;
  try {
    const calendar = Component.fromString(text);
    return calendar.name === 'vcalendar' && taskIn(calendar) ? calendar : undefined;
  } catch {
    return undefined;
  }
}

const entryOf = (task: ICAL.Component, timezone: string): TodoEntry => ({
  uid: textOf(task, 'uid'),
  fields: {
    title: plainText(textOf(task, 'summary')),
    description: plainText(textOf(task, 'description')),
    due_date: dayOf(task, timezone),
    priority: priorityOf(Number(textOf(task, 'priority')) || 0),
    group: groupOf(task),
  },
  changed_at: timestampOf(task, 'last-modified'),
});

/** Reads a task. @returns undefined if the text contains no task */
export async function readTodo(text: string, timezone: string): Promise<TodoEntry | undefined> {
  try {
    const calendar = await parseCalendar(text);
    return calendar && entryOf(taskIn(calendar)!, timezone);
  } catch {
    // The library parses values on access.
    return undefined;
  }
}

function setGroup(task: ICAL.Component, group: string, now: ICAL.Time): void {
  const status = Object.keys(STATUSES).find((name) => STATUSES[name] === group) ?? 'NEEDS-ACTION';
  task.updatePropertyWithValue('status', status);
  if (group === 'completed') {
    task.updatePropertyWithValue('completed', now);
    task.updatePropertyWithValue('percent-complete', 100);
    return;
  }
  task.removeAllProperties('completed');
  if (textOf(task, 'percent-complete') === '100') task.removeAllProperties('percent-complete');
}

/** Sets the day. A chosen time of day stays, unless it would fall on another day in the user's zone. */
function setDay(time: typeof ICAL.Time, task: ICAL.Component, day: string, timezone: string): void {
  const existing = task.getFirstProperty('due');
  const before = existing?.getFirstValue() as ICAL.Time | undefined;
  if (!day) {
    task.removeAllProperties('due');
    return;
  }
  task.removeAllProperties('duration');
  if (existing && before && !before.isDate) {
    const days = (Date.parse(day) - Date.parse(dayOf(task, timezone))) / DAY_MS;
    const moved = before.clone();
    moved.adjust(days, 0, 0, 0);
    existing.setValue(moved);
    if (dayOf(task, timezone) === day) return;
  }
  task.removeAllProperties('due');
  task.updatePropertyWithValue('due', time.fromDateString(day));
}

function setText(task: ICAL.Component, name: string, text: string): void {
  if (text) task.updatePropertyWithValue(name, text);
  else task.removeAllProperties(name);
}

/**
 * Writes a task into the existing file. Changes only the fields that differ and leaves the rest unchanged.
 * @param given.before the current file, if there is one that can be read
 * @param given.updated_at when the task was changed, RFC 3339
 */
export async function writeTodo(
  uid: string,
  fields: TodoFields,
  { before, updated_at, timezone }: { before?: string | undefined; updated_at: string; timezone: string },
): Promise<string> {
  const { Component, Time } = await loadLibrary();
  const existing = before === undefined ? undefined : await parseCalendar(before);
  const calendar = existing ?? new Component('vcalendar');
  if (!existing) {
    calendar.updatePropertyWithValue('version', '2.0');
    calendar.updatePropertyWithValue('prodid', '-//Suite//Tasks//EN');
    calendar.addSubcomponent(new Component('vtodo'));
  }
  const task = taskIn(calendar)!;
  task.updatePropertyWithValue('uid', uid);
  const current = existing ? entryOf(task, timezone) : undefined;
  const target = plainFields(fields);
  const differs = (name: keyof TodoFields) => target[name] !== current?.fields[name];
  const at =
    Date.parse(updated_at) > Date.parse(current?.changed_at || '0001-01-01') ? updated_at : current!.changed_at;
  const changed = Time.fromJSDate(new Date(at), true);
  if (differs('title')) setText(task, 'summary', target.title);
  if (differs('description')) setText(task, 'description', target.description);
  if (differs('due_date')) setDay(Time, task, target.due_date, timezone);
  if (differs('priority')) task.updatePropertyWithValue('priority', PRIORITIES[target.priority] ?? 5);
  if (differs('group')) setGroup(task, target.group, changed);
  task.updatePropertyWithValue('dtstamp', Time.fromJSDate(clock.now(), true));
  task.updatePropertyWithValue('last-modified', changed);
  return `${calendar.toString()}\r\n`;
}
