/**
 * Ordered stages: the columns of a board. A set belongs to a project or is the workspace's default set, and is for
 * tasks or for bugs.
 */
import { randomUUIDv7 } from 'node:crypto';
import { assertVersion, change, find, storePositions, sql, moveToPosition } from '@suite/chassis/database';
import { fault, type Fault, Forbidden, invalid, NotFound } from '@suite/chassis/faults';
import { inUseFault } from '@suite/chassis/lists';
import { enterProject } from '../access/access.ts';
import { type NewActivity, recordActivities } from '../activities/activity.ts';
import type { CommandContext, Db } from '../../operations.ts';
import { moveCards } from './stage-cards.ts';
import type { StageChanges, StageInput, StageOrder } from './stage.schema.ts';
import type { CardKind } from './stage.view.ts';

export const LastStage = fault(
  409,
  'last_stage',
  'A board needs a stage for new cards and one for completed cards. Create another stage first.',
);

/** Set of stages. */
interface StageSet {
  kind: CardKind;
  /** Project of the set. Null for the workspace's default set. */
  project_id: string | null;
}

type StageGroupName = 'backlog' | 'unstarted' | 'started' | 'completed' | 'cancelled';

/** Stage columns for the rules. */
export interface StageRow extends StageSet {
  id: string;
  name: string;
  order: number;
  group: StageGroupName;
  is_default: boolean;
  version: number;
}

/** Returns the state of a stage's cards: completed, cancelled, or open. */
const sideOf = (group: StageGroupName): string => (group === 'completed' || group === 'cancelled' ? group : 'open');
const isInitial = (group: StageGroupName): boolean => group === 'backlog' || group === 'unstarted';
const DEFAULT_COLOR = '#64748b';

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/**
 * Checks the permission to change a set of stages, and locks it until the transaction ends. Requires the manager role
 * in the project, or the permission for the default set.
 * @returns its stages in order
 */
async function enterSet(
  context: CommandContext,
  { kind, project_id }: StageSet,
  permission: 'stage.create' | 'stage.update' | 'stage.delete',
  notFound: () => Fault = NotFound,
): Promise<StageRow[]> {
  const { db, caller } = context;
  if (project_id) await enterProject(context, project_id, 'manager', { lock: 'update', absent: notFound });
  else if (caller.permissions.includes(permission)) await db.rows(sql`SELECT id FROM settings FOR NO KEY UPDATE`);
  else throw Forbidden({ permission });
  return await db.rows<StageRow>(sql`
    SELECT id, kind, project_id, name, "order", "group", is_default, version FROM stages
    WHERE kind = ${kind} AND project_id IS NOT DISTINCT FROM ${project_id}::uuid ORDER BY "order"`);
}

/**
 * Returns the stage in the path and all stages of its board. @throws NotFound, including for a stage of the other kind of
 * board
 */
async function enterStage(
  context: CommandContext,
  kind: CardKind,
  id: string,
  permission: 'stage.update' | 'stage.delete',
) {
  const { project_id, kind: its } = await find(context.db.stage, id);
  if (its !== kind) throw NotFound();
  const stages = await enterSet(context, { kind, project_id }, permission);
  const stage = stages.find((other) => other.id === id);
  if (!stage) throw NotFound();
  return { stage, stages };
}

const putStagesInOrder = (db: Db, ids: readonly string[]) => storePositions(db, sql`stages`, ids, sql`"order"`);

/** Makes a stage the default for new cards. @throws a 422 if its group does not allow new cards */
async function makeDefault(db: Db, { id, group }: { id: string; group: StageGroupName }, stages: readonly StageRow[]) {
  if (!isInitial(group))
    throw invalid('is_default', 'New cards start in a stage of the group `backlog` or `unstarted`.');
  const before = stages.find((other) => other.is_default && other.id !== id);
  if (before) await db.stage.updateMany({ where: { id: before.id }, data: { is_default: false } });
  await db.stage.updateMany({ where: { id }, data: { is_default: true } });
}

/** Returns the history of a project's board. The workspace's default set has none. */
const historyOf = (
  { id, project_id, name }: Pick<StageRow, 'id' | 'project_id' | 'name'>,
  verb: string,
  diff: NonNullable<NewActivity['diff']> = {},
): NewActivity[] => (project_id ? [{ project_id, verb, object: { type: 'stage', id, label: name }, diff }] : []);

/** Adds a stage to a set, at the end or at a position. Returns its ID. */
export async function createStage(
  context: CommandContext,
  kind: CardKind,
  { project_id: requestedProject, order, is_default, color = DEFAULT_COLOR, ...columns }: StageInput,
): Promise<string> {
  const { db } = context;
  const project_id = requestedProject ?? null;
  const projectNotFound = () => invalid('project_id', 'Project not found.');
  const stages = await enterSet(context, { kind, project_id }, 'stage.create', projectNotFound);
  const { id, name, group } = await db.stage.create({
    data: { ...columns, color, kind, project_id, order: stages.length },
  });
  if (order !== undefined) await putStagesInOrder(db, moveToPosition(idsOf(stages), id, order));
  if (is_default) await makeDefault(db, { id, group: group as StageGroupName }, stages);
  await recordActivities(db, historyOf({ id, project_id, name }, 'created'));
  return id;
}

const countCards = async (db: Db, stage_id: string): Promise<number> =>
  await db.workItem.count({ where: { stage_id } });

/**
 * Returns the fault for a stage with cards. Counts only the cards that the caller sees, so that hidden cards are not
 * revealed.
 */
