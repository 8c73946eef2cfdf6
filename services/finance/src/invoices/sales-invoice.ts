import { sql } from '@suite/chassis';
import { SalesInvoiceCreated } from '@suite/proto/finance/v1/events';
import { createInvoice, type InvoiceFacts } from '../documents/invoice.ts';
import type { Work } from '../operations.ts';

/** Writes down a draft of a sales invoice, and says so. Returns its id. */
export async function createSalesInvoice(work: Work, facts: InvoiceFacts): Promise<string> {
  const id = await createInvoice(work, 'sales', facts);
  const [made] = await work.db.rows<{ customer_id: string; total: string; currency: string }>(
    sql`SELECT customer_id, total, currency FROM sales_invoices WHERE id = ${id}::uuid`,
  );
  work.emit(SalesInvoiceCreated, { sales_invoice_id: id, ...made! });
  return id;
}
