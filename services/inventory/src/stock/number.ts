/** Official numbers: one after the other in each year, without a gap. */
import { sql } from '@suite/chassis';
import type { Db } from '../operations.ts';

const PREFIXES = { transfer: 'TRF', pos_order: 'POS' } as const;

/**
 * The next number, `POS-2026-00001`. Take it last: whoever takes the next one waits until this transaction has ended.
 * @param day of the document, whose year counts
 */
export async function takeNumber(db: Db, type: keyof typeof PREFIXES, day: string): Promise<string> {
  const year = day.slice(0, 4);
  const [counter] = await db.rows<{ last: number }>(sql`
    INSERT INTO counters (type, year, last) VALUES (${type}, ${year}::smallint, 1)
    ON CONFLICT (workspace_id, type, year) DO UPDATE SET last = counters.last + 1 RETURNING last`);
  return `${PREFIXES[type]}-${year}-${String(counter!.last).padStart(5, '0')}`;
}