const stageInUse = (db: Db, { id, kind }: StageRow): Promise<Fault> =>
  inUseFault(async () => ({ [`${kind}s`]: await countCards(db, id) }));

/**
 * Checks that a stage can change to a group. @throws InUse if cards would become completed, cancelled or open;
 * LastStage, a 422 for the stage of new cards
 */
async function assertGroup(db: Db, stage: StageRow, group: StageGroupName, stages: readonly StageRow[]): Promise<void> {
  if (stage.is_default && !isInitial(group))
    throw invalid('group', 'New cards start in this stage. Choose another default stage first.');
  if (sideOf(group) === sideOf(stage.group)) return;
  if (stage.group === 'completed' && stages.filter((other) => other.group === 'completed').length === 1)
    throw LastStage();
  if ((await countCards(db, stage.id)) > 0) throw await stageInUse(db, stage);
}

/** Updates a stage. @throws InUse, LastStage, Stale */
export async function updateStage(
  context: CommandContext,
  kind: CardKind,
  id: string,
  { version: _, order, is_default, ...columns }: StageChanges,
  expect: number | undefined,
): Promise<void> {
  const { db } = context;
  const { stage, stages } = await enterStage(context, kind, id, 'stage.update');
  assertVersion(stage, expect);
  const group = columns.group ?? stage.group;
  if (group !== stage.group) await assertGroup(db, stage, group, stages);
  if (is_default === false && stage.is_default) throw invalid('is_default', 'Choose another default stage instead.');
  if (Object.keys(columns).length > 0) await change(db.stage, id, columns);
  if (group !== stage.group)
    await db.rows(sql`UPDATE work_items SET "group" = ${group} WHERE stage_id = ${id}::uuid AND "group" <> ${group}`);
  if (is_default && !stage.is_default) await makeDefault(db, { id, group }, stages);
  if (order !== undefined) await putStagesInOrder(db, moveToPosition(idsOf(stages), id, order));
  const diff: NonNullable<NewActivity['diff']> = group === stage.group ? {} : { group: [stage.group, group] };
  await recordActivities(db, historyOf({ ...stage, name: columns.name ?? stage.name }, 'updated', diff));
}

/** Reorders all stages of a set. @throws a 422 unless each is listed once. Returns their IDs */
export async function orderStages(
  context: CommandContext,
  kind: CardKind,
  { project_id: requestedProject, stage_ids }: StageOrder,
): Promise<string[]> {
  const project_id = requestedProject ?? null;
  const projectNotFound = () => invalid('project_id', 'Project not found.');
  const stages = await enterSet(context, { kind, project_id }, 'stage.update', projectNotFound);
  const requestedIds = new Set(stage_ids);
  if (
    requestedIds.size !== stage_ids.length ||
    requestedIds.size !== stages.length ||
    !stages.every(({ id }) => requestedIds.has(id))
  )
    throw invalid('stage_ids', 'Enter every stage of the set once.');
  await putStagesInOrder(context.db, stage_ids);
  const [first] = stages;
  if (first && idsOf(stages).join() !== stage_ids.join())
    await recordActivities(context.db, historyOf(first, 'ordered'));
  return stage_ids;
}

/**
 * Deletes a stage. Its cards move to `move_to`, behind the existing cards. The limit of that stage is not checked.
 * @throws LastStage, InUse if the stage has cards and `move_to` is missing
 */
export async function removeStage(
  context: CommandContext,
  kind: CardKind,
  id: string,
  move_to: string | undefined,
): Promise<{ id: string }> {
  const { db, emit } = context;
  const { stage, stages } = await enterStage(context, kind, id, 'stage.delete');
  const rest = stages.filter((other) => other.id !== id);
  const target = rest.find((other) => other.id === move_to);
  if (rest.length === 0) throw LastStage();
  if (stage.group === 'completed' && !rest.some(({ group }) => group === 'completed')) throw LastStage();
  if (move_to && !target) throw invalid('move_to', 'Choose another stage of the same board.');
  if (target && sideOf(target.group) !== sideOf(stage.group))
    throw invalid('move_to', 'Choose a stage of the same group: open, completed or cancelled.');
  if (stage.is_default && !target) throw LastStage();
  if (stage.is_default && target && !isInitial(target.group))
    throw invalid(
      'move_to',
      'New cards start in the default stage. Choose a stage of the group `backlog` or `unstarted`.',
    );
  if (!target && (await countCards(db, id)) > 0) throw await stageInUse(db, stage);
  if (target) await moveCards({ db, emit }, stage, target);
  await db.stage.deleteMany({ where: { id } });
  if (stage.is_default && target) await makeDefault(db, target, rest);
  await putStagesInOrder(db, idsOf(rest));
  await recordActivities(db, historyOf(stage, 'deleted'));
  return { id };
}

/**
 * Creates the stages of a new project as copies of a template's stages, or else of the workspace's stages. @returns the
 * new IDs by the IDs of the originals
 */
export async function copyStages(
  db: Db,
  template_id: string | null,
  project_id: string,
): Promise<ReadonlyMap<string, string>> {
  const found = await db.stage.findMany({
    where: { project_id: template_id },
    orderBy: [{ kind: 'asc' }, { order: 'asc' }],
  });
  const ids = new Map(found.map(({ id }) => [id, randomUUIDv7()]));
  await db.stage.createMany({
    data: found.map(({ id, kind, name, color, order, group, is_default, wip_limit }) => ({
      id: ids.get(id)!,
      kind,
      name,
      color,
      order,
      group,
      is_default,
      wip_limit,
      project_id,
    })),
  });
  return ids;
}
