/** Lead or deal that an activity is added to. */
import { find } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import { idOf } from '@suite/chassis/fields';
import { clock } from '@suite/chassis/runtime';
import type { z } from 'zod';
import { assertCardOpen, type Board, type Card, cardsOf, namesOf } from './board.ts';
import { lockCard, lockReferencedCard } from './locks.ts';
import type { CommandContext } from '../../operations.ts';
import { type ActivityType, timelineSubjectOf, addActivity } from './timeline.ts';

/** Returns the record ID in a path or a body, from `lead_id` or `deal_id`. */
export const recordIdIn = (board: Board, named: object): string =>
  (named as Record<string, string>)[namesOf(board).key] as string;

/**
 * Returns the path parameter with the ID of the record. Shared operations are typed for leads. For deals, only the name
 * of this parameter differs.
 */
export const recordInPath = (board: Board) => {
  const { key, cards } = namesOf(board);
  return { [key]: idOf(cards) } as { lead_id: z.ZodUUID };
};

/**
 * Locks the record in the body for a change. @throws a 422 that names the field; the board's fault if the record is
 * closed
 */
export async function lockReferencedRecord({ db }: CommandContext, board: Board, body: object): Promise<Card> {
  const card = await lockReferencedCard(db, board, recordIdIn(board, body));
  assertCardOpen(board, card);
  return card;
}

/** Locks the record in the path for a change. @throws NotFound; the board's fault if the record is closed */
export async function lockRecord({ db }: CommandContext, board: Board, id: string): Promise<Card> {
  const card = await lockCard(db, board, id);
  assertCardOpen(board, card);
  return card;
}

interface ActivityRow {
  lead_id: string | null;
  deal_id: string | null;
}

/** Finds an activity row and locks its record for a change. @throws NotFound */
export async function lockActivityRow<T extends object>(context: CommandContext, board: Board, table: T, id: string) {
  const record_id = ((await find(table, id)) as ActivityRow)[namesOf(board).key];
  if (!record_id) throw NotFound();
  const card = await lockRecord(context, board, record_id);
  // Reads the row again, because another user may have changed it while this request waited for the lock.
  return { row: await find(table, id), card };
}

/** Records an activity: in the timeline of the record, and as its last activity. */
export async function recordActivity(
  { db }: CommandContext,
  board: Board,
  { id }: { id: string },
  type: ActivityType,
  payload: object,
) {
  await cardsOf(db, board).updateMany({ where: { id }, data: { last_activity_at: clock.now() } });
  await addActivity(db, timelineSubjectOf(board.kind, id), type, payload);
}
