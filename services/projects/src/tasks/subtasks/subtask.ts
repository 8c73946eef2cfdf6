/** Changes to a task's checklist. A change to a line blocks concurrent changes to the order. */
import { assertVersion, change, find, remove, sql } from '@suite/chassis/database';
import { fault, NotFound } from '@suite/chassis/faults';
import { midnight } from '@suite/chassis/fields';
import { enterProject } from '../../work/access/access.ts';
import type { CommandContext, Db } from '../../operations.ts';
import { lockItem, projectOf } from '../../work/work-items/card.ts';
import type { SubtaskChanges, SubtaskInput } from './subtask.schema.ts';
import { readSubtasks } from './subtask.view.ts';

const LINES_MAX = 100;
export const ChecklistFull = fault(
  409,
  'checklist_full',
  `A task can have at most ${LINES_MAX} subtasks. Delete some, or create another task.`,
);

async function lockTask(context: CommandContext, task_id: string): Promise<void> {
  const project_id = await projectOf(context.db, 'task', task_id);
  await enterProject(context, project_id, 'member');
  await lockItem(context.db, 'task', task_id, project_id);
}

/** Finds a subtask, and locks its task. */
async function lockLine(context: CommandContext, id: string) {
  const { item_id } = await find(context.db.subtask, id);
  await lockTask(context, item_id);
  return await find(context.db.subtask, id);
}

/** Renumbers the subtasks from 0, with one of them at a position or at the end. */
async function renumberSubtasks(
  db: Db,
  item_id: string,
  id: string | undefined,
  position: number | undefined,
): Promise<void> {
  const lines = await db.subtask.findMany({ where: { item_id }, select: { id: true }, orderBy: { position: 'asc' } });
  const ids = lines.map((line) => line.id).filter((other) => other !== id);
  const values = id ? ids.toSpliced(position ?? ids.length, 0, id) : ids;
  await db.rows(sql`
    UPDATE subtasks SET position = place.number - 1
    FROM unnest(${values}::uuid[]) WITH ORDINALITY AS place (id, number)
    WHERE subtasks.id = place.id AND subtasks.position <> place.number - 1`);
}

async function answer(context: CommandContext, item_id: string, id: string) {
  const line = (await readSubtasks(context, item_id)).find((one) => one.id === id);
  if (!line) throw NotFound();
  return line;
}

/** Adds a subtask, at the end or at a position. @throws ChecklistFull */
export async function addSubtask(context: CommandContext, item_id: string, { name, due, position }: SubtaskInput) {
  const { db } = context;
  await lockTask(context, item_id);
  const count = await db.subtask.count({ where: { item_id } });
  if (count >= LINES_MAX) throw ChecklistFull();
  const place = Math.min(position ?? count, count);
  // The following subtasks move first, so that the new one is written once, as version 1.
  if (place < count)
    await db.rows(sql`
      UPDATE subtasks SET position = position + 1 WHERE item_id = ${item_id}::uuid AND position >= ${place}`);
  const { id } = await db.subtask.create({ data: { item_id, name, due: midnight(due) ?? null, position: place } });
  return await answer(context, item_id, id);
}

/** Updates a subtask, marks it as done, or moves it. */
export async function updateSubtask(
  context: CommandContext,
  id: string,
  { version: _, position, due, ...changes }: SubtaskChanges,
  expect: number | undefined,
) {
  const { db } = context;
  const line = await lockLine(context, id);
  assertVersion(line, expect);
  const values = { ...changes, ...(due !== undefined && { due: midnight(due) ?? null }) };
  const now: Record<string, unknown> = { ...line, due: line.due?.toISOString().replace('.000Z', 'Z') ?? null };
  const isNew = ([name, value]: [string, unknown]) => value !== undefined && value !== now[name];
  const patch = Object.fromEntries(Object.entries(values).filter(isNew));
  if (Object.keys(patch).length > 0) await change(db.subtask, id, patch);
  if (position !== undefined && position !== line.position) await renumberSubtasks(db, line.item_id, id, position);
  return await answer(context, line.item_id, id);
}

/** Deletes a subtask and closes the gap. */
export async function removeSubtask(context: CommandContext, id: string): Promise<{ id: string }> {
  const { item_id } = await lockLine(context, id);
  await remove(context.db.subtask, id);
  await renumberSubtasks(context.db, item_id, undefined, undefined);
  return { id };
}
