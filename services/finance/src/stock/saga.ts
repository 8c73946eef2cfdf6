/**
 * The saga of goods. Inventory is asked to move them before a document becomes official, and an attempt is noted down
 * before inventory is asked: whatever breaks in between, `stock_sagas` says what may have moved.
 *
 * requested → settled: the document is official, in one transaction with this.
 * requested → reversing: refused, or nobody finished it in time.
 * settled → reversing: the document was cancelled.
 * settled → cancelling → reversing: the same for what came in, which is set aside first (giving-back.ts).
 * cancelling → releasing → settled: it is gone, or nobody went on; what was set aside is given free again.
 * reversing → requested: what came in is sold already, so that it cannot be undone, only gone on with.
 * reversing → reversed: inventory has undone it, and its key is spent; sweeper.ts sees to it.
 */
import { randomUUIDv7 } from 'node:crypto';
import { type Caller, clock, fault, Fault, raw, type Sql, sql } from '@suite/chassis';
import type { MovedLine } from '@suite/proto/inventory/v1/inventory';
import type { Db, Rpc } from '../operations.ts';

/** What inventory answers when there is not enough; its details name what is available per line. */
export const InsufficientStock = fault(409, 'insufficient_stock', 'There is not enough in stock.');

export const StockPending = fault(
  409,
  'stock_pending',
  'Goods are being moved or given back for this document. Try again in a moment.',
  { passes: true },
);

/** Notes something down before the transaction of a command. */
export type Write = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

/** Goods that a document moves. */
export interface Moves {
  document_type: 'sales_invoice' | 'purchase_invoice' | 'sales_return' | 'purchase_return';
  document_id: string;
  direction: 'issue' | 'receipt';
  business_date: string;
  /** The order whose reservations are used up first. */
  sales_order_id?: string | null;
  /** `cost`: of all of the line, for what comes in. */
  lines: { line_id: string; product_id: string; warehouse_id: string; qty: string; cost: string }[];
}

/** Goods that inventory has moved for an attempt; none for a document without goods, and in rehearsals. */
export interface Moved {
  attempt: number | null;
  direction: Moves['direction'];
  lines: readonly MovedLine[];
}

/** Under which inventory is asked. Undoing spends it: a call that was believed lost moves nothing later. */
const keyOf = (document_id: string, attempt: number): string => `${document_id}:${attempt}`;

/** Refuses to change a draft for which goods are on their way. The document must be held. @throws StockPending */
export async function assertNothingMoves(db: Db, document_id: string): Promise<void> {
  const open = await db.rows(sql`
    SELECT id FROM stock_sagas WHERE document_id = ${document_id}::uuid AND state <> 'reversed'`);
  if (open.length > 0) throw StockPending();
}

/**
 * Notes down that inventory is about to be asked; the document must be held, and not be official yet. Whoever asks at the
 * same time shares the attempt, and so its key.
 * @returns the number of the attempt
 * @throws StockPending while an attempt is being undone
 */
export async function noteMoves(db: Db, caller: Caller, { document_type, document_id, direction }: Moves) {
  const [first] = await db.rows<{ attempt: number }>(sql`
    INSERT INTO stock_sagas (id, document_type, document_id, attempt, direction, asked_by, since)
    SELECT ${randomUUIDv7()}::uuid, ${document_type}, ${document_id}::uuid, coalesce(max(attempt), 0) + 1, ${direction},
      ${caller.user_id}::uuid, ${clock.now()}
    FROM stock_sagas WHERE document_id = ${document_id}::uuid
    HAVING coalesce(bool_and(state = 'reversed'), TRUE) RETURNING attempt`);
  if (first) return first.attempt;
  const [shared] = await db.rows<{ attempt: number }>(sql`
    UPDATE stock_sagas SET since = ${clock.now()}
    WHERE document_id = ${document_id}::uuid AND state = 'requested' RETURNING attempt`);
  if (!shared) throw StockPending();
  return shared.attempt;
}

/** Marks an attempt as one that is to be undone. Returns whether it was still asked for. */
export async function giveUp(db: Db, document_id: string, attempt: number): Promise<boolean> {
  const rows = await db.rows(sql`
    UPDATE stock_sagas SET state = 'reversing', since = ${clock.now()}
    WHERE document_id = ${document_id}::uuid AND attempt = ${attempt} AND state = 'requested' RETURNING id`);
  return rows.length > 0;
}

/**
 * Has the schedule undo what a document moved that is no longer official.
 * @throws StockPending where what came in is not set aside any more
 */
export async function undoLater(db: Db, document_id: string): Promise<void> {
  await db.rows(sql`
    UPDATE stock_sagas SET state = 'reversing', since = ${clock.now()}
    WHERE document_id = ${document_id}::uuid
      AND state = CASE direction WHEN 'issue' THEN 'settled' ELSE 'cancelling' END`);
  const left = await db.rows(sql`
    SELECT id FROM stock_sagas
    WHERE document_id = ${document_id}::uuid AND state IN ('settled', 'cancelling', 'releasing')`);
  if (left.length > 0) throw StockPending();
}

