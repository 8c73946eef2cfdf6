/**
 * End of invoicing for an order, before crm commits its new status: drafts are deleted, and later requests are
 * rejected.
 */
import { sql } from '@suite/chassis/database';
import { Id } from '@suite/chassis/fields';
import { FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { z } from 'zod';
import { type CommandContext, method } from '../../operations.ts';
import { StockPending } from '../../ledger/stock/saga.ts';
import { removeSalesInvoice } from './sales-invoice.ts';

interface OrderInvoice {
  id: string;
  status: string;
}

/** Locks the invoices of an order that are not cancelled, so that none is posted before the transaction ends. */
const invoicesOf = ({ db }: CommandContext, sales_order_id: string) =>
  db.rows<OrderInvoice>(sql`
    SELECT id, status FROM sales_invoices WHERE sales_order_id = ${sales_order_id}::uuid AND status <> 'cancelled'
    ORDER BY id FOR UPDATE`);

const idsOf = (invoices: readonly OrderInvoice[], isDraft: boolean): string[] =>
  invoices.filter(({ status }) => (status === 'draft') === isDraft).map(({ id }) => id);

/**
 * Deletes the drafts of an order. Invoices are locked before the agreement, as everywhere. A draft created between the
 * two locks is deleted by the retry that `StockPending` requests.
 */
export const stopInvoicing = method(FinanceServiceDefinition.methods.stopInvoicing, {
  summary: 'Delete the drafts of an order',
  only: ['crm'],
  idempotent: true,
  input: z.object({
    idempotency_key: z.string().min(1).max(200),
    sales_order_id: Id,
    sequence: z.int().min(1),
    unless_invoiced: z.boolean(),
  }),
  faults: [StockPending],
  async handle({ input: { sales_order_id: id, sequence, unless_invoiced }, ...context }) {
    const before = await invoicesOf(context, id);
    const posted_invoice_ids = idsOf(before, false);
    if (unless_invoiced && posted_invoice_ids.length > 0) return { deleted_invoice_ids: [], posted_invoice_ids };
    const deleted_invoice_ids = idsOf(before, true);
    for (const draft of deleted_invoice_ids) await removeSalesInvoice(context, draft);
    await context.db.rows(sql`
      INSERT INTO agreements AS known (id, type, currency, lines, stopped_through)
      VALUES (${id}::uuid, 'sales_order', '', '[]', ${sequence}) ON CONFLICT (workspace_id, id)
      DO UPDATE SET stopped_through = greatest(known.stopped_through, EXCLUDED.stopped_through)`);
    const after = await context.db.rows<OrderInvoice>(sql`
      SELECT id FROM sales_invoices WHERE sales_order_id = ${id}::uuid AND status = 'draft' LIMIT 1`);
    if (after.length > 0) throw StockPending();
    return { deleted_invoice_ids, posted_invoice_ids };
  },
});
