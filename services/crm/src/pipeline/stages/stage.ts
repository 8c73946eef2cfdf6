/** Ordered stages: the columns of a board. The board decides how the type of a stage affects its cards. */
import { assertVersion, find, storePositions, remove, sql, moveToPosition } from '@suite/chassis/database';
import { fault, type Fault, invalid, NotFound } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { inUseFault, readOne } from '@suite/chassis/lists';
import { type Board, type RecordKind, namesOf, type Stage, stagesOf, type StageType } from '../board/board.ts';
import { recordStageChange } from '../board/move.ts';
import { serializeOn } from '../board/order.ts';
import { type Db, tableNamed } from '../../operations.ts';
import { DealStage, LeadStage } from './stage.schema.ts';

export const LastStage = fault(409, 'last_stage', 'A pipeline needs at least one stage. Create another stage first.');

export interface StageFields {
  pipeline_id?: string | undefined;
  name?: string | undefined;
  type?: StageType | undefined;
  color?: string | undefined;
  probability?: number | undefined;
  position?: number | undefined;
}

/** Returns a stage with the metrics of its cards. */
export const showStage = (db: Db, board: Board, caller: Caller, id: string) =>
  readOne(db, board.kind === 'lead' ? LeadStage : DealStage, id, {
    table: namesOf(board).stages,
    compute: board.figures(caller),
  });

/** Adds the probability: 100 for a won stage, 0 for a lost one. Lead stages have no probability. */
function withProbability(board: Board, fields: StageFields): Omit<StageFields, 'position' | 'pipeline_id'> {
  const { position: _, pipeline_id: __, ...columns } = fields;
  const certain = { won: 100, lost: 0 }[fields.type as string];
  if (board.kind === 'lead' || certain === undefined) return columns;
  if ((fields.probability ?? certain) !== certain) {
    throw invalid('probability', `A stage of the type ${fields.type} has the probability ${certain}.`);
  }
  return { ...columns, probability: certain };
}

async function idsInOrder(db: Db, board: { kind: RecordKind }, pipeline_id: string): Promise<string[]> {
  const stages = await stagesOf(db, board).findMany({
    where: { pipeline_id },
    select: { id: true },
    orderBy: { position: 'asc' },
  });
  return stages.map(({ id }) => id);
}

async function placeStage(
  db: Db,
  board: Board,
  pipeline_id: string,
  id: string,
  position: number | undefined,
): Promise<void> {
  if (position === undefined) return;
  const ids = await idsInOrder(db, board, pipeline_id);
  await storePositions(db, tableNamed(namesOf(board).stages), moveToPosition(ids, id, position));
}

/** Reorders all stages of a pipeline. @throws a 422 that names the field, unless each stage is listed once */
export async function orderStages(
  db: Db,
  kind: RecordKind,
  pipeline_id: string,
  ids: readonly string[],
): Promise<void> {
  await serializeOn(db, pipeline_id);
  const known = await idsInOrder(db, { kind }, pipeline_id);
  const listed = new Set(ids);
  if (listed.size !== ids.length || listed.size !== known.length || !known.every((id) => listed.has(id))) {
    throw invalid(`${kind}_stage_ids`, 'Enter every stage of the pipeline once.');
  }
  await storePositions(db, tableNamed(namesOf({ kind }).stages), ids);
}

/** Adds a stage to a pipeline, at the end or at a position. Returns its ID. */
export async function createStage(
  db: Db,
  board: Board,
  { pipeline_id, ...fields }: StageFields & { pipeline_id: string; name: string },
): Promise<string> {
  const pipeline = await db.pipeline.findFirst({ where: { id: pipeline_id } });
  if (!pipeline) throw invalid('pipeline_id', 'Pipeline not found.');
  await serializeOn(db, pipeline_id);
  const { length: position } = await idsInOrder(db, board, pipeline_id);
  const columns = { name: fields.name, ...withProbability(board, fields) };
  const { id } = await stagesOf(db, board).create({ data: { ...columns, pipeline_id, position } });
  await placeStage(db, board, pipeline_id, id, fields.position);
  return id;
}

