/**
 * Copying of a template: milestones and tasks with parents, blockers and checklists. Dates are relative to the start of
 * the project.
 */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { notify } from '../../work/notifications/notification.ts';
import type { Db } from '../../operations.ts';

export interface ProjectTemplate {
  id: string;
  start_date: Date | null;
}

/** New project from a template. `stages` maps the stages of the template to its own. */
interface TemplateCopy {
  id: string;
  start_date?: string | null | undefined;
  stages: ReadonlyMap<string, string>;
  is_template: boolean;
  /** The creating user, who is not notified. Null for a project from a deal. */
  actor_id: string | null;
}

const DAY_MS = 86_400_000;

/** Returns a template that can be copied. @throws a 422 for a project that is not an active template */
export async function templateOf(db: Db, id: string): Promise<ProjectTemplate> {
  const [template] = await db.rows<ProjectTemplate & { is_template: boolean; active: boolean }>(sql`
    SELECT id, start_date, is_template, active FROM projects WHERE id = ${id}::uuid FOR SHARE`);
  if (!template?.is_template || !template.active) throw invalid('template_id', 'Template not found.');
  return template;
}

/** Returns the number of days that all dates are shifted. */
function distance({ start_date: from }: ProjectTemplate, { start_date: to }: TemplateCopy): number {
  if (!from || !to) return 0;
  return Math.round((Date.parse(`${to}T00:00:00Z`) - new Date(from).getTime()) / DAY_MS);
}

const newIds = (rows: readonly { id: string }[]) => new Map(rows.map(({ id }) => [id, randomUUIDv7()]));
const pairs = (map: ReadonlyMap<string, string>) =>
  JSON.stringify([...map].map(([old_id, new_id]) => ({ old_id, new_id })));

async function copyMilestones(
  db: Db,
  template: ProjectTemplate,
  copy: TemplateCopy,
  days: number,
): Promise<Map<string, string>> {
  const found = await db.rows<{ id: string }>(sql`SELECT id FROM milestones WHERE project_id = ${template.id}::uuid`);
  const ids = newIds(found);
  await db.rows(sql`
    INSERT INTO milestones (id, project_id, title, summary, cost, start_date, end_date, client_visible)
    SELECT pair.new_id, ${copy.id}::uuid, title, summary, cost, start_date + ${days}::int, end_date + ${days}::int, client_visible
    FROM milestones JOIN jsonb_to_recordset(${pairs(ids)}::jsonb) AS pair (old_id uuid, new_id uuid) ON pair.old_id = milestones.id`);
  return ids;
}

/**
 * Copies the tasks of a template. Tasks start again: completed ones are in the default stage of the copy. Their numbers
 * keep the order of the template.
 */
async function copyTasks(
  db: Db,
  template: ProjectTemplate,
  copy: TemplateCopy,
  { days, milestones }: { days: number; milestones: ReadonlyMap<string, string> },
): Promise<Map<string, string>> {
  const found = await db.rows<{ id: string }>(sql`
    SELECT id FROM work_items WHERE project_id = ${template.id}::uuid AND kind = 'task' ORDER BY number`);
  const ids = newIds(found);
  if (ids.size === 0) return ids;
  await db.rows(sql`
    INSERT INTO work_items (id, kind, project_id, number, title, description, priority, stage_id, "group", rank, milestone_id,
      parent_id, start_date, due_date, estimate_minutes, tags, client_visible, billable)
    SELECT pair.new_id, 'task', ${copy.id}::uuid, row_number() OVER (ORDER BY item.number), item.title, item.description,
      item.priority, target.id, target."group", item.rank, milestone.new_id, parent.new_id, item.start_date + ${days}::int,
      item.due_date + ${days}::int, item.estimate_minutes, item.tags, item.client_visible, item.billable
    FROM work_items AS item
    JOIN jsonb_to_recordset(${pairs(ids)}::jsonb) AS pair (old_id uuid, new_id uuid) ON pair.old_id = item.id
    JOIN jsonb_to_recordset(${pairs(copy.stages)}::jsonb) AS stage (old_id uuid, new_id uuid) ON stage.old_id = item.stage_id
    JOIN stages AS target ON target.project_id = ${copy.id}::uuid AND CASE
      WHEN item."group" IN ('completed', 'cancelled') THEN target.kind = 'task' AND target.is_default
      ELSE target.id = stage.new_id END
    LEFT JOIN jsonb_to_recordset(${pairs(ids)}::jsonb) AS parent (old_id uuid, new_id uuid) ON parent.old_id = item.parent_id
    LEFT JOIN jsonb_to_recordset(${pairs(milestones)}::jsonb) AS milestone (old_id uuid, new_id uuid)
      ON milestone.old_id = item.milestone_id`);
  return ids;
}

