/**
 * Goods that came in and are to go back, because their document is cancelled. Some of them may be gone: so they are set
 * aside at inventory first, which can refuse; then the books are taken back; then the goods, which cannot be refused then.
 */
import { clock, sql } from '@suite/chassis';
import { compare } from '@suite/money';
import { type Attempt, remoteSteps } from '@suite/saga';
import type { Db } from '../operations.ts';
import { type Column, columnNamed } from '../tables.ts';
import { type Document, documentStep, InsufficientStock, type Inventory, StockPending } from './saga.ts';

/** Goods that came in. `requested`: of all lines of the same product. */
type ReceivedLine = Record<'line_id' | 'product_id' | 'warehouse_id' | 'qty' | 'requested', string>;

/** The goods that a document received, which are to go back. */
interface GivingBack {
  document: Document;
  lines: ReceivedLine[];
}

const sourceOf = ({ document_type, document_id }: Document) => ({ type: document_type, id: document_id, number: '' });

/** Whether all of it is there, for a dry run. @throws InsufficientStock */
async function assertThere(rpc: Inventory, lines: ReceivedLine[]): Promise<void> {
  const places = lines.map(({ product_id, warehouse_id }) => ({ product_id, warehouse_id }));
  const { availabilities } = await rpc.inventory.checkAvailability({ places });
  const missing = lines.flatMap(({ qty: _, ...line }, at) => {
    const { available } = availabilities[at]!;
    return compare(line.requested, available) > 0 ? [{ ...line, available }] : [];
  });
  if (missing.length > 0) throw InsufficientStock({ lines: missing });
}

/**
 * Sets aside what is to go back. It is a step on the attempt that the goods came in by: undone, that attempt is settled as
 * before; completed, its goods are to be reversed. `cancellations` counts the tries, each under a key of its own.
 */
export const setAside = remoteSteps<Db, Inventory>()('finance.set-goods-aside', {
  ...documentStep('cancellations', {
    requested: 'cancelling',
    completed: 'reversing',
    undoing: 'releasing',
    undone: 'settled',
  }),
  key: (document_id, attempt) => `${document_id}:cancel:${attempt}`,
  async ask({ rpc, key, dry_run }, { document, lines }: GivingBack): Promise<void> {
    if (dry_run) return await assertThere(rpc, lines);
    await rpc.inventory.reserve({ idempotency_key: key, source: sourceOf(document), lines, expires_at: '' });
  },
  undo: ({ rpc, key }, document) => rpc.inventory.release({ idempotency_key: key, source: sourceOf(document) }),
});

/**
 * Records that goods are about to be set aside. Whoever asks at the same time shares the try, and so its key.
 * @returns nothing where no goods came in
 * @throws StockPending while a try is being given up
 */
export async function beginSettingAside(db: Db, document: Document): Promise<Attempt<Document> | undefined> {
  const { document_id } = document;
  const [begun] = await db.rows<{ cancellations: number }>(sql`
    UPDATE stock_sagas SET since = ${clock.now()}, state = 'cancelling',
      cancellations = cancellations + CASE state WHEN 'settled' THEN 1 ELSE 0 END
    WHERE document_id = ${document_id}::uuid AND state IN ('settled', 'cancelling') RETURNING cancellations`);
  if (begun) return { columns: document, number: begun.cancellations };
  const open = await db.rows(sql`
    SELECT id FROM stock_sagas WHERE document_id = ${document_id}::uuid AND state = 'releasing'`);
  if (open.length > 0) throw StockPending();
  return undefined;
}

/** Has the sweeper give back what came in, and was set aside for that. @throws StockPending where it is not set aside any more */
export async function giveBackLater(db: Db, document_id: string, aside: Attempt<Document> | undefined): Promise<void> {
  if (aside) await setAside.complete(db, aside);
  if (aside?.number === null) return;
  const left = await db.rows(sql`
    SELECT id FROM stock_sagas
    WHERE document_id = ${document_id}::uuid AND state IN ('settled', 'cancelling', 'releasing')`);
  if (left.length > 0) throw StockPending();
}

/** The goods that came in for a document, as its lines say. */
export const receivedLines = (db: Db, key: Column<'invoice_lines'>, warehouse_id: string | null, id: string) =>
  db.rows<ReceivedLine>(sql`
    SELECT id AS line_id, product_id, ${warehouse_id}::uuid AS warehouse_id, trim_scale(qty)::text AS qty,
      trim_scale(sum(qty) OVER (PARTITION BY product_id))::text AS requested
    FROM invoice_lines WHERE ${columnNamed(key)} = ${id}::uuid AND tracked AND cost IS NOT NULL ORDER BY position`);
