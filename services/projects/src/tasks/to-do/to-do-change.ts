/** Applies changes that a user made in an external to-do list, with the user's permissions. */
import { asCaller, sql } from '@suite/chassis/database';
import { fault, Forbidden, ModuleDisabled, NotFound } from '@suite/chassis/faults';
import type { ToDoTask } from '@suite/proto/projects/v1/projects';
import { enterProject, type AccessibleProject } from '../../work/access/access.ts';
import { recordActivities } from '../../work/activities/activity.ts';
import { updateWorkItem } from '../../work/changes/work-item-changes.ts';
import type { CommandContext, Db } from '../../operations.ts';
import { type LockedItem, lockItem, projectOf } from '../../work/work-items/card.ts';
import { changeFaults } from '../../work/work-items/card.rules.ts';
import { assigneesOf } from '../../work/work-items/assignees.ts';
import { type ToDoChange, TO_DO_FIELDS, type ToDoField, type ToDoFields } from './to-do.schema.ts';
import { seesTasks, toDoTasks } from './to-do.ts';

export const StageMissing = fault(
  409,
  'stage_missing',
  'The board of this project has no stage for this group. Add one.',
);
export const toDoFaults = [...changeFaults, StageMissing, Forbidden, ModuleDisabled, NotFound];

/** History columns that record the change of a field. */
const HISTORY_COLUMNS: Readonly<Record<ToDoField, string>> = {
  title: 'title',
  description: 'description',
  due_date: 'due_date',
  priority: 'priority',
  group: 'stage_id',
};

/** Returns the fields that external to-do lists show. */
const toDoFieldsOf = ({ title, description, due_date, priority, group }: LockedItem): Required<ToDoFields> =>
  ({
    title,
    description: description ?? '',
    due_date: due_date ?? '',
    priority,
    group: group === 'backlog' ? 'unstarted' : group,
  }) as Required<ToDoFields>;

/** Returns the time when a field was last changed here. */
async function lastChangeOf(db: Db, { id }: LockedItem, field: ToDoField): Promise<number> {
  const [row] = await db.rows<{ at: string }>(sql`
    SELECT coalesce((SELECT max(at) FROM activities WHERE object_id = ${id}::uuid AND diff ? ${HISTORY_COLUMNS[field]}),
      work_items.created_at) AS at FROM work_items WHERE id = ${id}::uuid`);
  return Date.parse(row!.at);
}

/** Field that was changed here and in the to-do list, with the kept and the lost value. */
interface ToDoConflict {
  field: ToDoField;
  lost: string;
  kept: string;
}

/** Merges a change. A field that was changed on both sides gets the later value. */
async function merge(db: Db, item: LockedItem, { after = {}, before = {}, changed_at }: ToDoChange) {
  const present = toDoFieldsOf(item);
  const requested: ToDoFields = {};
  const conflicts: ToDoConflict[] = [];
  for (const field of TO_DO_FIELDS) {
    const [value, ours, agreed] = [after[field], present[field], before[field]];
    if (value === undefined || value === ours) continue;
    const isOurs = agreed !== ours && !(Date.parse(changed_at) > (await lastChangeOf(db, item, field)));
    if (agreed !== ours) conflicts.push({ field, lost: isOurs ? value : ours, kept: isOurs ? ours : value });
    if (!isOurs) Object.assign(requested, { [field]: value });
  }
  return { wanted: requested, conflicts };
}

/** Returns the first stage of a group on the board. @throws StageMissing */
async function stageOf(db: Db, project_id: string, group: string): Promise<string> {
  const groups = group === 'unstarted' ? ['unstarted', 'backlog'] : [group];
  const [stage] = await db.rows<{ id: string }>(sql`
    SELECT id FROM stages WHERE project_id = ${project_id}::uuid AND kind = 'task' AND "group" = ANY(${groups}::text[])
    ORDER BY "group" = ${group} DESC, is_default DESC, "order" LIMIT 1`);
  if (!stage) throw StageMissing({ group });
  return stage.id;
}

/** Checks the module and the permission, like the operation that updates a task. @throws ModuleDisabled, Forbidden */
function assertMayChange({ caller }: CommandContext): void {
  if (!caller.modules.includes('projects') && !caller.modules.includes('lightproj'))
    throw ModuleDisabled({ module: 'projects' });
  const permission = 'task.update';
  if (!seesTasks(caller) || !caller.permissions.includes(permission)) throw Forbidden({ permission });
}

async function recordConflicts(
  db: Db,
  item: LockedItem,
  { code }: AccessibleProject,
  conflicts: readonly ToDoConflict[],
) {
  if (conflicts.length === 0) return;
  const object = { type: 'task', id: item.id, label: `${code}-${item.number} ${item.title}` } as const;
  const diff = Object.fromEntries(conflicts.map(({ field, lost, kept }) => [field, [lost, kept] as const]));
  await recordActivities(db, [{ project_id: item.project_id, verb: 'sync_conflict', object, diff }]);
}

/** Converts the fields of a change for the update operation. */
const asChanges = ({ group: _, description, due_date, ...rest }: ToDoFields) => ({
  ...rest,
  ...(description !== undefined && { description: description || null }),
  ...(due_date !== undefined && { due_date: due_date || null }),
});

/**
 * Changes a task that is assigned to the caller, or unassigns the caller.
 * @returns the current task. Undefined if the caller was unassigned
 * @throws any fault of the operation that changes a task, StageMissing
 */
export async function changeToDoTask(context: CommandContext, change: ToDoChange): Promise<ToDoTask | undefined> {
  const { db, caller } = context;
  const { task_id: id, after, unassign } = change;
  assertMayChange(context);
  const [seen] = await asCaller(() => toDoTasks(db, caller, [id]));
  if (!seen) throw NotFound();
  const inside = await projectOf(db, 'task', id);
  const moves = after?.group !== undefined;
  const project = await enterProject(context, inside, 'member', { lock: moves ? 'update' : 'share' });
  const item = await lockItem(db, 'task', id, inside);
  const target = { id, expect: undefined };
  if (unassign) {
    const assignee_ids = (await assigneesOf(db, id)).filter((user_id) => user_id !== caller.user_id);
    await updateWorkItem(context, 'task', target, { assignee_ids });
    return undefined;
  }
  const { wanted: requested, conflicts } = await merge(db, item, change);
  const stage_id = requested.group && (await stageOf(db, inside, requested.group));
  await updateWorkItem(context, 'task', target, { ...asChanges(requested), ...(stage_id && { stage_id }) });
  await recordConflicts(db, item, project, conflicts);
  return (await toDoTasks(db, caller, [id]))[0];
}
