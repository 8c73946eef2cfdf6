/** Creation and deletion of tasks and bugs. */
import { randomUUIDv7 } from 'node:crypto';
import { remove, sql } from '@suite/chassis/database';
import { invalid, NotFound } from '@suite/chassis/faults';
import { assertUnused } from '@suite/chassis/lists';
import { userOf, upsertUserCopies } from '@suite/user-copies';
import { type AccessibleProject, enterProject, findProject } from '../access/access.ts';
import { assertActive, assertRole, assertAcceptsWork } from '../access/project.rules.ts';
import { recordActivities } from '../activities/activity.ts';
import { creationParts } from '../activities/creation-activity.ts';
import type { CommandContext, Db } from '../../operations.ts';
import { mentionedUsers } from '../notifications/mention.rules.ts';
import { notify } from '../notifications/notification.ts';
import { announceAssignment, announceCreation } from './announcements.ts';
import { assertAssignable } from './assignees.ts';
import {
  assertStage,
  stageColumns,
  findStage,
  lastPlace,
  rankAt,
  type PlacingStage,
  exceedsLimit,
} from './stage-placement.ts';
import { recordStep, recountProgress } from './progress.ts';
import { assertRule, type RecurrenceRule, storedSeries } from '../recurrence-rules/recurrence.rules.ts';
import { assertParent, assertUnblocked, setBlockers } from './relations.ts';
import { assertDates, countsOf, endingOf, leastToCreate, type WorkItemKind } from './card.rules.ts';
import type { WorkItemInput } from './card.schema.ts';
import type { KnownItemFacts } from './card.view.ts';

/** Checks that the milestone is in the project. @throws a 422 for `milestone_id` */
export async function assertMilestone(db: Db, project_id: string, milestone_id: string): Promise<void> {
  const [found] = await db.rows(sql`
    SELECT id FROM milestones WHERE id = ${milestone_id}::uuid AND project_id = ${project_id}::uuid FOR KEY SHARE`);
  if (!found) throw invalid('milestone_id', 'Milestone not found in this project.');
}

/** Checks that the duplicated bug is in the project. @throws a 422 for `duplicate_of` */
export async function assertDuplicate(
  db: Db,
  project_id: string,
  { id, duplicate_of }: { id: string; duplicate_of: string | null },
) {
  if (duplicate_of === null) return;
  const [found] = await db.rows(sql`
    SELECT id FROM work_items
    WHERE id = ${duplicate_of}::uuid AND project_id = ${project_id}::uuid AND kind = 'bug' AND id <> ${id}::uuid`);
  if (!found) throw invalid('duplicate_of', 'Bug not found in this project.');
}

/** New item, with its project and its stage. */
interface Draft {
  id: string;
  kind: WorkItemKind;
  project: AccessibleProject;
  stage: PlacingStage;
  input: WorkItemInput;
  /** Series of the item, if a series creates it. */
  series?: { series_id: string; series_date: string };
}

/**
 * Inserts an item with the next number of the project. The project is locked only from this statement to the commit.
 * Returns undefined if the project was archived or closed in the meantime.
 */
async function insertNumbered(context: CommandContext, draft: Draft): Promise<number | undefined> {
  const { db, caller } = context;
  const { id, kind, project, stage, input, series } = draft;
  const { countable, completed } = countsOf(kind, stage.group);
  const { position } = input;
  const rank =
    position === undefined
      ? lastPlace
      : sql`${await rankAt(db, { stage_id: stage.id, item_id: id, position })}::numeric`;
  const [ending, place] = [kind === 'bug' ? endingOf(stage.group, {}, {}) : undefined, stageColumns(stage)];
  const starts = series ? (input.recurrence as RecurrenceRule | undefined)?.starts : input.due_date;
  const recurrence = input.recurrence ? JSON.stringify(storedSeries(input.recurrence, starts ?? '')) : null;
  const [row] = await db.rows<{ number: number }>(sql`
    WITH counted AS (
      UPDATE projects SET last_number = last_number + 1, countable_tasks = countable_tasks + ${countable}::int,
        completed_tasks = completed_tasks + ${completed}::int
      WHERE id = ${project.id}::uuid AND active AND status NOT IN ('finished', 'cancelled') RETURNING id, last_number),
    item AS (
    INSERT INTO work_items (id, kind, project_id, number, title, description, priority, stage_id, stage_since, "group", rank,
      milestone_id, parent_id, start_date, due_date, estimate_minutes, tags, client_visible, billable, external_id,
      completed_at, recurrence, series_id, series_date, severity, environment, steps, resolution, reporter_id)
    SELECT ${id}::uuid, ${kind}, id, last_number, ${input.title}, ${input.description ?? null}, ${input.priority ?? 'medium'},
      ${place.stage_id}::uuid, ${place.stage_since}::timestamptz, ${place.group}, ${rank},
      ${input.milestone_id ?? null}::uuid, ${input.parent_id ?? null}::uuid, ${input.start_date ?? null}::date,
      ${input.due_date ?? null}::date, ${input.estimate_minutes ?? null}::int, ${input.tags ?? []}::text[],
      ${input.client_visible ?? false}::boolean, ${input.billable ?? null}::boolean, ${input.external_id ?? null},
      ${place.completed_at}::timestamptz, ${recurrence}::jsonb,
      ${series?.series_id ?? (recurrence ? id : null)}::uuid,
      ${series?.series_date ?? (recurrence ? (input.due_date ?? null) : null)}::date,
      ${kind === 'bug' ? (input.severity ?? 'minor') : null}, ${input.environment ?? null}, ${input.steps ?? null},
      ${ending?.resolution ?? null}, ${kind === 'bug' ? caller.user_id : null}::uuid
    FROM counted RETURNING id, project_id, number),
    ${creationParts({ ...input, kind, code: project.code, stage, author: series ? null : caller.user_id })}
    SELECT number FROM item`);
  return row?.number;
}

