/** Updates of tasks and bugs, and their moves on the board. */
import { assertVersion, change } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { midnight } from '@suite/chassis/fields';
import { today } from '@suite/chassis/runtime';
import { Prisma } from '../../generated/client.ts';
import { type AccessibleProject, enterProject } from '../access/access.ts';
import { isClosed } from '../access/project.rules.ts';
import { recordActivities } from '../activities/activity.ts';
import type { CommandContext } from '../../operations.ts';
import { newlyMentioned } from '../notifications/mention.rules.ts';
import { notify } from '../notifications/notification.ts';
import { continueSeries } from '../recurrence/recurrence.ts';
import { assertRule, storedSeries } from '../recurrence-rules/recurrence.rules.ts';
import { announceAssignment, announceStep } from '../work-items/announcements.ts';
import { addWatchers, assertAssignable, assign } from '../work-items/assignees.ts';
import { stageColumns, rankAt, stageIn, exceedsLimit } from '../work-items/stage-placement.ts';
import { recordStep, recountProgress } from '../work-items/progress.ts';
import { assertParent, assertUnblocked, countOpenChildren, setBlockers } from '../work-items/relations.ts';
import { assertDuplicate, assertMilestone, type LockedItem, lockItem, projectOf } from '../work-items/card.ts';
import {
  assertDates,
  endingOf,
  isClosedGroup,
  type ChangeWarnings,
  type WorkItemKind,
} from '../work-items/card.rules.ts';
import type { WorkItemChanges } from '../work-items/card.schema.ts';

interface StageMove extends ChangeWarnings {
  patch: Partial<LockedItem> & { rank?: string };
}

/** Columns that are copied from a body without conversion. */
const PLAIN_COLUMNS = [
  'title',
  'description',
  'priority',
  'milestone_id',
  'parent_id',
  'start_date',
  'due_date',
  'estimate_minutes',
  'tags',
  'client_visible',
  'billable',
  'external_id',
  'severity',
  'environment',
  'steps',
] as const;

/** Fields that must be changed under the project lock: positions, progress and relations that must not be circular. */
const LOCKED_FIELDS = ['stage_id', 'position', 'milestone_id', 'parent_id', 'blocked_by', 'resolution'] as const;

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** Puts an item into a stage, or at another position of its own. @returns the new columns */
async function placeInStage(
  { db }: CommandContext,
  project: AccessibleProject,
  item: LockedItem,
  { stage_id, position }: { stage_id: string | undefined; position: number | undefined },
): Promise<StageMove> {
  const arrives = stage_id !== undefined && stage_id !== item.stage_id;
  if (!arrives && position === undefined) return { patch: {} };
  const stage = await stageIn(db, item.kind, project.id, stage_id ?? item.stage_id);
  const over_limit = arrives ? await exceedsLimit(db, project, stage) : undefined;
  const rank = await rankAt(db, { stage_id: stage.id, item_id: item.id, position });
  if (!arrives) return { patch: { rank } };
  const completes = stage.group === 'completed' && item.group !== 'completed';
  if (completes) await assertUnblocked(db, item.id);
  const open_children = completes ? await countOpenChildren(db, item.id) : 0;
  const from = { stage_id: item.stage_id, group: item.group, since: item.stage_since };
  await recordStep(db, {
    project_id: project.id,
    item_id: item.id,
    from,
    to: { stage_id: stage.id, group: stage.group },
  });
  return {
    patch: { ...stageColumns(stage, item), rank },
    ...(over_limit !== undefined && { over_limit }),
    ...(open_children > 0 && { open_children }),
  };
}

/** Returns the resolution of a bug, if its stage or the request changes it. */
async function endingAfter(
  { db }: CommandContext,
  item: LockedItem,
  group: string,
  { resolution, duplicate_of }: WorkItemChanges,
): Promise<Partial<LockedItem>> {
  if (item.kind === 'task') return {};
  const says = resolution !== undefined || duplicate_of !== undefined;
  if (!says && group === item.group) return {};
  const ending = endingOf(group, { resolution, duplicate_of }, item);
  await assertDuplicate(db, item.project_id, { id: item.id, duplicate_of: ending.duplicate_of });
  return ending;
}

/** Returns the stored rule of a series. An unchanged rule keeps its start day. */
function recurrenceOf({ recurrence: before, due_date }: LockedItem, changes: WorkItemChanges) {
  const { recurrence } = changes;
  if (!recurrence) return recurrence;
  const starts = before?.rrule === recurrence.rrule ? before.starts : (changes.due_date ?? due_date ?? '');
  return storedSeries(recurrence, starts);
}

async function assertChanges({ db }: CommandContext, item: LockedItem, changes: WorkItemChanges): Promise<void> {
  const { milestone_id, parent_id, assignee_ids } = changes;
  const after = { ...item, ...changes };
  assertDates({ start_date: after.start_date ?? null, due_date: after.due_date ?? null });
  if (after.recurrence && !after.due_date) throw invalid('due_date', 'A recurring task needs a due date.');
  if (changes.recurrence) assertRule(changes.recurrence.rrule);
  if (milestone_id && milestone_id !== item.milestone_id) await assertMilestone(db, item.project_id, milestone_id);
  if (parent_id && parent_id !== item.parent_id) await assertParent(db, item, parent_id);
  if (assignee_ids) await assertAssignable(db, item.project_id, assignee_ids);
}

