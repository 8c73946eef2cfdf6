/** Placement of cards in stages, and the status that results from the stage. */
import { randomUUIDv7 } from 'node:crypto';
import { change, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { clock } from '@suite/chassis/runtime';
import { dropForeignLabels } from './members.ts';
import { timelineSubjectOf, addActivity } from './timeline.ts';
import { columnNamed, type CommandContext, type Db, tableNamed } from '../../operations.ts';
import { type Board, type Card, cardsOf, namesOf, type Stage } from './board.ts';
import { rankAt } from './rank.ts';

/** Position and reason in a request body. */
interface CardMove {
  pipeline_id?: string | undefined;
  stage_id?: string | undefined;
  lost_reason?: string | undefined;
}

/** Returns the stage of a new card. Defaults to the first stage of the given or the default pipeline. */
export async function findFirstStage(
  db: Db,
  board: Board,
  { pipeline_id, stage_id }: CardMove,
): Promise<Stage | undefined> {
  const chosen = stage_id ? sql`stage.id = ${stage_id}::uuid` : pipeline_id ? sql`TRUE` : sql`pipeline.is_default`;
  const inside = pipeline_id ? sql`pipeline.id = ${pipeline_id}::uuid` : sql`TRUE`;
  const [stage] = await db.rows<Stage>(sql`
    SELECT stage.id, stage.pipeline_id, stage.name, stage.type
    FROM ${tableNamed(namesOf(board).stages)} AS stage JOIN pipelines AS pipeline ON pipeline.id = stage.pipeline_id
    WHERE ${chosen} AND ${inside}
    ORDER BY stage.type IN ('won', 'lost'), stage.position LIMIT 1`);
  if (!stage && stage_id) throw invalid('stage_id', 'Stage not found on this board.');
  if (!stage && pipeline_id) throw invalid('pipeline_id', 'Pipeline not found.');
  return stage;
}

/**
 * Returns the columns that a stage sets on a card. @throws a 422 for a lost card without a reason, or a reason without
 * a lost card
 */
export function outcomeColumns(board: Board, stage: Stage, { lost_reason }: CardMove) {
  const status = board.outcomeOf(stage.type);
  if (status === 'lost' && !lost_reason)
    throw invalid('lost_reason', `Enter the reason why the ${board.kind} was lost.`);
  if (status !== 'lost' && lost_reason)
    throw invalid('lost_reason', `Only a lost ${board.kind} can have a reason. Remove the reason.`);
  return { status, lost_reason: lost_reason ?? null };
}

/**
 * Moves a card if the change names another place. A card changes its pipeline only together with a stage of the new
 * pipeline. The card and the named stage must be locked.
 */
export async function moveIfRequested(
  context: CommandContext,
  board: Board,
  card: Card,
  stage: Stage | undefined,
  { pipeline_id = card.pipeline_id, stage_id, lost_reason }: CardMove,
): Promise<void> {
  const leaves = pipeline_id !== card.pipeline_id || (stage_id !== undefined && stage_id !== card.stage_id);
  if (leaves) {
    if (!stage_id) throw invalid('stage_id', 'Choose a stage of the pipeline.');
    if (stage?.pipeline_id !== pipeline_id) throw invalid('stage_id', 'Stage not found in this pipeline.');
    await moveCard(context, board, card, stage, { lost_reason });
  } else if (lost_reason) {
    if (card.status !== 'lost')
      throw invalid('lost_reason', `Only a lost ${board.kind} can have a reason. Remove the reason.`);
    await change(cardsOf(context.db, board), card.id, { lost_reason });
  }
}

/**
 * Puts a card into a stage, on top or at a position of the column. The type of the stage decides the status of the
 * card. Card and stage must be locked.
 */
export async function moveCard(
  { db, emit }: CommandContext,
  board: Board,
  { id, stage_id: from_stage_id, pipeline_id, status: before }: Card,
  stage: Stage,
  { position, lost_reason }: { position?: number | undefined; lost_reason?: string | undefined },
): Promise<void> {
  const arrives = stage.id !== from_stage_id;
  if (!arrives && position === undefined) return;
  const now = clock.now();
  const rank = await rankAt(db, board, { stage_id: stage.id, card_id: id, position: position ?? 0 });
  if (!arrives) return void (await change(cardsOf(db, board), id, { rank, last_activity_at: now }));

  const stays = board.outcomeOf(stage.type) === before;
  // A lost card that stays lost keeps its reason, unless the request has a new one.
  const result = stays && !lost_reason ? {} : outcomeColumns(board, stage, { lost_reason });
  const place = { pipeline_id: stage.pipeline_id, stage_id: stage.id, stage_since: now, rank, last_activity_at: now };
  await recordStageChange(db, board, [id], stage);
  if (stays) await change(cardsOf(db, board), id, { ...place, ...result });
  else await board.settle(db, id, board.outcomeOf(stage.type), { ...place, ...result });
  if (stage.pipeline_id !== pipeline_id) await dropForeignLabels(db, board.kind, id, stage.pipeline_id);

  const outcome = stays ? 'moved' : board.outcomeOf(stage.type);
  const line = { from_stage_id, to_stage_id: stage.id, stage: stage.name, ...(lost_reason && { lost_reason }) };
  await addActivity(db, timelineSubjectOf(board.kind, id), outcome === 'open' ? 'reopened' : outcome, line);
  board.announceMove(emit, id, from_stage_id, stage.id);
  if (outcome !== 'moved') await board.announceOutcome(db, emit, id, outcome, lost_reason);
}

/**
 * Records the first stage of a new card in its stage history and timeline. Uses one statement, because every new card
 * incurs its cost.
 */
export async function recordFirstStage(db: Db, board: Board, { id, name }: { id: string; name: string }, stage: Stage) {
  const key = columnNamed(namesOf(board).key);
  const payload = JSON.stringify({ name, stage: stage.name });
  await db.rows(sql`
    WITH beginning AS (
      INSERT INTO stage_changes (id, ${key}, to_stage_id, to_name, at)
      VALUES (${randomUUIDv7()}::uuid, ${id}::uuid, ${stage.id}::uuid, ${stage.name}, clock_timestamp()) RETURNING at)
    INSERT INTO activities (id, ${key}, type, payload, at)
    SELECT ${randomUUIDv7()}::uuid, ${id}::uuid, 'created', ${payload}::jsonb, at FROM beginning`);
}

/** Records the stage change of cards. Call it before the cards move. */
export async function recordStageChange(db: Db, board: Board, ids: readonly string[], to: Stage): Promise<void> {
  const { cards, stages, key } = namesOf(board);
  await db.rows(sql`
    INSERT INTO stage_changes (id, ${columnNamed(key)}, from_stage_id, from_name, to_stage_id, to_name, seconds_in_from)
    SELECT suite_uuid7(), card.id, stage.id, stage.name, ${to.id}::uuid, ${to.name},
      greatest(0, extract(epoch FROM clock_timestamp() - card.stage_since))
    FROM ${tableNamed(cards)} AS card JOIN ${tableNamed(stages)} AS stage ON stage.id = card.stage_id
    WHERE card.id = ANY(${ids}::uuid[])`);
}
