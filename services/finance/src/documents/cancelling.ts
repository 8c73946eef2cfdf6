/** Cancelling posted invoices: everything that posting booked is taken back by its opposite, on the same day. */
import { clock, fault, InvalidTransition, raw, sql } from '@suite/chassis';
import { PurchaseInvoiceCancelled, SalesInvoiceCancelled } from '@suite/proto/finance/v1/events';
import { booksOf } from '../accounts/books.ts';
import { lockItems } from '../ledger/claims.ts';
import { reverseEntry } from '../ledger/journal.ts';
import type { Db, Work } from '../operations.ts';
import { giveBack } from '../stock/saga.ts';
import { holdInvoice, type Invoice } from './invoice.ts';
import { type Trade, TRADE } from './kind.ts';
import { soldLines } from './posting.ts';

export const HasReturns = fault(409, 'has_returns', 'There is a return of this. Delete or cancel it first.');
export const GoodsReceived = fault(
  409,
  'goods_received',
  'The goods of this are in stock and may be sold already. Give them back with a return.',
);

/** Refuses what has begun to come back. Its lines are held, as for a return, so that none is begun meanwhile. */
async function assertNothingReturned(db: Db, trade: Trade, id: string): Promise<void> {
  const { invoice_key, returns } = TRADE[trade];
  await db.rows(sql`SELECT id FROM invoice_lines WHERE ${raw(invoice_key)} = ${id}::uuid ORDER BY id FOR UPDATE`);
  const rows = await db.rows(sql`
    SELECT id FROM ${raw(returns)} WHERE invoice_id = ${id}::uuid AND status <> 'cancelled' LIMIT 1`);
  if (rows.length > 0) throw HasReturns();
}

/** What somebody owes for it is owed no more. Nothing of it was settled, or the invoice would not be `posted`. */
async function voidClaim(db: Db, trade: Trade, id: string): Promise<void> {
  const [claim] = await db.rows<{ id: string }>(sql`
    SELECT id FROM open_items WHERE document_type = ${TRADE[trade].invoice} AND document_id = ${id}::uuid`);
  await lockItems(db, [claim!.id]);
  await db.rows(sql`UPDATE open_items SET voided = TRUE WHERE id = ${claim!.id}::uuid`);
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
 * shows it as pending. What was bought may be gone from stock by now, so that its return has to say what comes back.
 * @throws InvalidTransition, HasReturns, GoodsReceived, PeriodLocked
 */
export async function cancelInvoice(work: Work, trade: Trade, id: string): Promise<void> {
  const { db, caller } = work;
  await booksOf(db, caller);
  // The claim comes before the invoice, as for whoever pays it: two who want both wait for each other, never in a circle.
  const before = await findInvoice(db, trade, id);
}
