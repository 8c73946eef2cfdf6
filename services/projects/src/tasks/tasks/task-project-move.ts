/** Moves a task to another project, with its history, comments, files and watchers. */
import { asCaller, sql } from '@suite/chassis/database';
import { fault, Forbidden, invalid } from '@suite/chassis/faults';
import { assertUnused } from '@suite/chassis/lists';
import { clock, today } from '@suite/chassis/runtime';
import { TaskMoved } from '@suite/proto/projects/v1/events';
import { enterProject } from '../../work/access/access.ts';
import { assertAcceptsWork } from '../../work/access/project.rules.ts';
import { recordActivities } from '../../work/activities/activity.ts';
import type { CommandContext, Db } from '../../operations.ts';
import { continueSeries } from '../../work/recurrence/recurrence.ts';
import { columnsAtEnd, lockEntries } from '../../time/time/time-entry.ts';
import { timeSettings } from '../../time/time-settings/time-settings.ts';
import { stageColumns, lastPlace, stageIn, exceedsLimit } from '../../work/work-items/stage-placement.ts';
import { recordStep, recountProgress } from '../../work/work-items/progress.ts';
import { type LockedItem, lockItem, projectOf } from '../../work/work-items/card.ts';
import { isClosedGroup } from '../../work/work-items/card.rules.ts';
import { assertUnblocked } from '../../work/work-items/relations.ts';

export const OtherCurrency = fault(
  409,
  'other_currency',
  'This task has time entries in the currency of its project. Choose a project with the same currency.',
);

/** Relations that a task loses in a move. */
export interface LostRelations {
  milestone_id: string | null;
  parent_id: string | null;
  assignee_ids: string[];
  blocked_by: string[];
}

/** Removes assignees who are not members of the new project. */
async function dropAssignees(db: Db, item_id: string, project_id: string): Promise<string[]> {
  const rows = await db.rows<{ user_id: string }>(sql`
    DELETE FROM assignees WHERE item_id = ${item_id}::uuid AND user_id NOT IN (
      SELECT user_id FROM project_members WHERE project_id = ${project_id}::uuid AND role <> 'viewer')
    RETURNING user_id`);
  return rows.map(({ user_id }) => user_id);
}

/**
 * Removes blockers that the target's members cannot see: cards of other projects that are not visible to the workspace.
 */
async function dropBlockers(db: Db, item_id: string, project_id: string): Promise<string[]> {
  const rows = await db.rows<{ blocker_id: string }>(sql`
    DELETE FROM blockers WHERE item_id = ${item_id}::uuid AND blocker_id IN (
      SELECT work_items.id FROM work_items JOIN projects ON projects.id = work_items.project_id
      WHERE projects.id <> ${project_id}::uuid AND projects.visibility <> 'workspace' AND EXISTS (
        SELECT FROM project_members AS member WHERE member.project_id = ${project_id}::uuid AND NOT EXISTS (
          SELECT FROM project_members AS other
          WHERE other.project_id = projects.id AND other.user_id = member.user_id)))
    RETURNING blocker_id`);
  if (rows.length === 0) return [];
  const ids = rows.map(({ blocker_id }) => blocker_id);
  const seen = await asCaller(() =>
    db.rows<{ id: string }>(sql`SELECT id FROM work_items WHERE id = ANY(${ids}::uuid[])`),
  );
  return seen.map(({ id }) => id);
}

/** Returns the columns of a task in its new project, with the next number there. */
async function renumber(db: Db, item: LockedItem, project_id: string, stage: Parameters<typeof stageColumns>[0]) {
  const { stage_id, group, completed_at } = stageColumns(stage, item);
  const [row] = await db.rows<{ number: number }>(sql`
    WITH counted AS (
      UPDATE projects SET last_number = last_number + 1 WHERE id = ${project_id}::uuid RETURNING last_number),
    retired AS (
      INSERT INTO retired_numbers (project_id, number, moved_to)
      VALUES (${item.project_id}::uuid, ${item.number}::int, ${item.id}::uuid))
    UPDATE work_items SET project_id = ${project_id}::uuid, number = last_number, stage_id = ${stage_id}::uuid,
      stage_since = ${clock.now()}::timestamptz, "group" = ${group}, completed_at = ${completed_at}::timestamptz,
      rank = ${lastPlace}, milestone_id = NULL, parent_id = NULL
    FROM counted WHERE id = ${item.id}::uuid RETURNING number`);
  return (row as { number: number }).number;
}

/**
 * Rejects a task with time that was invoiced or is being invoiced: it stays in the project of its invoice. @throws
 * InUse
 */
