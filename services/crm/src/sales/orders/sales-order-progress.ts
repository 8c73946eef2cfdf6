/** Progress of an order: invoiced and delivered quantities of its lines, and the resulting status. */
import { find, sql } from '@suite/chassis/database';
import type { InvoicedLine } from '@suite/proto/finance/v1/parts';
import type { Db } from '../../operations.ts';
import { orderStates } from './sales-order.rules.ts';

/**
 * Counts the quantity of each line that posted invoices cover, by the referenced order line. All quantities are
 * recomputed from the invoices each time, so the order of the events does not matter. Quantities above the ordered
 * quantity count, too. Chosen: posting an invoice counts as delivery. Inventory issues goods for an invoice and never
 * for an order, so invoiced goods have left stock. Services and free text are delivered with it. Goods of a cancelled
 * invoice are reserved again.
 */
const countInvoicedQuantities = (db: Db, id: string) =>
  db.rows(sql`
    WITH invoiced AS (
      SELECT nullif(line ->> 'source_line_id', '')::uuid AS line_id, sum((line ->> 'qty')::numeric) AS billed
      FROM order_invoices, jsonb_array_elements(order_invoices.lines) AS line
      WHERE sales_order_id = ${id}::uuid AND NOT cancelled GROUP BY 1),
    counted AS (
      SELECT of_order.id, coalesce(billed, 0) AS done, least(held_qty, greatest(qty - coalesce(billed, 0), 0)) AS reserved
      FROM sales_lines AS of_order LEFT JOIN invoiced ON invoiced.line_id = of_order.id
      WHERE sales_order_id = ${id}::uuid)
    UPDATE sales_lines SET qty_invoiced = done, qty_delivered = done, reserved_qty = reserved
    FROM counted WHERE sales_lines.id = counted.id AND (qty_invoiced, qty_delivered, reserved_qty) <> (done, done, reserved)`);

/** Computes the fulfilment, invoicing and status of an order from the quantities of its lines. */
const computeProgress = (db: Db, id: string) =>
  db.rows(sql`
    WITH progress AS (
      SELECT CASE WHEN bool_and(qty_delivered >= qty) THEN 'full' WHEN sum(qty_delivered) > 0 THEN 'partial' ELSE 'none' END
          AS fulfilment,
        CASE WHEN bool_and(qty_invoiced >= qty) THEN 'full' WHEN sum(qty_invoiced) > 0 THEN 'partial' END AS invoicing
      FROM sales_lines WHERE sales_order_id = ${id}::uuid)
    UPDATE sales_orders SET fulfilment_status = fulfilment, invoice_status =
      coalesce(invoicing, CASE WHEN status IN ('confirmed', 'on_hold') THEN 'to_invoice' ELSE 'nothing' END)
    FROM progress WHERE sales_orders.id = ${id}::uuid`);

/**
 * Updates the progress of an order. The order is completed when all lines are delivered and invoiced, and reopened when
 * that is undone.
 */
export async function updateProgress(db: Db, id: string): Promise<void> {
  await countInvoicedQuantities(db, id);
  await computeProgress(db, id);
  const { status, fulfilment_status, invoice_status } = await find(db.salesOrder, id);
  const isDone = fulfilment_status === 'full' && invoice_status === 'full';
  if (status === 'confirmed' && isDone) {
    // The reservation remains: its goods have been issued, and are reserved again when an invoice is cancelled.
    await orderStates.move(db.salesOrder, id, 'complete');
  }
  if (status === 'completed' && !isDone) {
    await orderStates.move(db.salesOrder, id, 'reopen');
    await computeProgress(db, id);
  }
}

/** Invoice of an order, as described by the events of finance. */
export interface OrderInvoice {
  sales_invoice_id: string;
  sales_order_id: string;
  number: string;
  lines: readonly InvoicedLine[];
}

/** Records the quantities that an invoice covers, or its cancellation. Accepts the two events in any order. */
export async function recordInvoice(db: Db, invoice: OrderInvoice, cancelled: boolean): Promise<void> {
  const { sales_invoice_id, sales_order_id, number, lines } = invoice;
  if (!sales_order_id) return;
  const [order] = await db.rows(sql`SELECT id FROM sales_orders WHERE id = ${sales_order_id}::uuid FOR NO KEY UPDATE`);
  // Finance accepts any order ID from the creator of an invoice. Unknown orders are ignored.
  if (!order) return;
  const taken = lines.map(({ product_id, qty, source_line_id }) => ({ product_id, qty, source_line_id }));
  await db.rows(sql`
    INSERT INTO order_invoices AS known (sales_invoice_id, sales_order_id, number, lines, cancelled)
    VALUES (${sales_invoice_id}::uuid, ${sales_order_id}::uuid, ${number}, ${JSON.stringify(taken)}::jsonb, ${cancelled})
    ON CONFLICT (workspace_id, sales_invoice_id) DO UPDATE SET cancelled = known.cancelled OR EXCLUDED.cancelled`);
  await updateProgress(db, sales_order_id);
}
