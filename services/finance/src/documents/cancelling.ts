/** Cancelling posted invoices: everything that posting booked is taken back by its opposite, on the same day. */
import { fault, raw, sql } from '@suite/chassis';
import { isZero } from '@suite/money';
import { PurchaseInvoiceCancelled, SalesInvoiceCancelled } from '@suite/proto/finance/v1/events';
import { booksOf } from '../accounts/books.ts';
import { cancelCommission } from '../commissions/accrual.ts';
import { lockItemOf } from '../ledger/claims.ts';
import { reverseEntry } from '../ledger/journal.ts';
import type { Db, Work } from '../operations.ts';
import { undoLater } from '../stock/saga.ts';
import { holdInvoice, holdLines, type Invoice, modelOf } from './invoice.ts';
import { type Trade, TRADE } from './kind.ts';
import { soldLines } from './posting.ts';

export const HasReturns = fault(409, 'has_returns', 'There is a return of this. Delete or cancel it first.');
export const GoodsReceived = fault(
  409,
  'goods_received',
  'The goods of this are in stock and may be sold already. Give them back with a return.',
);

/** Refuses what has begun to come back. Its lines must be held, so that no return is begun meanwhile. */
async function assertNothingReturned(db: Db, trade: Trade, id: string): Promise<void> {
  const rows = await db.rows(sql`
    SELECT id FROM ${raw(TRADE[trade].returns)} WHERE invoice_id = ${id}::uuid AND status <> 'cancelled' LIMIT 1`);
  if (rows.length > 0) throw HasReturns();
}

/** What is owed for it is held before the invoice, as by whoever pays it: they wait for each other, never in a circle. */
async function voidClaim(db: Db, trade: Trade, id: string): Promise<void> {
  const claim = await lockItemOf(db, TRADE[trade].invoice, id);
  if (claim && isZero(claim.settled))
    await db.rows(sql`UPDATE open_items SET voided = TRUE WHERE id = ${claim.id}::uuid`);
}

/** Has the goods of a sale put back. @throws GoodsReceived for what was bought */
async function giveGoodsBack(db: Db, trade: Trade, id: string): Promise<void> {
  const moved = await undoLater(db, id);
  if (moved && trade === 'purchase') throw GoodsReceived();
}

async function announce({ db, emit }: Work, trade: Trade, { id, number, sales_order_id }: Invoice): Promise<void> {
  if (trade === 'purchase') {
    emit(PurchaseInvoiceCancelled, { purchase_invoice_id: id, number: number! });
    return;
  }
  const lines = await soldLines(db, id);
  emit(SalesInvoiceCancelled, { sales_invoice_id: id, number: number!, sales_order_id: sales_order_id ?? '', lines });
}

/**
 * Cancels a posted invoice of which nothing is paid, credited or given back; cancelling twice is cancelling once.
 * Chosen: what was sold is put back by inventory right after the books, which cannot be refused; until then the invoice
 * shows it as pending. What was bought may be gone from stock by now, so that a return has to say what goes back.
 * @throws InvalidTransition, HasReturns, GoodsReceived, PeriodLocked
 */
export async function cancelInvoice(work: Work, trade: Trade, id: string): Promise<void> {
  const { db, caller } = work;
  await booksOf(db, caller);
  await holdLines(db, trade, id);
  await voidClaim(db, trade, id);
  if (!(await TRADE[trade].states.move(modelOf(db, trade), id, 'cancel'))) return;
  await assertNothingReturned(db, trade, id);
  await giveGoodsBack(db, trade, id);
  const invoice = await holdInvoice(db, trade, id);
  await reverseEntry(db, invoice.journal_id!, { narration: `${invoice.number} cancelled` });
  if (trade === 'sales') await cancelCommission(work, invoice);
  await announce(work, trade, invoice);
}