async function assertNotInvoiced(db: Db, item_id: string): Promise<void> {
  const where = { task_id: item_id, billing_run_id: { not: null } };
  await assertUnused(async () => ({ invoiced: await db.timeEntry.count({ where }) }));
}

/** Rejects a move to a project in another currency: the price of time is never converted. @throws OtherCurrency */
async function assertSameCurrency(db: Db, item_id: string, from: string, to: string): Promise<void> {
  if (from === to) return;
  const time_entries = await db.timeEntry.count({ where: { task_id: item_id } });
  if (time_entries > 0) throw OtherCurrency({ currency: from, target: to, time_entries });
}

/** Reprices the open time of a task that has moved to another project. Approved time keeps its price. */
async function repriceTimeOf(db: Db, task_id: string): Promise<void> {
  const open = sql`task_id = ${task_id}::uuid AND status IN ('stopped', 'submitted', 'rejected')`;
  const [entries, settings] = [await lockEntries(db, open), await timeSettings(db)];
  for (const entry of entries) {
    const metrics = await columnsAtEnd(db, { ...entry, ended_at: entry.ended_at! }, settings);
    await db.timeEntry.updateMany({ where: { id: entry.id }, data: metrics });
  }
}

/** Locks both projects for update, in the order of their IDs. */
async function lockBothProjects(context: CommandContext, from: string, to: string) {
  const enterSource = () => enterProject(context, from, 'manager', { lock: 'update' });
  const enterTarget = () =>
    enterProject(context, to, 'member', {
      lock: 'update',
      absent: () => invalid('project_id', 'Project not found.'),
    });
  if (from < to) return [await enterSource(), await enterTarget()] as const;
  const target = await enterTarget();
  return [await enterSource(), target] as const;
}

/**
 * Moves a task to another project. Requires permission to delete it here and to create it there.
 * @throws InUse if its time was invoiced; OtherCurrency, WrongProjectRole, ProjectClosed, WipLimit; Blocked if the move
 * would complete it
 */
export async function moveToProject(
  context: CommandContext,
  id: string,
  { project_id, stage_id }: { project_id: string; stage_id?: string | undefined },
): Promise<LostRelations> {
  const { db, emit, caller } = context;
  const missing = ['task.delete', 'task.create'].find((permission) => !caller.permissions.includes(permission));
  if (missing) throw Forbidden({ permission: missing });
  const from = await projectOf(db, 'task', id);
  if (from === project_id) throw invalid('project_id', 'The task is already in this project. Choose another project.');
  const [source, target] = await lockBothProjects(context, from, project_id);
  assertAcceptsWork(target);
  const item = await lockItem(db, 'task', id, from);
  await assertNotInvoiced(db, id);
  await assertSameCurrency(db, id, source.currency, target.currency);
  const stage = await stageIn(db, 'task', project_id, stage_id);
  await exceedsLimit(db, target, stage);

  await db.rows(sql`UPDATE work_items SET parent_id = ${item.parent_id}::uuid WHERE parent_id = ${id}::uuid`);
  const number = await renumber(db, item, project_id, stage);
  await repriceTimeOf(db, id);
  await db.rows(sql`UPDATE files SET project_id = ${project_id}::uuid WHERE item_id = ${id}::uuid`);
  const assignee_ids = await dropAssignees(db, id, project_id);
  const blocked_by = await dropBlockers(db, id, project_id);
  const ends = isClosedGroup(stage.group) && !isClosedGroup(item.group);
  if (ends && stage.group === 'completed') await assertUnblocked(db, id);

  await recordStep(db, {
    project_id: from,
    item_id: id,
    from: { stage_id: item.stage_id, group: item.group, since: item.stage_since },
  });
  await recordStep(db, { project_id, item_id: id, to: { stage_id: stage.id, group: stage.group }, follows: true });
  await recountProgress(db, 'task', item, { project_id, milestone_id: null, group: stage.group });
  const key = `${target.code}-${number}`;
  const object = { type: 'task' as const, id, label: `${key} ${item.title}` };
  const diff = { key: [`${source.code}-${item.number}`, key] as const };
  const { client_visible } = item;
  await recordActivities(db, [
    // Clients of one project receive no information about the other.
    {
      project_id: from,
      verb: 'moved_away',
      object: { ...object, label: `${source.code}-${item.number} ${item.title}` },
      client_visible,
    },
    { project_id, verb: 'moved_in', object, diff },
  ]);
  emit(TaskMoved, { task_id: id, project_id, from_project_id: from, key });
  if (ends) await continueSeries(context, await lockItem(db, 'task', id, project_id), today(caller.timezone));
  return { milestone_id: item.milestone_id, parent_id: item.parent_id, assignee_ids, blocked_by };
}
