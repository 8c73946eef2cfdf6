/**
 * Goods that came in and are to go back, because their document is cancelled. Some of them may be gone: so they are set
 * aside at inventory first, which can refuse; then the books are taken back; then the goods, which cannot be refused then.
 */
import { clock, raw, sql } from '@suite/chassis';
import { compare } from '@suite/money';
import type { Db, Rpc } from '../operations.ts';
import { InsufficientStock, isRefusal, StockPending, type Write } from './saga.ts';

/** What came in for a document, and is to go back. */
export interface GivingBack {
  document_type: string;
  document_id: string;
  /** Which try it is. Each sets aside under a key of its own, which is spent when it is given up. */
  cancellations: number;
  /** `requested`: of all lines of the same product. */
  lines: { line_id: string; product_id: string; warehouse_id: string; qty: string; requested: string }[];
}

type Inventory = Pick<Rpc, 'inventory'>;

const keyOf = ({ document_id, cancellations }: GivingBack): string => `${document_id}:cancel:${cancellations}`;
const sourceOf = ({ document_type, document_id }: GivingBack) => ({ type: document_type, id: document_id, number: '' });

/**
 * Notes down that goods are about to be set aside. Whoever asks at the same time shares the try, and so its key.
 * @returns which try it is; nothing where no goods came in
 * @throws StockPending while a try is being given up
 */
export async function noteGivingBack(db: Db, document_id: string): Promise<number | undefined> {
  const [begun] = await db.rows<{ cancellations: number }>(sql`
    UPDATE stock_sagas SET since = ${clock.now()}, state = 'cancelling',
      cancellations = cancellations + CASE state WHEN 'settled' THEN 1 ELSE 0 END
    WHERE document_id = ${document_id}::uuid AND state IN ('settled', 'cancelling') RETURNING cancellations`);
  if (begun) return begun.cancellations;
  const open = await db.rows(sql`
    SELECT id FROM stock_sagas WHERE document_id = ${document_id}::uuid AND state = 'releasing'`);
  if (open.length > 0) throw StockPending();
  return undefined;
}

/** Gives free what a try may have set aside, and notes that this is done. Its key is spent, should it still be under way. */
export async function letGo(rpc: Inventory, write: Write, giving: GivingBack): Promise<void> {
  await rpc.inventory.release({ idempotency_key: keyOf(giving), source: sourceOf(giving) });
  await write((db) =>
    db.rows(sql`
      UPDATE stock_sagas SET state = 'settled', since = ${clock.now()}
      WHERE document_id = ${giving.document_id}::uuid AND state = 'releasing'`),
  );
}

/** Marks a try as given up. Returns whether it was still asked for. */
export async function giveUpCancelling(db: Db, document_id: string): Promise<boolean> {
  const rows = await db.rows(sql`
    UPDATE stock_sagas SET state = 'releasing', since = ${clock.now()}
    WHERE document_id = ${document_id}::uuid AND state = 'cancelling' RETURNING id`);
  return rows.length > 0;
}

/** Has inventory set aside what is to go back. @throws InsufficientStock that names what is missing, StockPending */
export async function setAside(rpc: Inventory, write: Write, giving: GivingBack): Promise<void> {
  const { lines, document_id } = giving;
  try {
    await rpc.inventory.reserve({ idempotency_key: keyOf(giving), source: sourceOf(giving), lines, expires_at: '' });
  } catch (error) {
    if (isRefusal(error) && (await write((db) => giveUpCancelling(db, document_id)))) await letGo(rpc, write, giving);
    throw error;
  }
}

/** Whether all of it is there, for a rehearsal. @throws InsufficientStock */
export async function assertThere(rpc: Inventory, { lines }: Pick<GivingBack, 'lines'>): Promise<void> {
  const places = lines.map(({ product_id, warehouse_id }) => ({ product_id, warehouse_id }));
  const { availabilities } = await rpc.inventory.checkAvailability({ places });
  const missing = lines.flatMap(({ qty: _, ...line }, at) => {
    const { available } = availabilities[at]!;
    return compare(line.requested, available) > 0 ? [{ ...line, available }] : [];
  });
  if (missing.length > 0) throw InsufficientStock({ lines: missing });
}

/** The goods that came in for a document, as its lines say. */
export const receivedLines = (db: Db, key: string, warehouse_id: string | null, id: string) =>
  db.rows<GivingBack['lines'][number]>(sql`
    SELECT id AS line_id, product_id, ${warehouse_id}::uuid AS warehouse_id, trim_scale(qty)::text AS qty,
      trim_scale(sum(qty) OVER (PARTITION BY product_id))::text AS requested
    FROM invoice_lines WHERE ${raw(key)} = ${id}::uuid AND tracked AND cost IS NOT NULL ORDER BY position`);