async function assertDraft(db: Db, { project, input }: Draft): Promise<void> {
  assertDates({ start_date: input.start_date ?? null, due_date: input.due_date ?? null });
  if (input.recurrence && !input.due_date) throw invalid('due_date', 'A recurring task needs a due date.');
  if (input.recurrence) assertRule(input.recurrence.rrule);
  if (input.milestone_id) await assertMilestone(db, project.id, input.milestone_id);
  if (input.parent_id) await assertParent(db, { project_id: project.id }, input.parent_id);
  await assertAssignable(db, project.id, input.assignee_ids ?? []);
}

/** Adds the checklist and the blockers of a new item, and counts it in its milestone. */
async function addDetails({ db }: CommandContext, { id, kind, project, stage, input }: Draft): Promise<void> {
  const subtasks = input.subtasks ?? [];
  if (subtasks.length > 0)
    await db.rows(sql`
      INSERT INTO subtasks (id, item_id, name, due, position)
      SELECT id, ${id}::uuid, name, due, position FROM jsonb_to_recordset(${JSON.stringify(
        subtasks.map((subtask, position) => ({ ...subtask, id: randomUUIDv7(), position })),
      )}::jsonb) AS line (id uuid, name text, due date, position int)`);
  if (input.blocked_by?.length) await setBlockers(db, id, input.blocked_by);
  if (stage.group === 'completed') await assertUnblocked(db, id);
  const place = { project_id: project.id, milestone_id: input.milestone_id ?? null, group: stage.group };
  await recountProgress(db, kind, null, place, { skipProject: true });
}

/**
 * Creates a task or a bug. The project is locked from the start only if the request has a position.
 * @param needs the minimum role in the project
 * @throws ProjectClosed, ProjectArchived, WipLimit, and a 422 for each invalid field
 */
export async function createWorkItem(
  context: CommandContext,
  kind: WorkItemKind,
  project_id: string,
  input: WorkItemInput,
  series?: Draft['series'],
): Promise<{ id: string; over_limit: boolean | undefined; known: KnownItemFacts }> {
  const { db, caller, emit } = context;
  const needs = leastToCreate(kind);
  const found = await findProject(context, project_id);
  assertRole(found.role, needs);
  assertActive(found);
  assertAcceptsWork(found);
  const stage = await findStage(db, kind, project_id, input.stage_id);
  assertStage(stage);
  await upsertUserCopies(db, series ? [] : [userOf(caller)]);
  const isPlaced = input.position !== undefined || input.parent_id || input.blocked_by?.length;
  const isLocked = stage.wip_limit !== null || isPlaced;
  const project = isLocked ? await enterProject(context, project_id, needs, { lock: 'update' }) : found;
  const draft: Draft = { id: randomUUIDv7(), kind, project, stage, input, ...(series && { series }) };
  await assertDraft(db, draft);
  // Chosen: a series continues regardless of the limit. The user who completes a card has not chosen the stage of the
  // next one.
  const over_limit = series ? undefined : await exceedsLimit(db, project, stage);
  const number = await insertNumbered(context, draft);
  if (number === undefined) {
    assertAcceptsWork(await enterProject(context, project_id, needs));
    throw NotFound();
  }
  const key = `${project.code}-${number}`;
  await addDetails(context, draft);
  const assignee_ids = [...new Set(input.assignee_ids ?? [])];
  const announced = { id: draft.id, kind, project_id };
  announceCreation(emit, {
    ...announced,
    key,
    title: input.title,
    stage_id: stage.id,
    assignee_ids,
    severity: kind === 'bug' ? (input.severity ?? 'minor') : undefined,
  });
  const others = assignee_ids.filter((id) => id !== caller.user_id);
  announceAssignment(emit, announced, others);
  await notify(db, caller.user_id, [
    { kind: 'assignment', item_id: draft.id, user_ids: assignee_ids },
    { kind: 'mention', item_id: draft.id, user_ids: mentionedUsers(input.description) },
  ]);
  return { id: draft.id, over_limit, known: { project, key, stage, isAssigned: assignee_ids.length > 0 } };
}

