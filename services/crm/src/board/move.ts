/** Moving cards. Whoever changes a board locks stages first and cards after them, so that no two wait for each other. */
import { raw, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';
import { type Board, namesOf, type Stage } from './board.ts';

/** Locks a stage against other moves into it. Cards can still be created in it. */
export async function lockStage(db: Db, board: Board, id: string): Promise<Stage | undefined> {
  const [stage] = await db.rows<Stage>(sql`
    SELECT id, pipeline_id, name, type FROM ${raw(namesOf(board).stages)} WHERE id = ${id}::uuid FOR NO KEY UPDATE`);
  return stage;
}

/** Writes down that cards leave their stage for another one; call it before they do. */
export async function recordStageChange(db: Db, board: Board, ids: readonly string[], to: Stage): Promise<void> {
  const { cards, stages, key } = namesOf(board);
  await db.rows(sql`
    INSERT INTO stage_changes (id, ${raw(key)}, from_stage_id, from_name, to_stage_id, to_name, seconds_in_from)
    SELECT gen_random_uuid(), card.id, stage.id, stage.name, ${to.id}::uuid, ${to.name},
      greatest(0, extract(epoch FROM clock_timestamp() - card.stage_since))
    FROM ${raw(cards)} AS card JOIN ${raw(stages)} AS stage ON stage.id = card.stage_id
    WHERE card.id = ANY(${ids}::uuid[])`);
}
