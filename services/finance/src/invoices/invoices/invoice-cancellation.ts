/** Cancellation of posted invoices: all entries are reversed, on the original date or on another one. */
import { sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import { isZero } from '@suite/money';
import { PurchaseInvoiceCancelled, SalesInvoiceCancelled } from '@suite/proto/finance/v1/events';
import type { Attempt } from '@suite/saga';
import { booksOf } from '../../ledger/books/books.ts';
import { cancelCommission } from '../../commissions/commissions/accrual.ts';
import { assertNotBefore } from '../../ledger/ledger/open-items.rules.ts';
import { lockItemOf, openSince } from '../../ledger/ledger/open-items.ts';
import { assertPeriodOpen, reverseEntry } from '../../ledger/ledger/journal.ts';
import { type CommandContext, type Db, tableNamed } from '../../operations.ts';
import {
  beginReservation,
  scheduleReversal,
  receivedLines,
  reserveForReversal,
} from '../../ledger/stock/receipt-reversal.ts';
import { type StockDocument, moveGoods } from '../../ledger/stock/saga.ts';
import { isDue } from '../documents/document-action.rules.ts';
import { billingSourceOf } from './billed-lines.ts';
import { lockInvoice, lockLines, type Invoice, modelOf } from './invoice.ts';
import { type Side, SIDES } from '../documents/side.ts';
import type { PrepareContext } from './invoice-goods.ts';
import { soldLines } from './invoice-posting.ts';

export const HasReturns = fault(409, 'has_returns', 'This invoice has a return. Delete or cancel the return first.');

/** Rejects an invoice with returns. Its lines must be locked, so that no return is created concurrently. */
async function assertNoReturns(db: Db, side: Side, id: string): Promise<void> {
  const rows = await db.rows(sql`
    SELECT id FROM ${tableNamed(SIDES[side].returns)} WHERE invoice_id = ${id}::uuid AND status <> 'cancelled' LIMIT 1`);
  if (rows.length > 0) throw HasReturns();
}

/** Locks the open item before the invoice, like payments do, to prevent deadlocks. */
async function voidOpenItem(db: Db, side: Side, id: string): Promise<void> {
  const claim = await lockItemOf(db, SIDES[side].invoice, id);
  if (claim && isZero(claim.settled))
    await db.rows(sql`UPDATE open_items SET voided = TRUE WHERE id = ${claim.id}::uuid`);
}

/**
 * Returns the cancellation date of an invoice: by default its own date, or the date when its last settlement was
 * undone.
 * @throws BeforeDocument
 */
async function cancellationDate(
  db: Db,
  side: Side,
  { id, invoice_date, number }: Invoice,
  date?: string,
): Promise<string> {
  const [claim] = await db.rows<{ id: string; amount: string }>(sql`
    SELECT id, amount FROM open_items WHERE document_type = ${SIDES[side].invoice} AND document_id = ${id}::uuid`);
  const open = claim && (await openSince(db, [claim])).get(claim.id);
  const first = open ?? { date: invoice_date, number: number! };
  if (date) assertNotBefore(date, [first]);
  return date ?? first.date;
}

/** Checks all rules that do not need inventory, then records that goods are about to be reserved. */
async function beginCancellation({ caller, dry_run }: PrepareContext, db: Db, id: string, date?: string) {
  const { invoice: document_type, invoice_key, scope } = SIDES.purchase;
  await booksOf(db, caller);
  await lockLines(db, 'purchase', id);
  const invoice = await lockInvoice(db, 'purchase', id);
  if (!isDue(SIDES.purchase.states, invoice, { action: 'cancel', done: ['cancelled'] }, caller)) return undefined;
  await assertNoReturns(db, 'purchase', id);
  const day = await cancellationDate(db, 'purchase', invoice, date);
  await assertPeriodOpen(db, day, scope);
  const lines = await receivedLines(db, invoice_key, invoice.warehouse_id, id);
  if (lines.length === 0) return undefined;
  const document = { document_type, document_id: id, direction: 'receipt', reversal_date: day };
  const attempt = dry_run ? { columns: document, number: null } : await beginReservation(db, document);
  return attempt && { attempt, document, lines };
}

/**
 * Reserves in inventory the goods of a purchase that is to be cancelled. Called before the transaction.
 * @returns undefined if no goods were received, or the invoice is cancelled already
 * @throws InsufficientStock for goods that are no longer in stock, InvalidTransition, HasReturns, PeriodLocked,
 * StockPending
 */
export async function reservePurchase(
  context: PrepareContext,
  id: string,
  date?: string,
): Promise<Attempt<StockDocument> | undefined> {
  const started = await context.write((db) => beginCancellation(context, db, id, date));
  if (started) await reserveForReversal.ask(context, started.attempt, started);
  return started?.attempt;
}

async function emitCancelled(
  { db, emit }: CommandContext,
  side: Side,
  { id, number, sales_order_id, proposal_id }: Invoice,
): Promise<void> {
  if (side === 'purchase') {
    emit(PurchaseInvoiceCancelled, { purchase_invoice_id: id, number: number! });
    return;
  }
  const lines = await soldLines(db, id);
  const source = await billingSourceOf(db, id);
  const origins = { sales_order_id: sales_order_id ?? '', proposal_id: proposal_id ?? '' };
  emit(SalesInvoiceCancelled, { sales_invoice_id: id, number: number!, lines, ...origins, ...source });
}

/**
 * Cancels a posted invoice without payments, credits and returns. Repeating the request has no further effect. Chosen:
 * inventory moves the goods right after the posting, which cannot be rejected. Sold goods are restocked, and purchased
 * goods were reserved before. Until then, the invoice shows the move as pending.
 * @param aside the attempt that reserved the goods of a purchase
 * @param date of the reversal. Defaults to the date of the invoice
 * @throws InvalidTransition, HasReturns, BeforeDocument, PeriodLocked, StockPending
 */
export async function cancelInvoice(
  context: CommandContext,
  side: Side,
  id: string,
  { aside, date }: { aside?: Attempt<StockDocument> | undefined; date?: string | undefined },
): Promise<void> {
  const { db, caller } = context;
  await booksOf(db, caller);
  await lockLines(db, side, id);
  await voidOpenItem(db, side, id);
  const { states } = SIDES[side];
  if (!(await states.move(modelOf(db, side), id, 'cancel', {}, caller))) return;
  await assertNoReturns(db, side, id);
  const invoice = await lockInvoice(db, side, id);
  const day = await cancellationDate(db, side, invoice, date);
  await (side === 'sales' ? moveGoods.undoLater(db, id) : scheduleReversal(db, id, aside));
  await db.rows(
    sql`UPDATE stock_sagas SET reversal_date = ${day} WHERE document_id = ${id}::uuid AND state = 'reversing'`,
  );
  if (invoice.journal_id)
    await reverseEntry(db, invoice.journal_id, { date: day, narration: `${invoice.number} cancelled` });
  if (side === 'sales') await cancelCommission(context, invoice, day);
  await emitCancelled(context, side, invoice);
}
