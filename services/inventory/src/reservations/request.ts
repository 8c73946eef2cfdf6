/** What other services ask of reservations. */
import { type Emit, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';
import { KeyReused, once, undoOnce } from '../stock/keyed.ts';
import type { Source } from '../stock/movement.ts';
import type { Line } from '../stock/request.ts';
import { endReservations, of, reserve } from './reservation.ts';

type Stock = { db: Db; emit: Emit };

/** Sets goods aside for a document, once for each key. */
export async function reserveOnce(
  stock: Stock,
  { key, source }: { key: string; source: Source },
  { lines, expires_at }: { lines: readonly Line[]; expires_at: string | null },
): Promise<Line[]> {
  const content = [lines, expires_at];
  const answer = await once(stock.db, { kind: 'reservation', key, source, content }, async () => ({
    lines: await reserve(stock, source, lines, expires_at),
  }));
  return answer.lines;
}

/** Ends what is set aside for a document, and spends the keys that it was set aside under. */
async function release({ db, emit }: Stock, source: Source): Promise<Line[]> {
  await db.rows(sql`
    UPDATE stock_requests SET reversed_at = clock_timestamp(), reversal = '{"lines": []}'
    WHERE kind = 'reservation' AND ${of(source)} AND reversed_at IS NULL`);
  return await endReservations({ db, emit }, of(source), 'released');
}

/**
 * Gives back what is still set aside for a document: a call that was believed lost sets nothing aside later.
 * @param key spends a reservation that may still be under way; a repeat of it leaves alone what was set aside since. Empty
 *   for whoever just gives everything back.
 * @throws KeyReused where the key is that of another document
 */
export async function releaseFor(stock: Stock, source: Source, key: string): Promise<Line[]> {
  if (!key) return await release(stock, source);
  const answer = await once(stock.db, { kind: 'release', key, source, content: null }, async () => {
    const nothing = { lines: [] };
    await undoOnce(stock.db, { kind: 'reservation', key, content: null, nothing }, async (_, own) => {
      if (own.type !== source.type || own.id !== source.id) throw KeyReused();
      return nothing;
    });
    return { lines: await release(stock, source) };
  });
  return answer.lines;
}
