/**
 * Posting of invoices: costs, number, journal entry and open item are recorded in one transaction. Inventory moves the
 * goods before (invoice-goods.ts).
 */
import { batch, sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { PurchaseInvoicePosted, SalesInvoicePosted } from '@suite/proto/finance/v1/events';
import { roundTo } from '@suite/money';
import { type Books, booksOf } from '../../ledger/books/books.ts';
import { findAccountsByRole } from '../../ledger/accounts/account.ts';
import { withPostableAccounts } from '../../ledger/accounts/usable-accounts.ts';
import { recordTerms, earnCommission } from '../../commissions/commissions/accrual.ts';
import { columnNamed, type CommandContext, type Db } from '../../operations.ts';
import { type MovedDocument, recordCosts, settleMoves } from '../../ledger/stock/saga.ts';
import { updateRow } from '../../parties/rows.ts';
import { assertWithinOrder, type ExcessLine } from '../agreements/over-invoicing.ts';
import { POSTING_ROLES, postDraft, planEntry } from './invoice-entry.ts';
import { isDue } from '../documents/document-action.rules.ts';
import { lockInvoice, type Invoice } from './invoice.ts';
import { recalculateShares } from './share-recalculation.ts';
import { type Side, SIDES } from '../documents/side.ts';
import type { PostingLine } from '../documents/document.rules.ts';

export const CreditLimitExceeded = fault(
  409,
  'credit_limit_exceeded',
  "This invoice would exceed the customer's credit limit. Reduce it, or raise the limit.",
);

/** Line of an invoice that is being posted. */
export interface PostedLine extends PostingLine {
  id: string;
  qty: string;
  /** True if another service created the line with only a product ID, so that names, accounts and taxes are missing. */
  lacks_product_data: boolean;
  /** True if the line bills more than the part of the order line that remained when it was written, on agreed terms. */
  exceeds_order: boolean;
  /** Type of the billed source, and below its ID. */
  source_type: string | null;
  source_id: string | null;
}

/** Returns the lines of an invoice for posting. */
export const linesOf = (db: Db, side: Side, id: string): Promise<PostedLine[]> =>
  db.rows<PostedLine>(sql`
    SELECT id, product_id, tracked, income_account_id, expense_account_id, stock_account_id, trim_scale(qty)::text AS qty,
      net, taxes, cost, product_id IS NOT NULL AND product_name IS NULL AS lacks_product_data,
      agreed_terms AND NOT agreed AS exceeds_order, source_type, source_id
    FROM invoice_lines WHERE ${columnNamed(SIDES[side].invoice_key)} = ${id}::uuid ORDER BY position`);

const soldLinesOf = (lines: readonly PostedLine[]) =>
  lines.map(({ id: line_id, product_id, qty, source_type, source_id }) => {
    const source_line_id = source_type === 'time' ? '' : (source_id ?? '');
    return { line_id, product_id: product_id ?? '', qty, source_line_id };
  });

/** Returns the lines of a sale for events. Free text has no product. */
export const soldLines = async (db: Db, id: string) => soldLinesOf(await linesOf(db, 'sales', id));

/**
 * Checks the credit limit if the settings block at the limit. The lock prevents concurrent postings for this customer.
 */
export async function assertCredit(
  db: Db,
  side: Side,
  { party_id, base_total }: Invoice,
  { books, caller }: { books: Books; caller: Caller | null },
): Promise<void> {
  if (side === 'purchase' || books.credit_limit !== 'block') return;
  await db.rows(sql`SELECT id FROM customers WHERE id = ${party_id}::uuid FOR NO KEY UPDATE`);
  const [over] = await db.rows<{ credit_limit: string; balance: string }>(sql`
    SELECT * FROM (SELECT customer.credit_limit, coalesce((
      SELECT sum(CASE item.kind WHEN 'claim' THEN 1 ELSE -1 END * (item.base_amount - item.base_settled))
      FROM open_items AS item WHERE item.customer_id = customer.id AND NOT item.voided), 0) AS balance
    FROM customers AS customer WHERE customer.id = ${party_id}::uuid) AS found
    WHERE credit_limit < balance + ${base_total}::numeric`);
  if (!over) return;
  // The balance contains amounts of other invoices.
  if (!caller?.permissions.includes('sales_invoice.view')) throw CreditLimitExceeded();
  const shaped = (amount: string) => roundTo(amount, books.base_currency);
  throw CreditLimitExceeded({ credit_limit: shaped(over.credit_limit), balance: shaped(over.balance) });
}

/** Returns false if the invoice is already posted. @throws InvalidTransition if it was cancelled */
export const isPostable = (side: Side, invoice: Invoice, caller: Caller | null): boolean =>
  isDue(
    SIDES[side].states,
    invoice,
    { action: 'post', done: ['posted', 'partially_paid', 'paid', 'credited'] },
    caller,
  );

/** Returns the invoice with the caller's permission to bill more than was ordered. Once allowed, it stays allowed. */
export const withOverInvoicing = <Of extends Pick<Invoice, 'allow_over_invoicing'>>(invoice: Of, allow = false): Of =>
  allow ? { ...invoice, allow_over_invoicing: true } : invoice;

function emitPosted(
  { emit }: CommandContext,
  side: Side,
  invoice: Invoice,
  lines: readonly PostedLine[],
  number: string,
): void {
  const { id, party_id, total, currency, invoice_date, sales_order_id, proposal_id } = invoice;
  if (side === 'purchase') {
    emit(PurchaseInvoicePosted, { purchase_invoice_id: id, number, vendor_id: party_id, total, currency });
    return;
  }
  const billed = lines.find(({ source_type }) => source_type === 'time');
  emit(SalesInvoicePosted, {
    sales_invoice_id: id,
    number,
    customer_id: party_id,
    total,
    currency,
    invoice_date,
    sales_order_id: sales_order_id ?? '',
    proposal_id: proposal_id ?? '',
    lines: soldLinesOf(lines),
    source_type: billed?.source_type ?? '',
    source_id: billed?.source_id ?? '',
  });
}

/** Posted invoice, with its lines that bill more than was ordered. */
export type PostedInvoice = Invoice & { excess?: readonly ExcessLine[] };

/** Returns the lines with their costs from inventory, which are stored with the lines. */
function withCosts(lines: readonly PostedLine[], moved: MovedDocument): PostedLine[] {
  const costs = new Map(moved.lines.map((line) => [line.line_id, line]));
  return lines.map((line) => {
    const found = costs.get(line.id);
    return found ? { ...line, cost: found.cost, stock_account_id: found.stock_account_id || null } : line;
  });
}

/** Reads an invoice, locked, and its lines. A draft that exceeded its order is computed again. */
async function lockForPosting(db: Db, side: Side, id: string, caller: Caller | null) {
  const read = () => batch([lockInvoice(db, side, id), linesOf(db, side, id)]);
  const found = await read();
  const [invoice, lines] = found;
  if (!isPostable(side, invoice, caller) || !lines.some(({ exceeds_order }) => exceeds_order)) return found;
  await recalculateShares(db, invoice, await booksOf(db, caller));
  return await read();
}

/** Invoice to post. */
interface Posting {
  id: string;
  /** Goods that inventory has moved. Undefined if the invoice is already posted. */
  moved: MovedDocument | undefined;
  /** True if the caller allows the invoice to bill more than was ordered. */
  allow_over_invoicing?: boolean | undefined;
}

/**
 * Posts a draft whose goods have moved.
 * @returns the invoice. Without `moved`, or if it is already posted, it is unchanged
 * @throws InvalidTransition, CreditLimitExceeded, OverInvoiced, PeriodLocked, StockPending
 */
export async function postInvoice(
  context: CommandContext,
  side: Side,
  { id, moved, allow_over_invoicing }: Posting,
): Promise<PostedInvoice> {
  const { db, caller } = context;
  const [books, [invoice, drafted], accounts] = await batch([
    booksOf(db, caller),
    lockForPosting(db, side, id, caller),
    findAccountsByRole(db, POSTING_ROLES[side]),
  ]);
  if (!isPostable(side, invoice, caller) || !moved) return invoice;
  // Checked before the goods moved, too. Since then, other postings may have used up the order or the credit limit.
  const excess = await assertWithinOrder(db, withOverInvoicing(invoice, allow_over_invoicing), drafted);
  if (excess.length > 0) await updateRow(db, 'sales_invoices', id, { allow_over_invoicing: true });
  await assertCredit(db, side, invoice, { books, caller });
  const { base_currency } = books;
  const { lines, note } = await withPostableAccounts(db, withCosts(drafted, moved), SIDES[side].expense_use);
  const entry = planEntry(side, invoice, lines, base_currency);
  // Sent in this order. The number is taken last, because other postings wait for it until this transaction ends.
  const [_settled, _costs, earnsCommission, number] = await batch([
    settleMoves(db, moved),
    recordCosts(db, { table: 'invoice_lines', key: SIDES[side].invoice_key, id }, moved),
    invoice.agent_id ? recordTerms(db, id, base_currency) : false,
    postDraft(context, side, { invoice, entry, accounts, base_currency }, note),
  ]);
  if (earnsCommission) await earnCommission(context, invoice);
  emitPosted(context, side, invoice, lines, number);
  return { ...invoice, journal_id: entry.journal_id, excess };
}
