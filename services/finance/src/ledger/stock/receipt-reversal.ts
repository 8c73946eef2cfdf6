/**
 * Return of received goods after their document was cancelled. Part of the goods may no longer be in stock, so
 * inventory reserves them first and can reject. The entry is then reversed. Finally the goods are returned, which
 * cannot be rejected.
 */
import { sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import { compare } from '@suite/money';
import { type Attempt, remoteSteps } from '@suite/saga';
import { type Column, columnNamed, type Db } from '../../operations.ts';
import { type StockDocument, documentStep, InsufficientStock, type InventoryClient, StockPending } from './saga.ts';

/** Received goods. `requested` is the total of all lines with the same product. */
type ReceivedLine = Record<'line_id' | 'product_id' | 'warehouse_id' | 'qty' | 'requested', string>;

/** Received goods of a document that are to be returned. */
interface ReceiptReversal {
  document: StockDocument;
  lines: ReceivedLine[];
}

const sourceOf = ({ document_type, document_id }: StockDocument) => ({
  type: document_type,
  id: document_id,
  number: '',
});

/** Checks in a dry run that all goods are available. @throws InsufficientStock */
async function assertAvailable(rpc: InventoryClient, lines: ReceivedLine[]): Promise<void> {
  const places = lines.map(({ product_id, warehouse_id }) => ({ product_id, warehouse_id }));
  const { availabilities } = await rpc.inventory.checkAvailability({ places });
  const missing = lines.flatMap(({ qty: _, ...line }, at) => {
    const { available } = availabilities[at]!;
    return compare(line.requested, available) > 0 ? [{ ...line, available }] : [];
  });
  if (missing.length > 0) throw InsufficientStock({ lines: missing });
}

/**
 * Reserves the goods to be returned. A remote step on the attempt that received the goods. Compensated, that attempt is
 * settled as before. Completed, its goods are to be reversed. `cancellations` counts the attempts, and each has its own
 * key.
 */
export const reserveForReversal = remoteSteps<Db, InventoryClient>()('finance.set-goods-aside', {
  ...documentStep('cancellations', {
    requested: 'cancelling',
    completed: 'reversing',
    undoing: 'releasing',
    undone: 'settled',
  }),
  key: (document_id, attempt) => `${document_id}:cancel:${attempt}`,
  asks: { service: 'inventory', methods: { Reserve: {} } },
  async ask({ rpc, key, dry_run }, { document, lines }: ReceiptReversal): Promise<void> {
    if (dry_run) return await assertAvailable(rpc, lines);
    await rpc.inventory.reserve({ idempotency_key: key, source: sourceOf(document), lines, expires_at: '' });
  },
  undo: ({ rpc, key }, document) => rpc.inventory.release({ idempotency_key: key, source: sourceOf(document) }),
});

/**
 * Records that goods are about to be reserved. Concurrent requests share the attempt and its key.
 * @returns undefined if no goods were received
 * @throws StockPending while an attempt is being compensated
 */
export async function beginReservation(db: Db, document: StockDocument): Promise<Attempt<StockDocument> | undefined> {
  const { document_id } = document;
  const [started] = await db.rows<{ cancellations: number }>(sql`
    UPDATE stock_sagas SET since = ${clock.now()}, state = 'cancelling',
      cancellations = cancellations + CASE state WHEN 'settled' THEN 1 ELSE 0 END
    WHERE document_id = ${document_id}::uuid AND state IN ('settled', 'cancelling') RETURNING cancellations`);
  if (started) return { columns: document, number: started.cancellations };
  const open = await db.rows(sql`
    SELECT id FROM stock_sagas WHERE document_id = ${document_id}::uuid AND state = 'releasing'`);
  if (open.length > 0) throw StockPending();
  return undefined;
}

/** Has the schedule return the received and reserved goods. @throws StockPending if they are no longer reserved */
export async function scheduleReversal(
  db: Db,
  document_id: string,
  reservation: Attempt<StockDocument> | undefined,
): Promise<void> {
  if (reservation) await reserveForReversal.complete(db, reservation);
  if (reservation?.number === null) return;
  const unsettled = await db.rows(sql`
    SELECT id FROM stock_sagas
    WHERE document_id = ${document_id}::uuid AND state IN ('settled', 'cancelling', 'releasing')`);
  if (unsettled.length > 0) throw StockPending();
}

/** Returns the received goods of a document, from its lines. */
export const receivedLines = (db: Db, key: Column<'invoice_lines'>, warehouse_id: string | null, id: string) =>
  db.rows<ReceivedLine>(sql`
    SELECT id AS line_id, product_id, ${warehouse_id}::uuid AS warehouse_id, trim_scale(qty)::text AS qty,
      trim_scale(sum(qty) OVER (PARTITION BY product_id))::text AS requested
    FROM invoice_lines WHERE ${columnNamed(key)} = ${id}::uuid AND tracked AND cost IS NOT NULL ORDER BY position`);
