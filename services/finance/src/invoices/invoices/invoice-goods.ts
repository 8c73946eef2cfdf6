/** Goods of invoices: inventory moves them before the transaction that posts the invoice. */
import { batch } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { toBase } from '@suite/money';
import { type Books, booksOf } from '../../ledger/books/books.ts';
import { assertPeriodOpen } from '../../ledger/ledger/journal.ts';
import { beginMoves, finishMoves, type MovedDocument, type StartedMoves } from '../../ledger/stock/saga.ts';
import type { StockMoves } from '../../ledger/stock/stock-moves.ts';
import type { Db, Rpc, Write } from '../../operations.ts';
import { assertWithinOrder } from '../agreements/over-invoicing.ts';
import { type Side, SIDES } from '../documents/side.ts';
import { completeLines } from './draft-completion.ts';
import { lockInvoice, type Invoice } from './invoice.ts';
import { assertCredit, isPostable, linesOf, type PostedLine, withOverInvoicing } from './invoice-posting.ts';

/** Context of `prepare` for posting. */
export interface PrepareContext {
  caller: Caller;
  rpc: Rpc;
  write: Write;
  dry_run: boolean;
  /** True if the caller allows the invoice to bill more than was ordered. */
  allow_over_invoicing?: boolean | undefined;
}

/** Returns the goods movements of an invoice. @throws a 422 if its goods have no warehouse */
function movesOf(side: Side, invoice: Invoice, lines: readonly PostedLine[], books: Books): StockMoves {
  const { invoice: document_type, moves } = SIDES[side];
  const { id: document_id, invoice_date: business_date, warehouse_id, rate, sales_order_id } = invoice;
  const goods = lines.filter((line) => line.tracked);
  if (goods.length > 0 && !warehouse_id) throw invalid('warehouse_id', 'Enter a warehouse.');
  return {
    document_type,
    document_id,
    business_date,
    direction: moves.invoice,
    sales_order_id,
    lines: goods.map((line) => ({
      line_id: line.id,
      product_id: line.product_id!,
      warehouse_id: warehouse_id!,
      qty: line.qty,
      cost: toBase(line.net, rate, books.base_currency),
      ...(line.source_type === 'sales_order' && { reserved_line_id: line.source_id! }),
    })),
  };
}

/** Result of the first step: nothing to move, lines to complete first, or a started goods movement. */
type Preparation = { state: 'posted' } | { state: 'incomplete' } | { state: 'moving'; started: StartedMoves };

/** Runs the checks that do not need inventory, then records an attempt to move the goods, unless it is a dry run. */
async function beginMovesOf(context: PrepareContext, db: Db, side: Side, id: string): Promise<Preparation> {
  const { caller } = context;
  const [books, invoice, lines] = await batch([booksOf(db, caller), lockInvoice(db, side, id), linesOf(db, side, id)]);
  if (!isPostable(side, invoice, caller)) return { state: 'posted' };
  await assertWithinOrder(db, withOverInvoicing(invoice, context.allow_over_invoicing), lines);
  await batch([
    assertPeriodOpen(db, invoice.invoice_date, SIDES[side].scope),
    assertCredit(db, side, invoice, { books, caller }),
  ]);
  if (lines.some(({ lacks_product_data }) => lacks_product_data)) return { state: 'incomplete' };
  return { state: 'moving', started: await beginMoves(db, context, movesOf(side, invoice, lines, books)) };
}

/**
 * Moves the goods of a draft in inventory, before the transaction that posts it. Completes lines without product data
 * first.
 * @returns undefined if the invoice is already posted
 */
export async function moveForInvoice(
  context: PrepareContext,
  side: Side,
  id: string,
): Promise<MovedDocument | undefined> {
  const { rpc, write } = context;
  const begin = () => write((db) => beginMovesOf(context, db, side, id));
  const first = await begin();
  switch (first.state) {
    case 'posted':
      return undefined;
    case 'moving':
      return await finishMoves(context, first.started);
    case 'incomplete': {
      await completeLines(rpc, write, side, id);
      const second = await begin();
      return second.state === 'moving' ? await finishMoves(context, second.started) : undefined;
    }
  }
}
