/** Where cards are put, and what that makes of them. */
import { change, clock, invalid, raw, sql } from '@suite/chassis';
import { dropForeignLabels } from '../dossier/members.ts';
import { subjectOf, tell } from '../dossier/timeline.ts';
import type { Db, Work } from '../operations.ts';
import { type Board, type Card, cardsOf, namesOf, type Outcome, type Stage } from './board.ts';
import { rankAt } from './rank.ts';

/** A stage and a reason, as a body names them. */
interface Wish {
  pipeline_id?: string | undefined;
  stage_id?: string | undefined;
  lost_reason?: string | undefined;
}

/** Where a new card goes: the stage that it names, else the first of the pipeline that it names, else of the default one. */
export async function stageForNew(db: Db, board: Board, { pipeline_id, stage_id }: Wish): Promise<Stage | undefined> {
  const chosen = stage_id ? sql`stage.id = ${stage_id}::uuid` : pipeline_id ? sql`TRUE` : sql`pipeline.is_default`;
  const inside = pipeline_id ? sql`pipeline.id = ${pipeline_id}::uuid` : sql`TRUE`;
  const [stage] = await db.rows<Stage>(sql`
    SELECT stage.id, stage.pipeline_id, stage.name, stage.type
    FROM ${raw(namesOf(board).stages)} AS stage JOIN pipelines AS pipeline ON pipeline.id = stage.pipeline_id
    WHERE ${chosen} AND ${inside}
    ORDER BY stage.type IN ('won', 'lost'), stage.position LIMIT 1`);
  if (!stage && stage_id)
    throw invalid('stage_id', pipeline_id ? 'The pipeline has no such stage.' : 'There is no such stage.');
  if (!stage && pipeline_id) throw invalid('pipeline_id', 'There is no such pipeline.');
  return stage;
}

/** What a stage makes of a card. @throws a 422 when it would be lost without a reason, or not lost with one */
export function resultOf(board: Board, stage: Stage, { lost_reason }: Wish) {
  const status = board.outcomeOf(stage.type);
  if (status === 'lost' && !lost_reason) throw invalid('lost_reason', `Say why the ${board.kind} was lost.`);
  if (status !== 'lost' && lost_reason) throw invalid('lost_reason', `Only a lost ${board.kind} has a reason.`);
  return { status, lost_reason: lost_reason ?? null };
}

/**
 * Does what a change of a card says about its place. A card changes its pipeline only together with a stage of the new
 * one. Both the stage that is named and the card must be locked.
 */
export async function follow(work: Work, board: Board, card: Card, stage: Stage | undefined, wish: Wish): Promise<void> {
  const { pipeline_id = card.pipeline_id, stage_id = card.stage_id, lost_reason } = wish;
  if (pipeline_id !== card.pipeline_id || stage_id !== card.stage_id) {
    if (!wish.stage_id) throw invalid('stage_id', 'Choose a stage of the pipeline.');
    if (!stage) throw invalid('stage_id', 'There is no such stage.');
    if (stage.pipeline_id !== pipeline_id) throw invalid('stage_id', 'The pipeline has no such stage.');
    await place(work, board, card, stage, { lost_reason });
  } else if (lost_reason) {
    if (card.status !== 'lost') throw invalid('lost_reason', `Only a lost ${board.kind} has a reason.`);
    await change(cardsOf(work.db, board), card.id, { lost_reason });
  }
}

/**
 * Puts a card into a stage, on top or at a position of the column. The type of the stage decides what becomes of it.
 * Both must be locked.
 */
export async function place(
  { db, caller, emit }: Work,
  board: Board,
  { id, stage_id: from_stage_id, pipeline_id, status: before }: Card,
  stage: Stage,
  { position, lost_reason }: { position?: number | undefined; lost_reason?: string | undefined },
): Promise<void> {
  const arrives = stage.id !== from_stage_id;
  if (!arrives && position === undefined) return;
  const now = clock.now();
  const rank = await rankAt(db, board, caller, { stage_id: stage.id, card_id: id, position: position ?? 0 });
  const patch = { rank, last_activity_at: now };
  if (!arrives) return void (await change(cardsOf(db, board), id, patch));

  const stays = before === board.outcomeOf(stage.type);
  const arrival = { ...patch, pipeline_id: stage.pipeline_id, stage_id: stage.id, stage_since: now };
  await recordStageChange(db, board, [id], stage);
  const keeps_reason = stays && !lost_reason;
  const { status, lost_reason: reason } = resultOf(board, stage, keeps_reason ? { lost_reason: } : { lost_reason });
