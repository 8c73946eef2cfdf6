/** Creation, update, completion and deletion of milestones. */
import { assertVersion, change, find, remove, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { midnight } from '@suite/chassis/fields';
import { moveTo } from '@suite/chassis/operations';
import { exactAmount } from '@suite/document-lines';
import { enterProject } from '../../work/access/access.ts';
import { recordActivities } from '../../work/activities/activity.ts';
import type { CommandContext } from '../../operations.ts';
import { milestoneStates } from './milestone.rules.ts';
import type { MilestoneChanges, MilestoneInput } from './milestone.schema.ts';

const END = 'The last day must not be before the first day.';
const dayOf = (date: Date | null): string | null => date && date.toISOString().slice(0, 10);

/** Creates a milestone. Returns its ID. */
export async function createMilestone(context: CommandContext, input: MilestoneInput): Promise<string> {
  const { project_id, start_date, end_date, cost, ...columns } = input;
  const projectNotFound = () => invalid('project_id', 'Project not found.');
  const { currency } = await enterProject(context, project_id, 'manager', { absent: projectNotFound });
  if (start_date && end_date && end_date < start_date) throw invalid('end_date', END);
  const days = { start_date: midnight(start_date) ?? null, end_date: midnight(end_date) ?? null };
  const { id, title, client_visible } = await context.db.milestone.create({
    data: { ...columns, ...days, project_id, cost: cost ? exactAmount(cost, currency, 'cost') : null },
  });
  await recordActivities(context.db, [
    { project_id, verb: 'created', object: { type: 'milestone', id, label: title }, client_visible },
  ]);
  return id;
}

/** Updates a milestone. A status completes or reopens it. @throws InvalidTransition, Stale */
export async function updateMilestone(
  context: CommandContext,
  id: string,
  { version: _, status, start_date, end_date, cost, ...columns }: MilestoneChanges,
  expect: number | undefined,
): Promise<void> {
  const { db, caller } = context;
  const { project_id } = await find(db.milestone, id);
  const { currency } = await enterProject(context, project_id, 'manager', { lock: 'update' });
  const row = await find(db.milestone, id);
  assertVersion(row, expect);
  const [start, end] = [start_date ?? dayOf(row.start_date), end_date ?? dayOf(row.end_date)];
  if (start_date !== null && end_date !== null && start && end && end < start) throw invalid('end_date', END);
  const patch = {
    ...columns,
    ...(start_date !== undefined && { start_date: midnight(start_date) }),
    ...(end_date !== undefined && { end_date: midnight(end_date) }),
    ...(cost !== undefined && { cost: cost && exactAmount(cost, currency, 'cost') }),
  };
  const fields = Object.keys(patch);
  if (fields.length > 0) await change(db.milestone, id, patch);
  const moved = status !== undefined && (await moveTo(milestoneStates, db.milestone, row, status, { caller }));
  if (fields.length === 0 && !moved) return;
  const { title, client_visible } = await find(db.milestone, id);
  const before = row as unknown as Record<string, unknown>;
  const diff: Record<string, [unknown, unknown]> = Object.fromEntries(
    Object.entries({ ...columns, start_date, end_date, cost })
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, [before[name] instanceof Date ? dayOf(before[name]) : before[name], value]]),
  );
  if (moved) diff['status'] = [row.status, status];
  const verb = moved ? (status === 'complete' ? 'completed' : 'reopened') : 'updated';
  await recordActivities(db, [
    { project_id, verb, object: { type: 'milestone', id, label: title }, diff, client_visible },
  ]);
}

/** Deletes a milestone. Its tasks remain without one. */
export async function removeMilestone(context: CommandContext, id: string): Promise<{ id: string }> {
  const { db } = context;
  const { project_id } = await find(db.milestone, id);
  await enterProject(context, project_id, 'manager', { lock: 'update' });
  const { title } = await find(db.milestone, id);
  await db.rows(sql`UPDATE work_items SET milestone_id = NULL WHERE milestone_id = ${id}::uuid`);
  await recordActivities(db, [{ project_id, verb: 'deleted', object: { type: 'milestone', id, label: title } }]);
  return await remove(db.milestone, id);
}