const cardIdsIn = async (db: Db, board: Board, stage_id: string): Promise<string[]> => {
  const cards = await db.rows<{ id: string }>(sql`
    SELECT id FROM ${tableNamed(namesOf(board).cards)} WHERE stage_id = ${stage_id}::uuid`);
  return cards.map(({ id }) => id);
};

/**
 * Returns the fault for a stage with cards. Counts only the cards that the caller sees, so that hidden cards are not
 * revealed.
 */
const stageInUse = (db: Db, board: Board, id: string): Promise<Fault> =>
  inUseFault(async () => ({ [namesOf(board).cards]: (await cardIdsIn(db, board, id)).length }));

/**
 * Updates a stage.
 * @throws InUse if its cards would change to won, lost or open: only moving a card changes that
 */
export async function changeStage(
  db: Db,
  board: Board,
  id: string,
  fields: StageFields,
  expect: number | undefined,
): Promise<void> {
  const { pipeline_id } = await find(stagesOf(db, board), id);
  await serializeOn(db, pipeline_id);
  await lockStages(db, board, [id]);
  const stage = await find(stagesOf(db, board), id);
  assertVersion(stage, expect);
  if (fields.pipeline_id !== undefined && fields.pipeline_id !== pipeline_id) {
    throw invalid('pipeline_id', 'A stage cannot be moved to another pipeline.');
  }
  const before = stage as typeof stage & { type: StageType; probability?: number };
  const type = fields.type ?? before.type;
  if (board.outcomeOf(type) !== board.outcomeOf(before.type)) {
    if ((await cardIdsIn(db, board, id)).length > 0) throw await stageInUse(db, board, id);
  }
  const columns = withProbability(board, { ...fields, type });
  await stagesOf(db, board).updateMany({ where: { id }, data: columns });
  await placeStage(db, board, pipeline_id, id, fields.position);
}

async function lockStages(db: Db, board: Board, ids: string[]): Promise<Stage[]> {
  return await db.rows<Stage>(sql`
    SELECT id, pipeline_id, name, type FROM ${tableNamed(namesOf(board).stages)}
    WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR UPDATE`);
}

/**
 * Deletes a stage. Its cards move to `move_to`, which must give them the same status.
 * @returns the IDs of the moved cards
 * @throws LastStage
 * @throws InUse if the stage has cards and `move_to` is missing
 */
export async function removeStage(db: Db, board: Board, id: string, move_to: string | undefined): Promise<string[]> {
  const { pipeline_id } = await find(stagesOf(db, board), id);
  await serializeOn(db, pipeline_id);
  const locked = await lockStages(db, board, move_to ? [id, move_to] : [id]);
  const stage = locked.find((other) => other.id === id);
  const target = locked.find((other) => other.id === move_to && other.id !== id);
  if (!stage) throw NotFound();
  const rest = (await idsInOrder(db, board, pipeline_id)).filter((other) => other !== id);
  if (rest.length === 0) throw LastStage();
  if (move_to && target?.pipeline_id !== pipeline_id)
    throw invalid('move_to', 'Choose another stage of the same pipeline.');
  if (target && board.outcomeOf(target.type) !== board.outcomeOf(stage.type)) {
    throw invalid('move_to', 'Choose a stage of the same type: open, won or lost.');
  }
  const cards = await cardIdsIn(db, board, id);
  if (cards.length > 0 && !target) throw await stageInUse(db, board, id);
  if (target) {
    await recordStageChange(db, board, cards, target);
    await db.rows(sql`
      UPDATE ${tableNamed(namesOf(board).cards)} SET stage_id = ${target.id}::uuid, stage_since = clock_timestamp()
      WHERE stage_id = ${id}::uuid`);
  }
  await remove(stagesOf(db, board), id);
  await storePositions(db, tableNamed(namesOf(board).stages), rest);
  return cards;
}
