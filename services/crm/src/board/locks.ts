/** Whoever changes a board locks its stages first and its cards after them, so that no two wait for each other. */
import { type Caller, NotFound, raw, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';
import { type Board, type Card, namesOf, type Stage } from './board.ts';

/** Locks a stage against other moves into it. Cards can still be created in it. */
export async function lockStage(db: Db, board: Board, id: string): Promise<Stage | undefined> {
  const [stage] = await db.rows<Stage>(sql`
    SELECT id, pipeline_id, name, type FROM ${raw(namesOf(board).stages)} WHERE id = ${id}::uuid FOR NO KEY UPDATE`);
  return stage;
}

/** Holds a card until the transaction ends. @throws NotFound also when the caller may not see it */
export async function lockCard(db: Db, board: Board, caller: Caller, id: string): Promise<Card> {
  const cards = raw(namesOf(board).cards);
  const [card] = await db.rows<Card>(sql`
    SELECT id, pipeline_id, stage_id, status, version FROM ${cards}
    WHERE id = ${id}::uuid AND ${board.visible(caller)} FOR NO KEY UPDATE`);
  if (!card) throw NotFound();
  return card;
}
