/** Locks of a board: stages first, then cards, to prevent deadlocks. */
import { sql } from '@suite/chassis/database';
import { NotFound, unknownRecord } from '@suite/chassis/faults';
import { type Db, tableNamed } from '../../operations.ts';
import { type Board, type Card, namesOf, type Stage } from './board.ts';

/** Locks a stage against other moves into it. Cards can still be created in it. */
export async function lockStage(db: Db, board: Board, id: string): Promise<Stage | undefined> {
  const [stage] = await db.rows<Stage>(sql`
    SELECT id, pipeline_id, name, type FROM ${tableNamed(namesOf(board).stages)} WHERE id = ${id}::uuid FOR NO KEY UPDATE`);
  return stage;
}

/** Locks a card until the transaction ends. Returns undefined if there is none. */
export async function findCard(db: Db, board: Board, id: string): Promise<Card | undefined> {
  const cards = tableNamed(namesOf(board).cards);
  const [card] = await db.rows<Card>(sql`
    SELECT id, pipeline_id, stage_id, status, version FROM ${cards}
    WHERE id = ${id}::uuid FOR NO KEY UPDATE`);
  return card;
}

/** Locks the card in the path. @throws NotFound */
export async function lockCard(db: Db, board: Board, id: string): Promise<Card> {
  const card = await findCard(db, board, id);
  if (!card) throw NotFound();
  return card;
}

/** Locks the card in the body. @throws a 422 that names the field */
export async function lockReferencedCard(db: Db, board: Board, id: string): Promise<Card> {
  const card = await findCard(db, board, id);
  if (!card) throw unknownRecord(namesOf(board).key, board.kind);
  return card;
}
