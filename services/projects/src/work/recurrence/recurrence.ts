/** Creation of the next task of a series, when the current task is completed or the next day has come. */
import { withSavepoint, sql } from '@suite/chassis/database';
import { Fault } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { recordActivities } from '../activities/activity.ts';
import type { CommandContext, Db } from '../../operations.ts';
import { assigneesOf } from '../work-items/assignees.ts';
import { createWorkItem, type LockedItem } from '../work-items/card.ts';
import { nextOccurrence } from '../recurrence-rules/recurrence.rules.ts';

const DAY_MS = 86_400_000;
const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
const plusDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** Returns the assignees who can still work in the project. */
async function peopleOf(db: Db, { id, project_id }: LockedItem): Promise<string[]> {
  const rows = await db.rows<{ user_id: string }>(sql`
    SELECT user_id FROM project_members
    WHERE project_id = ${project_id}::uuid AND role <> 'viewer' AND user_id = ANY(${await assigneesOf(db, id)}::uuid[])`);
  return rows.map(({ user_id }) => user_id);
}

/** Copies the task for another day. */
async function copyOf(db: Db, item: LockedItem, day: string) {
  const { title, description, priority, estimate_minutes, tags, client_visible, billable, start_date, milestone_id } =
    item;
  const subtasks = await db.rows<{ name: string }>(sql`
    SELECT name FROM subtasks WHERE item_id = ${item.id}::uuid ORDER BY position`);
  const distance = start_date && item.due_date ? daysBetween(start_date, item.due_date) : undefined;
  return {
    title,
    description,
    priority: priority as 'medium',
    estimate_minutes,
    tags,
    client_visible,
    billable,
    milestone_id,
    assignee_ids: await peopleOf(db, item),
    subtasks,
    due_date: day,
    start_date: distance === undefined ? null : plusDays(day, -distance),
    recurrence: item.recurrence,
  };
}

/**
 * Records the days that were skipped. Chosen: the first and the last day, and their number. A daily series can skip tens
 * of thousands of days.
 */
async function recordSkipped(db: Db, { id, project_id, title }: LockedItem, skipped: readonly string[]): Promise<void> {
  if (skipped.length === 0) return;
  const days = [...new Set([skipped[0], skipped.at(-1)])];
  const diff = { due_date: [days, null], skipped_count: [0, skipped.length] } as const;
  await recordActivities(db, [{ project_id, verb: 'skipped', object: { type: 'task', id, label: title }, diff }]);
}

/**
 * Creates the next task of a series, once. The rule moves to the new task, and leaves the present one. The task and its
 * project must be locked. A finished series ends.
 */
export async function continueSeries(
  context: CommandContext & { caller: Caller },
  item: LockedItem,
  today: string,
): Promise<void> {
  const { db } = context;
  const { recurrence, series_date, series_id, due_date } = item;
  const present = series_date ?? due_date;
  if (!recurrence || !series_id || !present) return;
  const next = nextOccurrence(recurrence, present, today);
  await db.rows(sql`UPDATE work_items SET recurrence = NULL WHERE id = ${item.id}::uuid`);
  if (!next) return;
  const copy = await copyOf(db, item, next.day);
  try {
    await withSavepoint(() =>
      createWorkItem(context, 'task', item.project_id, copy, { series_id, series_date: next.day }),
    );
  } catch (error) {
    // The task already exists: another part of the series, in another project, has created it.
    if (!(error instanceof Fault && error.code === 'already_exists')) throw error;
  }
  await recordSkipped(db, item, next.skipped);
}
