/** View of invoices. Paid amounts come from their open items. */
import { batch, sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import {
  type Expansion,
  expandOne,
  type ListRequest,
  one,
  type Page,
  paginate,
  readOne,
  type View,
} from '@suite/chassis/lists';
import { Warning } from '@suite/chassis/operations';
import { today } from '@suite/chassis/runtime';
import { costField } from '@suite/document-lines';
import { z } from 'zod';
import { balanceCondition } from './balance-filter.ts';
import { journalLinesFor, JournalEntry } from '../../ledger/ledger/journal.view.ts';
import { columnNamed, type Db, tableNamed } from '../../operations.ts';
import { pendingEffects } from '../../ledger/stock/saga.ts';
import { StockMove } from '../documents/document.schema.ts';
import { type Side, SIDES } from '../documents/side.ts';
import { invoiceLines } from '../documents/lines.ts';

/** Returns the view of a side's invoices for a caller. */
export function invoiceView(db: Db, side: Side, caller: Caller): View {
  const { invoices, invoice, party, party_column, states } = SIDES[side];
  const item = sql`FROM open_items AS item
    WHERE item.document_type = ${invoice} AND item.document_id = ${tableNamed(invoices)}.id AND NOT item.voided`;
  const credited = sql`SELECT coalesce(sum(allocation.amount), 0) FROM allocations AS allocation
    JOIN open_items AS credit ON credit.id = allocation.credit_id JOIN open_items AS item ON item.id = allocation.claim_id
    WHERE credit.document_type = ${SIDES[side].note} AND item.document_type = ${invoice} AND item.document_id = ${tableNamed(invoices)}.id`;
  const due = sql`SELECT coalesce(sum(item.amount - item.settled), 0) ${item}`;
  const late = sql`${today(caller.timezone)}::date - ${tableNamed(invoices)}.due_date`;
  return {
    table: invoices,
    compute: {
      credited,
      paid: sql`SELECT coalesce(sum(item.settled), 0) - (${credited}) ${item}`,
      balance_due: due,
      payment_status: sql`CASE WHEN ${tableNamed(invoices)}.status IN ('paid', 'credited') THEN ${tableNamed(invoices)}.status
        WHEN ${tableNamed(invoices)}.status = 'partially_paid' THEN 'partial'
        WHEN ${tableNamed(invoices)}.status = 'posted' AND ${tableNamed(invoices)}.total = 0 THEN 'paid' ELSE 'unpaid' END`,
      is_overdue: sql`(${late}) > 0 AND (${due}) > 0`,
      days_overdue: sql`CASE WHEN (${due}) > 0 THEN greatest(0, ${late}) ELSE 0 END`,
      pending_effects: pendingEffects(sql`${tableNamed(invoices)}.id`),
      allowed_actions: states.shownTo(caller, invoices),
    },
    expand: {
      lines: invoiceLines(db, side),
      [party]: one(party_column, (ids) =>
        db.rows(sql`SELECT id, code, name FROM ${tableNamed(`${party}s`)} WHERE id = ANY(${ids}::uuid[])`),
      ),
    },
  };
}

/** Returns a page of the sales or purchase invoices that the caller can see. */
export const listInvoices = (db: Db, side: Side, caller: Caller, request: ListRequest): Promise<Page> =>
  paginate(db, request, { ...invoiceView(db, side, caller), conditions: { balance_due: balanceCondition(side) } });

/** IDs of an invoice and of its related records. */
interface InvoiceIds {
  id: string;
  party_id: string;
}

/**
 * Returns a view whose expansions are requested immediately, before the record itself arrives. All their keys are
 * known.
 */
function prefetchView(view: View, side: Side, { id, party_id }: InvoiceIds): View {
  const known = { id, [SIDES[side].party_column]: party_id };
  const early = expandOne(known, view).then(() => known as Record<string, unknown>);
  // The expansion that awaits the result reports the error.
  early.catch(() => undefined);
  const take: Expansion = async ([row], name) => {
    row![name] = (await early)[name];
  };
  return { ...view, expand: Object.fromEntries(Object.keys(view.expand ?? {}).map((name) => [name, take])) };
}

/** Reads an invoice for a caller. */
export const readInvoice = <S extends z.ZodObject>(
  { db, caller }: { db: Db; caller: Caller },
  schema: S,
  side: Side,
  id: string,
): Promise<z.input<S>> => readOne(db, schema, id, invoiceView(db, side, caller));

/**
 * Reads an invoice that this command has written or locked, with its related records, in one round trip. The queries
 * are pipelined behind the statements that write it.
 */
export const readStored = <S extends z.ZodObject>(
  { db, caller }: { db: Db; caller: Caller },
  schema: S,
  side: Side,
  invoice: InvoiceIds,
): Promise<z.input<S>> => readOne(db, schema, invoice.id, prefetchView(invoiceView(db, side, caller), side, invoice));

/** Effects of posting, actual or in a dry run. */
export const effects = z
  .object({
    journal_lines: costField(
      JournalEntry.shape.lines.unwrap().describe('Journal lines, including the cost of the goods.'),
    ),
    stock_moves: z.array(StockMove),
    warnings: z.array(Warning),
  })
  .meta({ id: 'Effects' });
export type PostingEffects = z.input<typeof effects>;

/** Returns a warning if the customer exceeds the credit limit. */
async function creditWarnings(db: Db, side: Side, id: string): Promise<PostingEffects['warnings']> {
  if (side === 'purchase') return [];
  const rows = await db.rows(sql`
    SELECT customer.id FROM sales_invoices AS invoice JOIN customers AS customer ON customer.id = invoice.customer_id
    WHERE invoice.id = ${id}::uuid AND customer.credit_limit IS NOT NULL AND customer.credit_limit < (
      SELECT sum(CASE item.kind WHEN 'claim' THEN 1 ELSE -1 END * (item.base_amount - item.base_settled))
      FROM open_items AS item WHERE item.customer_id = customer.id AND NOT item.voided)`);
  return rows.map(() => ({
    code: 'credit_limit_exceeded',
    message: 'The outstanding amount of this customer exceeds the credit limit.',
  }));
}

/**
 * Returns a warning if the posted invoices of an order or proposal exceed its total. Chosen: a higher price or an extra
 * line may be agreed since, so it is not rejected like a larger quantity.
 */
async function orderWarnings(db: Db, side: Side, id: string): Promise<PostingEffects['warnings']> {
  if (side === 'purchase') return [];
  const rows = await db.rows(sql`
    SELECT agreed.id FROM sales_invoices AS invoice
      JOIN agreements AS agreed ON agreed.id = coalesce(invoice.sales_order_id, invoice.proposal_id)
    WHERE invoice.id = ${id}::uuid AND agreed.lines <> '[]' AND agreed.currency = invoice.currency
      AND (SELECT sum((line -> 'figures' ->> 'total')::numeric) FROM jsonb_array_elements(agreed.lines) AS line) < (
        SELECT sum(other.total) FROM sales_invoices AS other
        WHERE (other.sales_order_id = agreed.id OR other.proposal_id = agreed.id)
          AND (other.id = invoice.id OR other.status NOT IN ('draft', 'cancelled')))`);
  return rows.map(() => ({
    code: 'above_order',
    message: 'The invoices of this order or proposal exceed its total. Check prices and additional lines.',
  }));
}

const OVER_INVOICED = { code: 'over_invoiced', message: 'This invoice bills more than was ordered.' };

/** Returns the stock movements of a posted invoice. */
const movesFor = (db: Db, side: Side, id: string) =>
  db.rows<PostingEffects['stock_moves'][number]>(sql`
    SELECT line.id AS line_id, line.product_id, invoice.warehouse_id, ${SIDES[side].moves.invoice} AS direction, line.qty, line.cost
    FROM invoice_lines AS line
      JOIN ${tableNamed(SIDES[side].invoices)} AS invoice ON invoice.id = line.${columnNamed(SIDES[side].invoice_key)}
    WHERE invoice.id = ${id}::uuid AND line.tracked AND line.cost IS NOT NULL ORDER BY line.position`);

/** Returns the effects of posting an invoice. */
async function invoiceEffects(
  db: Db,
  side: Side,
  { id, journal_id, excess = [] }: { id: string; journal_id: string | null; excess?: readonly object[] },
): Promise<PostingEffects> {
  const [stock_moves, journal_lines, credit, order] = await batch([
    movesFor(db, side, id),
    journalLinesFor(db, journal_id, { type: SIDES[side].invoice, id }),
    creditWarnings(db, side, id),
    orderWarnings(db, side, id),
  ]);
  const over = excess.length > 0 ? [OVER_INVOICED] : order;
  return { journal_lines, stock_moves, warnings: [...credit, ...over] };
}

/** Reads a posted invoice with its posting effects. */
export async function readPosted<S extends z.ZodObject>(
  context: { db: Db; caller: Caller },
  schema: S,
  side: Side,
  invoice: InvoiceIds & { journal_id: string | null; excess?: readonly object[] },
): Promise<z.input<S> & { effects: PostingEffects }> {
  // Sent together, because the next posting waits for the number that this transaction has taken.
  const [effects, record] = await batch([
    invoiceEffects(context.db, side, invoice),
    readStored(context, schema, side, invoice),
  ]);
  return { ...record, effects };
}
