/** Official numbers: gap-free in their series and year, given in the transaction that makes a document official. */
import { sql } from '@suite/chassis';
import type { Db } from '../operations.ts';

/** What documents are numbered by. Those that go on for ever do not begin anew with the year. */
const SERIES = {
  customer: { prefix: 'CUS', yearly: false },
  vendor: { prefix: 'VEN', yearly: false },
  sales_invoice: { prefix: 'INV', yearly: true },
  purchase_invoice: { prefix: 'BILL', yearly: true },
  sales_return: { prefix: 'SR', yearly: true },
  purchase_return: { prefix: 'PR', yearly: true },
  credit_note: { prefix: 'CN', yearly: true },
  debit_note: { prefix: 'DN', yearly: true },
  refund: { prefix: 'REF', yearly: true },
  revenue: { prefix: 'REV', yearly: true },
  expense: { prefix: 'EXP', yearly: true },
  customer_payment: { prefix: 'PAY', yearly: true },
  vendor_payment: { prefix: 'VPAY', yearly: true },
  bank_transfer: { prefix: 'TRF', yearly: true },
} as const;

export type Series = keyof typeof SERIES;

/**
 * Takes the next number of a series: `INV-2026-00001`. The counter stays locked until the transaction ends, so it is
 * taken late: after every other lock, the document's number before those of what it makes, and all before the journal's.
 * @param day the document's date; its year is the number's
 */
export async function takeNumber(db: Db, type: Series, day: string): Promise<string> {
  const { prefix, yearly } = SERIES[type];
  const year = yearly ? Number(day.slice(0, 4)) : 0;
  const [counter] = await db.rows<{ last: number }>(sql`
    INSERT INTO number_counters AS counter (type, year, last) VALUES (${type}, ${year}, 1)
    ON CONFLICT (workspace_id, type, year) DO UPDATE SET last = counter.last + 1 RETURNING last`);
  const digits = String(counter?.last).padStart(5, '0');
  return yearly ? `${prefix}-${year}-${digits}` : `${prefix}-${digits}`;
}
