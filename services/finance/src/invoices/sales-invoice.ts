import { SalesInvoiceCreated } from '@suite/proto/finance/v1/events';
import { createInvoice, type InvoiceFacts } from '../documents/invoice.ts';
import type { Work } from '../operations.ts';

/** Writes down a draft of a sales invoice, and says so. Returns its id. */
export async function createSalesInvoice(work: Work, facts: InvoiceFacts & { party_id: string }): Promise<string> {
  const { id, total, currency } = await createInvoice(work, 'sales', facts);
  work.emit(SalesInvoiceCreated, { sales_invoice_id: id, customer_id: facts.party_id, total, currency });
  return id;
}
