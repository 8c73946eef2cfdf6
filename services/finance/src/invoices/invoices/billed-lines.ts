/** Lines that bill time. Their quantities and prices are calculated, not agreed. */
import { sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import { compare } from '@suite/money';
import type { DraftLine } from '../documents/lines.ts';
import type { Db } from '../../operations.ts';

const TIME = 'time';
const isBilled = ({ source_type }: Pick<DraftLine, 'source_type'>): boolean => source_type === TIME;

export const BilledTime = fault(
  409,
  'billed_time',
  'These lines bill time entries, so their quantity, price and currency cannot be changed. Delete the draft and invoice the time again.',
);

/** Returns the source that the lines of an invoice were billed from. Empty if there is none. */
export async function billingSourceOf(
  db: Db,
  sales_invoice_id: string,
): Promise<{ source_type: string; source_id: string }> {
  const [found] = await db.rows<{ source_type: string; source_id: string }>(sql`
    SELECT source_type, source_id FROM invoice_lines
    WHERE sales_invoice_id = ${sales_invoice_id}::uuid AND source_type = ${TIME} LIMIT 1`);
  return found ?? { source_type: '', source_id: '' };
}

/** Rejects another currency for billed lines, because their prices are in the old one. @throws BilledTime */
export function assertBilledCurrency(before: readonly DraftLine[], from: string | undefined, to: string): void {
  if (before.some(isBilled) && from !== to) throw BilledTime({ currency: from });
}

/**
 * Returns the lines that replace a draft's lines. Billed lines keep their positions, quantities and prices. Others
 * follow.
 * @throws BilledTime
 */
export function mergeBilledLines(before: readonly DraftLine[], lines: readonly DraftLine[]): DraftLine[] {
  const kept = lines.map((line, at) => {
    const { source_type, source_id, qty, unit_price } = before[at] ?? {};
    if (source_type !== TIME) return line;
    const isSame = !line.product_id && compare(line.qty, qty!) === 0 && compare(line.unit_price, unit_price!) === 0;
    if (!isSame) throw BilledTime({ line: at });
    return { ...line, source_type, source_id: source_id! };
  });
  if (before.some((line, at) => isBilled(line) && at >= lines.length)) throw BilledTime();
  return kept;
}