interface Assignment {
  item_id: string;
  user_id: string;
}

/** Makes assignees of copied tasks watch them, and notifies each by one e-mail. */
async function notifyAssignees(db: Db, assigned: readonly Assignment[], { actor_id }: TemplateCopy): Promise<void> {
  await db.watcher.createMany({ data: [...assigned] });
  const news = assigned.map(({ item_id, user_id }) => ({ kind: 'assignment' as const, item_id, user_ids: [user_id] }));
  await notify(db, actor_id, news);
}

/** Copies checklists, blockers and assignees of tasks. Copies only assignees who work on the new project. */
async function copyDetails(db: Db, project_id: string, ids: ReadonlyMap<string, string>): Promise<Assignment[]> {
  const pair = sql`jsonb_to_recordset(${pairs(ids)}::jsonb) AS pair (old_id uuid, new_id uuid)`;
  const checklist = await db.rows<{ new_id: string; name: string; position: number }>(sql`
    SELECT pair.new_id, name, position FROM subtasks JOIN ${pair} ON pair.old_id = subtasks.item_id`);
  await db.subtask.createMany({ data: checklist.map(({ new_id, ...line }) => ({ ...line, item_id: new_id })) });
  await db.rows(sql`
    INSERT INTO blockers (item_id, blocker_id) SELECT pair.new_id, other.new_id
    FROM blockers JOIN ${pair} ON pair.old_id = blockers.item_id
    JOIN jsonb_to_recordset(${pairs(ids)}::jsonb) AS other (old_id uuid, new_id uuid) ON other.old_id = blockers.blocker_id`);
  return await db.rows<Assignment>(sql`
    INSERT INTO assignees (item_id, user_id) SELECT pair.new_id, assignees.user_id
    FROM assignees JOIN ${pair} ON pair.old_id = assignees.item_id
    JOIN project_members ON project_members.user_id = assignees.user_id
      AND project_members.project_id = ${project_id}::uuid AND role <> 'viewer'
    RETURNING item_id, user_id`);
}

/**
 * Adds the first stage changes of the tasks in a new project, and counts the tasks in the project and its milestones.
 */
async function recordBeginnings(db: Db, project_id: string): Promise<void> {
  const items = await db.rows<{ id: string; stage_id: string; group: string }>(sql`
    SELECT id, stage_id, "group" FROM work_items WHERE project_id = ${project_id}::uuid ORDER BY number`);
  await db.stageChange.createMany({
    data: items.map(({ id, stage_id, group }) => ({ project_id, item_id: id, to_stage_id: stage_id, to_group: group })),
  });
  // Completed tasks of a template are open in its copy.
  await db.rows(sql`
    UPDATE milestones SET countable_tasks = counted.tasks
    FROM (SELECT milestone_id, count(*) AS tasks FROM work_items WHERE project_id = ${project_id}::uuid GROUP BY 1) AS counted
    WHERE milestones.id = counted.milestone_id`);
  await db.rows(sql`
    UPDATE projects SET countable_tasks = ${items.length}, last_number = ${items.length} WHERE id = ${project_id}::uuid`);
}

/**
 * Copies the milestones and tasks of a template into a new project, which already has its stages. Chosen: copied tasks
 * have no events of their own, because the event of the project covers them. Assignees are notified by e-mail, except
 * for tasks of a new template.
 */
export async function copyTemplate(db: Db, template: ProjectTemplate, copy: TemplateCopy): Promise<void> {
  const days = distance(template, copy);
  const milestones = await copyMilestones(db, template, copy, days);
  const ids = await copyTasks(db, template, copy, { days, milestones });
  if (ids.size === 0) return;
  const assigned = await copyDetails(db, copy.id, ids);
  await recordBeginnings(db, copy.id);
  if (!copy.is_template) await notifyAssignees(db, assigned, copy);
}
