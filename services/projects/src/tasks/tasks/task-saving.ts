/** Creation or update of a task by an external system. */
import { asCaller, sql } from '@suite/chassis/database';
import { AlreadyExists, assertNoVersion, Forbidden, invalid, NotFound } from '@suite/chassis/faults';
import type { CommandContext, Db } from '../../operations.ts';
import { createWorkItem } from '../../work/work-items/card.ts';
import { updateWorkItem } from '../../work/changes/work-item-changes.ts';
import type { ChangeWarnings } from '../../work/work-items/card.rules.ts';
import type { TaskSave } from '../../work/work-items/card.schema.ts';

/**
 * Returns the task with an external ID.
 * @throws AlreadyExists if the caller may not see it: external IDs are unique, and nothing about the task is revealed
 */
async function findByExternalId(db: Db, external_id: string): Promise<string | undefined> {
  // Serializes concurrent saves of one task, so that the later one finds it.
  await db.rows(sql`
    SELECT pg_advisory_xact_lock(hashtextextended(current_setting('suite.workspace_id') || ${`task ${external_id}`}, 0))`);
  const task = () => db.workItem.findFirst({ where: { kind: 'task', external_id }, select: { id: true } });
  const existing = await task();
  if (existing && !(await asCaller(task))) throw AlreadyExists({ external_id });
  return existing?.id;
}

/** Rejects fields that are allowed only for a new task, or only for an existing one. @throws a 422 */
function assertFitting(exists: boolean, { project_id, stage_id, subtasks, title }: TaskSave, inside?: string): void {
  if (exists) {
    if (stage_id) throw invalid('stage_id', 'You cannot move a task to another stage here. Move it on the board.');
    if (subtasks) throw invalid('subtasks', 'You cannot replace all subtasks. Change each subtask separately.');
    if (project_id && project_id !== inside)
      throw invalid('project_id', 'You cannot move a task to another project here. Use “Move”.');
    return;
  }
  if (!project_id) throw invalid('project_id', 'Enter the project of the task.');
  if (!title) throw invalid('title', 'Enter a title.');
}

/** Updates the task with the given ID or external ID. Creates a task if there is none. */
export async function saveTask(
  context: CommandContext,
  input: TaskSave,
  expect: number | undefined,
): Promise<{ created: boolean; id: string; warnings: ChangeWarnings }> {
  const { db, caller } = context;
  const { id, external_id, version: _, project_id, subtasks, ...fields } = input;
  if (id && external_id) throw invalid('external_id', 'Enter either of the two IDs, not both.');
  const existing = id ?? (external_id ? await findByExternalId(db, external_id) : undefined);
  const permission = existing ? 'task.update' : 'task.create';
  if (!caller.permissions.includes(permission)) throw Forbidden({ permission });
  if (existing) {
    const task = await db.workItem.findFirst({ where: { id: existing, kind: 'task' }, select: { project_id: true } });
    if (!task) throw NotFound();
    assertFitting(true, input, task.project_id);
    const warnings = await updateWorkItem(context, 'task', { id: existing, expect }, fields);
    return { created: false, id: existing, warnings };
  }
  assertFitting(false, input);
  assertNoVersion(expect);
  const made = { ...fields, title: fields.title as string, external_id, subtasks };
  const { id: new_id, over_limit } = await createWorkItem(context, 'task', project_id as string, made);
  return { created: true, id: new_id, warnings: over_limit === undefined ? {} : { over_limit } };
}