/** Item columns for the rules. */
export interface LockedItem {
  id: string;
  kind: WorkItemKind;
  project_id: string;
  number: number;
  title: string;
  description: string | null;
  priority: string;
  stage_id: string;
  stage_since: Date;
  group: string;
  milestone_id: string | null;
  parent_id: string | null;
  start_date: string | null;
  due_date: string | null;
  estimate_minutes: number | null;
  tags: string[];
  client_visible: boolean;
  billable: boolean | null;
  external_id: string | null;
  completed_at: Date | null;
  recurrence: RecurrenceRule | null;
  series_id: string | null;
  series_date: string | null;
  severity: string | null;
  environment: string | null;
  steps: string | null;
  resolution: string | null;
  duplicate_of: string | null;
  reporter_id: string | null;
  version: number;
}

/**
 * Returns the project of an item, without a lock. @throws NotFound, including for an item of the other kind or another
 * project
 */
export async function projectOf(db: Db, kind: WorkItemKind, id: string, project_id?: string): Promise<string> {
  const [row] = await db.rows<{ project_id: string }>(sql`
    SELECT project_id FROM work_items WHERE id = ${id}::uuid AND kind = ${kind}`);
  if (!row || (project_id !== undefined && row.project_id !== project_id)) throw NotFound();
  return row.project_id;
}

/**
 * Locks a card for a change. Its project must be locked first. @throws NotFound if it was moved to another project
 * concurrently
 */
export async function lockItem(db: Db, kind: WorkItemKind, id: string, project_id: string): Promise<LockedItem> {
  const [row] = await db.rows<LockedItem>(sql`
    SELECT id, kind, project_id, number, title, description, priority, stage_id, stage_since, "group", milestone_id, parent_id,
      start_date::text, due_date::text, estimate_minutes, tags, client_visible, billable, external_id, completed_at,
      recurrence, series_id, series_date::text, severity, environment, steps, resolution, duplicate_of, reporter_id, version
    FROM work_items WHERE id = ${id}::uuid AND kind = ${kind} AND project_id = ${project_id}::uuid FOR NO KEY UPDATE`);
  if (!row) throw NotFound();
  return row;
}

/**
 * Deletes an item. Its children move to its parent, blocked items are released, and its number is not reused.
 * @throws InUse if it has time entries
 */
export async function removeWorkItem(
  context: CommandContext,
  kind: WorkItemKind,
  { id, project_id }: { id: string; project_id?: string },
): Promise<{ id: string }> {
  const { db } = context;
  const inside = await projectOf(db, kind, id, project_id);
  const project = await enterProject(context, inside, 'manager', { lock: 'update' });
  const item = await lockItem(db, kind, id, inside);
  await db.rows(sql`UPDATE work_items SET parent_id = ${item.parent_id}::uuid WHERE parent_id = ${id}::uuid`);
  await db.rows(sql`UPDATE work_items SET duplicate_of = NULL WHERE duplicate_of = ${id}::uuid`);
  const from = { stage_id: item.stage_id, group: item.group, since: item.stage_since };
  await assertUnused(async () => ({ time_entries: await db.timeEntry.count({ where: { task_id: id } }) }));
  await remove(db.workItem, id);
  await db.rows(sql`INSERT INTO retired_numbers (project_id, number) VALUES (${inside}::uuid, ${item.number}::int)`);
  await recordStep(db, { project_id: inside, item_id: id, from });
  await recountProgress(db, kind, item, null);
  await recordActivities(db, [
    {
      project_id: inside,
      verb: 'deleted',
      object: { type: kind, id, label: `${project.code}-${item.number} ${item.title}` },
      client_visible: item.client_visible,
    },
  ]);
  return { id };
}
