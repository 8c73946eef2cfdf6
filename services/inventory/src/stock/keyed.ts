/** Requests of other services: each has its effect once, and a key that was undone is spent. */
import { createHash } from 'node:crypto';
import { fault, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';
import type { Source } from './movement.ts';

export const KeyReversed = fault(409, 'key_reversed', 'What was asked for under this key has been undone.');
export const KeyReused = fault(409, 'key_reused', 'This key was used for something else.');

export interface StockRequest {
  kind: 'issue' | 'receipt' | 'reservation' | 'release';
  key: string;
  source: Source;
  /** What makes it the same request. */
  content: unknown;
}

interface Kept {
  content_hash: string | null;
  answer: object | null;
  reversed: boolean;
}

const hashOf = (content: unknown): string => createHash('sha256').update(JSON.stringify(content)).digest('hex');

/**
 * Does the work for a key, or answers what it was answered before. Whoever comes with the same key meanwhile waits.
 * @throws KeyReversed, KeyReused
 */
export async function once<T extends object>(
  db: Db,
  { kind, key, source, content }: StockRequest,
  work: () => Promise<T>,
): Promise<T> {
  const content_hash = hashOf([source.type, source.id, content]);
  const mine = await db.rows(sql`
    INSERT INTO stock_requests (kind, key, content_hash, source_type, source_id, answer)
    VALUES (${kind}, ${key}, ${content_hash}, ${source.type}, ${source.id}, '{}') ON CONFLICT DO NOTHING RETURNING key`);
  if (mine.length === 0) {
    const [kept] = await db.rows<Kept>(sql`
      SELECT content_hash, answer, reversed_at IS NOT NULL AS reversed FROM stock_requests
      WHERE kind = ${kind} AND key = ${key}`);
    if (kept?.reversed) throw KeyReversed();
    if (kept?.content_hash !== content_hash) throw KeyReused();
    return kept.answer as T;
  }
  const answer = await work();
  await db.rows(sql`
    UPDATE stock_requests SET answer = ${JSON.stringify(answer)}::jsonb WHERE kind = ${kind} AND key = ${key}`);
  return answer;
}

/** What an undoing is answered with, and what it was asked for with; nothing of that where somebody else has undone it. */
type Undone<T> = T & { content_hash?: string };

/**
 * Undoes what was done for a key, once; a key that nobody has used is spent all the same.
 * @param content what makes it the same undoing
 * @throws KeyReused where it was undone in another way
 * @param work is given what had been answered, and returns what the undoing is answered with
 */
export async function undoOnce<Done extends object, T extends object>(
  db: Db,
  { kind, key, content, nothing }: { kind: StockRequest['kind']; key: string; content: unknown; nothing: T },
  work: (done: Done, source: Source) => Promise<T>,
): Promise<T> {
  const content_hash = hashOf(content);
  const kept = (answer: T) => JSON.stringify({ ...answer, content_hash } satisfies Undone<T>);
  const spent = await db.rows(sql`
    INSERT INTO stock_requests (kind, key, reversed_at, reversal)
    VALUES (${kind}, ${key}, clock_timestamp(), ${kept(nothing)}::jsonb) ON CONFLICT DO NOTHING RETURNING key`);
  if (spent.length > 0) return nothing;
  const [undone] = await db.rows<{ answer: Done; source_type: string; source_id: string }>(sql`
    UPDATE stock_requests SET reversed_at = clock_timestamp()
    WHERE kind = ${kind} AND key = ${key} AND reversed_at IS NULL RETURNING answer, source_type, source_id`);
  if (!undone) {
    const [before] = await db.rows<{ reversal: Undone<T> }>(sql`
      SELECT reversal FROM stock_requests WHERE kind = ${kind} AND key = ${key}`);
    const { content_hash: bound = content_hash } = before!.reversal;
    if (bound !== content_hash) throw KeyReused();
    return before!.reversal;
  }
  const reversal = await work(undone.answer, { type: undone.source_type, id: undone.source_id });
  await db.rows(sql`
    UPDATE stock_requests SET reversal = ${kept(reversal)}::jsonb WHERE kind = ${kind} AND key = ${key}`);
  return reversal;
}