/** Takes giving up back, where the goods cannot be had any more: then the document can only be made official after all. */
const goOn = (db: Db, document_id: string, attempt: number) =>
  db.rows(sql`
    UPDATE stock_sagas SET state = 'requested', since = ${clock.now()}
    WHERE document_id = ${document_id}::uuid AND attempt = ${attempt} AND state = 'reversing'`);

/**
 * Undoes at inventory what an attempt may have moved, and notes that this is done.
 * @throws InsufficientStock when what came in is gone already: the attempt stays open, for whoever posts the document
 */
export async function reverse(
  rpc: Pick<Rpc, 'inventory'>,
  write: Write,
  { document_id, attempt, direction }: { document_id: string; attempt: number; direction: string },
): Promise<void> {
  const asked = { idempotency_key: keyOf(document_id, attempt), business_date: '' };
  try {
    await (direction === 'issue' ? rpc.inventory.reverseIssue(asked) : rpc.inventory.reverseReceipt(asked));
  } catch (error) {
    if (error instanceof Fault && error.code === InsufficientStock.code) {
      await write((db) => goOn(db, document_id, attempt));
    }
    throw error;
  }
  await write((db) =>
    db.rows(sql`
      UPDATE stock_sagas SET state = 'reversed', since = ${clock.now()}
      WHERE document_id = ${document_id}::uuid AND attempt = ${attempt} AND state = 'reversing'`),
  );
}

async function ask(rpc: Rpc, moves: Moves, idempotency_key: string, dry_run: boolean): Promise<readonly MovedLine[]> {
  const { document_type, document_id, direction, business_date, lines, sales_order_id } = moves;
  const source = { type: document_type, id: document_id, number: '' };
  const asked = { idempotency_key, source, business_date, lines, dry_run };
  if (direction === 'receipt') return (await rpc.inventory.receiveStock(asked)).lines;
  const reserved_for = sales_order_id ? { type: 'sales_order', id: sales_order_id, number: '' } : undefined;
  return (await rpc.inventory.issueStock({ ...asked, reserved_for })).lines;
}

export const isRefusal = (error: unknown): boolean =>
  error instanceof Fault && error.status < 500 && error.status !== 429;

/**
 * Has inventory move the goods of a document; before the transaction that makes it official. What was refused is undone
 * at once; what got no answer is asked again under the same key, or undone by the sweeper.
 * @param attempt what was noted down; null for a rehearsal, which leaves no trace
 * @throws InsufficientStock, StockPending
 */
export async function moveGoods(rpc: Rpc, write: Write, moves: Moves, attempt: number | null): Promise<Moved> {
  const { document_id, direction } = moves;
  if (moves.lines.length === 0) return { attempt: null, direction, lines: [] };
  if (attempt === null) return { attempt, direction, lines: await ask(rpc, moves, `${document_id}:rehearsal`, true) };
  try {
    return { attempt, direction, lines: await ask(rpc, moves, keyOf(document_id, attempt), false) };
  } catch (error) {
    // Somebody who shared the attempt was refused before, and has given it up.
    if (error instanceof Fault && error.code === 'key_reversed') throw StockPending();
    if (isRefusal(error) && (await write((db) => giveUp(db, document_id, attempt)))) {
      await reverse(rpc, write, { document_id, attempt, direction });
    }
    throw error;
  }
}

/** Settles an attempt in the transaction that makes its document official. @throws StockPending when it was given up */
export async function settleMoves(db: Db, document_id: string, { attempt }: Moved): Promise<void> {
  if (attempt === null) return;
  const rows = await db.rows(sql`
    UPDATE stock_sagas SET state = 'settled', since = ${clock.now()}
    WHERE document_id = ${document_id}::uuid AND attempt = ${attempt} AND state = 'requested' RETURNING id`);
  if (rows.length === 0) throw StockPending();
}

/** What is not settled of the documents of a table, for their `pending_effects`. */
export const pendingEffects = (document_id: Sql): Sql => sql`
  ARRAY(SELECT CASE WHEN saga.state = 'reversing' THEN 'reverse_stock' WHEN saga.direction = 'issue' THEN 'issue_stock'
    ELSE 'receive_stock' END
  FROM stock_sagas AS saga WHERE saga.document_id = ${document_id} AND saga.state IN ('requested', 'reversing'))`;

/** Keeps what the goods of each line cost and, of invoices, which account held them. */
export async function keepCosts(db: Db, table: 'invoice_lines' | 'return_lines', { lines }: Moved): Promise<void> {
  if (lines.length === 0) return;
  const costs = JSON.stringify(
    lines.map(({ line_id, cost, stock_account_id }) => ({ line_id, cost, account: stock_account_id || null })),
  );
  const account = table === 'invoice_lines' ? sql`, stock_account_id = moved.account` : sql``;
  await db.rows(sql`
    UPDATE ${raw(table)} AS line SET cost = moved.cost${account}
    FROM jsonb_to_recordset(${costs}::jsonb) AS moved (line_id uuid, cost numeric, account uuid) WHERE line.id = moved.line_id`);
}
