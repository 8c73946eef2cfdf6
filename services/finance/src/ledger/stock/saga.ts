/**
 * Stock moves of a document: inventory moves the goods before the document becomes official. States of `stock_sagas`:
 *
 * requested → settled: the document became official, in the same transaction. requested → reversing: rejected, or not
 * completed in time. settled → reversing: the document was cancelled. settled → cancelling → reversing: the same for
 * received goods, which are reserved first (receipt-reversal.ts). cancelling → releasing → settled: the goods are missing,
 * or the request was not completed. The reservation is released. reversing → requested: received goods are already
 * sold, so the move can only be completed, not undone. reversing → reversed: inventory has undone the move, and its key
 * cannot be used again.
 */
import { sql, type Sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { MovedLine } from '@suite/proto/inventory/v1/inventory';
import { type Attempt, remoteSteps, stepTable, type StepTable } from '@suite/saga';
import type { StockSaga } from '../../generated/client.ts';
import { type Column, columnNamed, type Db, type Rpc, tableNamed, type Write } from '../../operations.ts';
import { movedGoods, type StockMoves } from './stock-moves.ts';

/** Fault of inventory if stock is insufficient. Its details contain the available quantity per line. */
export const InsufficientStock = fault(
  409,
  'insufficient_stock',
  'There is not enough stock. Enter a smaller quantity.',
);

export const StockPending = fault(
  409,
  'stock_pending',
  'Goods are being moved for this document. Try again in a moment.',
  { retryable: true },
);

/** Document that an attempt moves goods for, with the direction. */
export type StockDocument = Pick<StockSaga, 'document_type' | 'document_id' | 'direction' | 'reversal_date'>;
export type InventoryClient = Pick<Rpc, 'inventory'>;

/** Returns the common part of all document steps: attempts in `stock_sagas`, and the lock of the document. */
export const documentStep = (attempt: 'attempt' | 'cancellations', states: StepTable<StockDocument>['states']) => ({
  table: stepTable<StockSaga, keyof StockDocument>('stock_sagas', { record: 'document_id', attempt, states }),
  pending: StockPending,
  lock: (db: Db, { document_type, document_id }: StockDocument) =>
    db.rows(
      sql`SELECT id FROM ${tableNamed(`${document_type as StockMoves['document_type']}s`)} WHERE id = ${document_id}::uuid FOR NO KEY UPDATE`,
    ),
});

/** Moves the goods of a document. Inventory returns their cost. */
export const moveGoods = remoteSteps<Db, InventoryClient>()('finance.move-goods', {
  ...documentStep('attempt', {
    requested: 'requested',
    completed: 'settled',
    undoing: 'reversing',
    undone: 'reversed',
  }),
  irreversible: [InsufficientStock],
  key: (document_id, attempt) => `${document_id}:${attempt}`,
  asks: {
    service: 'inventory',
    methods: {
      IssueStock: { direction: 'issue', reversal_date: '' },
      ReceiveStock: { direction: 'receipt', reversal_date: '' },
    },
  },
  repeat: movedGoods,
  async ask({ rpc, key, dry_run }, moves: StockMoves): Promise<readonly MovedLine[]> {
    const { document_type, document_id, direction, business_date, lines, sales_order_id } = moves;
    const source = { type: document_type, id: document_id, number: '' };
    const request = {
      idempotency_key: key,
      source,
      business_date,
      lines: lines.map((line) => ({ reserved_line_id: '', ...line })),
      dry_run,
    };
    if (direction === 'receipt') return (await rpc.inventory.receiveStock(request)).lines;
    const reserved_for = sales_order_id ? { type: 'sales_order', id: sales_order_id, number: '' } : undefined;
    return (await rpc.inventory.issueStock({ ...request, reserved_for })).lines;
  },
  undo({ rpc, key }, { direction, reversal_date }): Promise<unknown> {
    const request = { idempotency_key: key, business_date: reversal_date };
    return direction === 'issue' ? rpc.inventory.reverseIssue(request) : rpc.inventory.reverseReceipt(request);
  },
});

/** Started goods movement. Has no attempt if the document has no goods. */
export interface StartedMoves {
  moves: StockMoves;
  attempt: Attempt<StockDocument> | null;
}

/** Goods that inventory has moved. */
export interface MovedDocument {
  attempt: Attempt<StockDocument> | null;
  lines: readonly MovedLine[];
}

/**
 * Records an attempt before the request to inventory. The document must be locked and not official yet. @throws
 * StockPending
 */
export async function beginMoves(
  db: Db,
  context: { caller: Caller; dry_run: boolean },
  moves: StockMoves,
): Promise<StartedMoves> {
  const { document_type, document_id, direction, lines } = moves;
  if (lines.length === 0) return { moves, attempt: null };
  return {
    moves,
    attempt: await moveGoods.begin(db, context, { document_type, document_id, direction, reversal_date: '' }),
  };
}

/**
 * Moves the goods in inventory, before the transaction that makes the document official. @throws InsufficientStock,
 * StockPending
 */
export async function finishMoves(
  context: { rpc: Rpc; write: Write },
  { moves, attempt }: StartedMoves,
): Promise<MovedDocument> {
  return { attempt, lines: attempt ? await moveGoods.ask(context, attempt, moves) : [] };
}

/**
 * Settles an attempt in the transaction that makes its document official. @throws StockPending if the attempt was
 * abandoned
 */
export async function settleMoves(db: Db, { attempt }: MovedDocument): Promise<void> {
  if (attempt) await moveGoods.complete(db, attempt);
}

/** Unfinished attempts of a table's documents, for their `pending_effects`. */
export const pendingEffects = (document_id: Sql): Sql =>
  moveGoods.pendingEffects(document_id, {
    requested: sql`CASE direction WHEN 'issue' THEN 'issue_stock' ELSE 'receive_stock' END`,
    undoing: sql`'reverse_stock'`,
  });

/** Lines of a document: of an invoice, selected by its foreign key column, or of a return. */
type DocumentLines =
  | { table: 'invoice_lines'; key: Column<'invoice_lines'>; id: string }
  | { table: 'return_lines'; key: Column<'return_lines'>; id: string };

/**
 * Stores the cost of each line's goods and, for invoices, their stock account. Restricts the query to lines of this
 * document. With a list of IDs alone, the planner cannot estimate its length and may read the whole table.
 */
export async function recordCosts(db: Db, { table, key, id }: DocumentLines, { lines }: MovedDocument): Promise<void> {
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
