/**
 * The goods of a document: inventory moves them before the document becomes official. The states of `stock_sagas`:
 *
 * requested → settled: the document is official, in one transaction with this.
 * requested → reversing: refused, or nobody finished it in time.
 * settled → reversing: the document was cancelled.
 * settled → cancelling → reversing: the same for what came in, which is set aside first (giving-back.ts).
 * cancelling → releasing → settled: it is gone, or nobody went on; what was set aside is given free again.
 * reversing → requested: what came in is sold already, so that it cannot be undone, only gone on with.
 * reversing → reversed: inventory has undone it, and its key is spent.
 */
import { type Caller, fault, sql, type Sql } from '@suite/chassis';
import type { MovedLine } from '@suite/proto/inventory/v1/inventory';
import { type Attempt, remoteSteps, stepTable, type StepTable } from '@suite/saga';
import type { StockSaga } from '../generated/client.ts';
import type { Db, Rpc, Write } from '../operations.ts';
import { type Column, columnNamed, tableNamed } from '../tables.ts';

/** Inventory's fault when stock is short; its details name what is available per line. */
export const InsufficientStock = fault(409, 'insufficient_stock', 'There is not enough stock.');

export const StockPending = fault(
  409,
  'stock_pending',
  'Goods are being moved for this document. Try again in a moment.',
  { retryable: true },
);

/** A line that moves goods. `reserved_line_id`: the order line whose reservation it uses up. */
interface MovesLine {
  line_id: string;
  product_id: string;
  warehouse_id: string;
  qty: string;
  cost: string;
  reserved_line_id?: string;
}

/** Goods that a document moves. */
export interface Moves {
  document_type: 'sales_invoice' | 'purchase_invoice' | 'sales_return' | 'purchase_return';
  document_id: string;
  direction: 'issue' | 'receipt';
  business_date: string;
  /** The order whose reservations are used up first. */
  sales_order_id?: string | null;
  /** `cost`: of all of the line, for what comes in. */
  lines: MovesLine[];
}

/** The document that an attempt moves goods for, and which way. */
export type Document = Pick<StockSaga, 'document_type' | 'document_id' | 'direction' | 'reversal_date'>;
export type Inventory = Pick<Rpc, 'inventory'>;

/** The part of a declaration that all steps of documents have alike: attempts in `stock_sagas`, and the lock of the document. */
export const documentStep = (attempt: 'attempt' | 'cancellations', states: StepTable<Document>['states']) => ({
  table: stepTable<StockSaga, keyof Document>('stock_sagas', { record: 'document_id', attempt, states }),
  pending: StockPending,
  lock: (db: Db, { document_type, document_id }: Document) =>
    db.rows(
      sql`SELECT id FROM ${tableNamed(`${document_type as Moves['document_type']}s`)} WHERE id = ${document_id}::uuid FOR NO KEY UPDATE`,
    ),
});

/** Moves the goods of a document; inventory answers what they cost. */
export const moveGoods = remoteSteps<Db, Inventory>()('finance.move-goods', {
  ...documentStep('attempt', {
    requested: 'requested',
    completed: 'settled',
    undoing: 'reversing',
    undone: 'reversed',
  }),
  irreversible: [InsufficientStock],
  key: (document_id, attempt) => `${document_id}:${attempt}`,
  async ask({ rpc, key, dry_run }, moves: Moves): Promise<readonly MovedLine[]> {
    const { document_type, document_id, direction, business_date, lines, sales_order_id } = moves;
    const source = { type: document_type, id: document_id, number: '' };
    const asked = {
      idempotency_key: key,
      source,
      business_date,
      lines: lines.map((line) => ({ reserved_line_id: '', ...line })),
      dry_run,
    };
    if (direction === 'receipt') return (await rpc.inventory.receiveStock(asked)).lines;
    const reserved_for = sales_order_id ? { type: 'sales_order', id: sales_order_id, number: '' } : undefined;
    return (await rpc.inventory.issueStock({ ...asked, reserved_for })).lines;
  },
  undo({ rpc, key }, { direction, reversal_date }): Promise<unknown> {
    const asked = { idempotency_key: key, business_date: reversal_date };
    return direction === 'issue' ? rpc.inventory.reverseIssue(asked) : rpc.inventory.reverseReceipt(asked);
  },
});

/** Goods that inventory is about to move; without an attempt for a document without goods. */
interface Begun {
  moves: Moves;
  attempt: Attempt<Document> | null;
}

/** Goods that inventory has moved. */
export interface Moved {
  attempt: Attempt<Document> | null;
  lines: readonly MovedLine[];
}

/** Records that inventory is about to be asked; the document must be locked, and not be official yet. @throws StockPending */
export async function beginMoves(db: Db, means: { caller: Caller; dry_run: boolean }, moves: Moves): Promise<Begun> {
  const { document_type, document_id, direction, lines } = moves;
  if (lines.length === 0) return { moves, attempt: null };
  return {
    moves,
    attempt: await moveGoods.begin(db, means, { document_type, document_id, direction, reversal_date: '' }),
  };
}

/** Has inventory move the goods; before the transaction that makes the document official. @throws InsufficientStock, StockPending */
export async function finishMoves(means: { rpc: Rpc; write: Write }, { moves, attempt }: Begun): Promise<Moved> {
  return { attempt, lines: attempt ? await moveGoods.ask(means, attempt, moves) : [] };
}

/** Settles an attempt in the transaction that makes its document official. @throws StockPending when it was given up */
export async function settleMoves(db: Db, { attempt }: Moved): Promise<void> {
  if (attempt) await moveGoods.complete(db, attempt);
}

/** The unfinished attempts of the documents of a table, for their `pending_effects`. */
export const pendingEffects = (document_id: Sql): Sql =>
  moveGoods.pendingEffects(document_id, {
    requested: sql`CASE direction WHEN 'issue' THEN 'issue_stock' ELSE 'receive_stock' END`,
    undoing: sql`'reverse_stock'`,
  });

/** The lines of a document: of an invoice by the column that names it, or of a return. */
type LinesOf =
  | { table: 'invoice_lines'; key: Column<'invoice_lines'>; id: string }
  | { table: 'return_lines'; key: Column<'return_lines'>; id: string };

/**
 * Stores the cost of each line's goods and, for invoices, their stock account. Only lines of this document are looked at: of
 * a list of ids alone the planner does not know how short it is, and may read the whole table for it.
 */
export async function recordCosts(db: Db, { table, key, id }: LinesOf, { lines }: Moved): Promise<void> {
  if (lines.length === 0) return;
  const costs = JSON.stringify(
    lines.map(({ line_id, cost, stock_account_id }) => ({ line_id, cost, account: stock_account_id || null })),
  );
  const account = table === 'invoice_lines' ? sql`, stock_account_id = moved.account` : sql``;
  await db.rows(sql`
    UPDATE ${tableNamed(table)} AS line SET cost = moved.cost${account}
    FROM jsonb_to_recordset(${costs}::jsonb) AS moved (line_id uuid, cost numeric, account uuid)
    WHERE line.${columnNamed(key)} = ${id}::uuid AND line.id = moved.line_id`);
}