/** Returns the columns with a new value. */
function changedColumns(item: LockedItem, changes: object): Partial<LockedItem> {
  const now = item as unknown as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(changes).filter(([name, value]) => value !== undefined && !isSame(value, now[name])),
  );
}

const DATES = ['start_date', 'due_date', 'series_date'];
/** Converts the values for Prisma. */
const toPrismaValues = (patch: object) =>
  Object.fromEntries(
    Object.entries(patch).map(([name, value]) => [
      name,
      DATES.includes(name) && typeof value === 'string'
        ? midnight(value)
        : name === 'recurrence' && value === null
          ? Prisma.DbNull
          : value,
    ]),
  );

/** IDs that were added to and removed from a list. */
interface ListDifference {
  come: string[];
  gone: string[];
}
const NO_DIFFERENCE: ListDifference = { come: [], gone: [] };

/** Records the history of a change, with old and new values. */
async function recordChange(
  { db }: CommandContext,
  { code }: AccessibleProject,
  item: LockedItem,
  { patch, people, blockers }: { patch: Partial<LockedItem>; people: ListDifference; blockers: ListDifference },
): Promise<void> {
  const now = item as unknown as Record<string, unknown>;
  const hidden = ['rank', 'stage_since', 'completed_at', 'series_id', 'series_date'];
  const fields = Object.entries(patch).filter(([name]) => !hidden.includes(name));
  const diff = Object.fromEntries(fields.map(([name, value]) => [name, [now[name], value] as const]));
  for (const [name, { come, gone }] of Object.entries({ assignees: people, blocked_by: blockers }))
    if (come.length + gone.length > 0) diff[name] = [gone, come];
  if (Object.keys(diff).length === 0) return;
  await recordActivities(db, [
    {
      project_id: item.project_id,
      verb: patch.stage_id ? 'moved' : 'updated',
      object: { type: item.kind, id: item.id, label: `${code}-${item.number} ${patch.title ?? item.title}` },
      diff,
      client_visible: item.client_visible,
    },
  ]);
}

interface ChangeTarget {
  id: string;
  /** Project of the card according to the caller. */
  project_id?: string;
  expect: number | undefined;
}

/**
 * Updates a task or a bug, and moves it if a stage or a position is named. Unchanged fields write nothing.
 * @throws NotFound, including if the card is in another project; Stale, Blocked, WipLimit, …
 */
export async function updateWorkItem(
  context: CommandContext,
  kind: WorkItemKind,
  { id, project_id, expect }: ChangeTarget,
  { version: _, ...changes }: WorkItemChanges,
): Promise<ChangeWarnings> {
  const { db, emit, caller } = context;
  const inside = await projectOf(db, kind, id, project_id);
  const lock = LOCKED_FIELDS.some((field) => changes[field] !== undefined) ? 'update' : 'share';
  const project = await enterProject(context, inside, 'member', { lock });
  const item = await lockItem(db, kind, id, inside);
  assertVersion(item, expect);
  await assertChanges(context, item, changes);

  const blockers = changes.blocked_by ? await setBlockers(db, id, changes.blocked_by) : NO_DIFFERENCE;
  const { patch: moved, ...warnings } = await placeInStage(context, project, item, {
    stage_id: changes.stage_id,
    position: changes.position,
  });
  const group = moved.group ?? item.group;
  const ending = await endingAfter(context, item, group, changes);
  const columns = Object.fromEntries(PLAIN_COLUMNS.map((name) => [name, changes[name]]));
  const series = changes.recurrence
    ? { series_id: item.series_id ?? id, series_date: changes.due_date ?? item.due_date }
    : {};
  const patch = {
    ...changedColumns(item, { ...columns, recurrence: recurrenceOf(item, changes), ...series, ...ending }),
    ...moved,
  };
  if (Object.keys(patch).length > 0) await change(db.workItem, id, toPrismaValues(patch));

  const people = changes.assignee_ids ? await assign(db, id, changes.assignee_ids) : NO_DIFFERENCE;
  await addWatchers(db, id, people.come);
  await recountProgress(db, kind, item, { ...item, ...patch });
  await recordChange(context, project, item, {
    patch,
    people,
    blockers,
  });
  announceAssignment(
    emit,
    item,
    people.come.filter((user_id) => user_id !== caller.user_id),
  );
  await notify(db, caller.user_id, [
    { kind: 'assignment', item_id: id, user_ids: people.come },
    {
      kind: 'mention',
      item_id: id,
      user_ids: newlyMentioned(item.description, changes.description ?? item.description),
    },
  ]);
  if (moved.stage_id) announceStep(emit, item, item, { stage_id: moved.stage_id, group, ...ending });
  if (moved.group && isClosedGroup(moved.group) && !isClosedGroup(item.group) && !isClosed(project))
    await continueSeries(context, { ...item, ...patch }, today(caller.timezone));
  return warnings;
}
