import { deleteKeys } from '@suite/chassis';
import { SalesInvoiceCreated, SalesInvoiceDeleted } from '@suite/proto/finance/v1/events';
import { FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { createInvoice, type InvoiceFacts, removeInvoice } from '../invoices/invoice.ts';
import type { CommandContext } from '../operations.ts';

/** Writes down a draft of a sales invoice, and says so. Returns its id. */
export async function createSalesInvoice(
  work: CommandContext,
  facts: InvoiceFacts & { party_id: string },
): Promise<string> {
  const { id, total, currency } = await createInvoice(work, 'sales', facts);
  work.emit(SalesInvoiceCreated, { sales_invoice_id: id, customer_id: facts.party_id, total, currency });
  return id;
}

/** Deletes a draft, and says so: what it was made from may be invoiced anew. @throws InvalidTransition, StockPending */
export async function removeSalesInvoice(work: CommandContext, id: string): Promise<{ id: string }> {
  const { sales_order_id, proposal_id } = await removeInvoice(work, 'sales', id);
  await deleteKeys(FinanceServiceDefinition.methods.createDraftInvoice, 'subject', [id]);
  const origins = { sales_order_id: sales_order_id ?? '', proposal_id: proposal_id ?? '' };
  work.emit(SalesInvoiceDeleted, { sales_invoice_id: id, ...origins });
  return { id };
}
