import { deleteKeys } from '@suite/chassis/rpc';
import { SalesInvoiceCreated, SalesInvoiceDeleted } from '@suite/proto/finance/v1/events';
import { FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { billingSourceOf } from '../invoices/billed-lines.ts';
import { createInvoice, type InvoiceFields, removeInvoice, type StoredDraft } from '../invoices/invoice.ts';
import type { CommandContext } from '../../operations.ts';

/** Creates a draft sales invoice and emits the event. */
export async function createSalesInvoice(
  context: CommandContext,
  facts: InvoiceFields & { party_id: string },
): Promise<StoredDraft> {
  const draft = await createInvoice(context, 'sales', facts);
  const { id, party_id, total, currency } = draft;
  context.emit(SalesInvoiceCreated, { sales_invoice_id: id, customer_id: party_id, total, currency });
  return draft;
}

/** Deletes a draft and emits its event. */
async function deleteDraft(context: CommandContext, id: string): Promise<void> {
  const { source_type, source_id } = await billingSourceOf(context.db, id);
  const { sales_order_id, proposal_id } = await removeInvoice(context, 'sales', id);
  const origins = { sales_order_id: sales_order_id ?? '', proposal_id: proposal_id ?? '', source_type, source_id };
  context.emit(SalesInvoiceDeleted, { sales_invoice_id: id, ...origins });
}

/**
 * Deletes a draft and emits the event, so that its source can be invoiced again. @throws InvalidTransition,
 * StockPending
 */
export async function removeSalesInvoice(context: CommandContext, id: string): Promise<{ id: string }> {
  await deleteDraft(context, id);
  await deleteKeys(FinanceServiceDefinition.methods.createDraftInvoice, 'subject', [id]);
  return { id };
}

/**
 * Deletes a draft on request of the service that created it. Its key remains used. Has no effect if the draft no longer
 * exists, or was posted and cancelled.
 * @throws InvalidTransition for a posted invoice
 */
export async function deleteRequestedDraft(context: CommandContext, id: string): Promise<void> {
  const invoice = await context.db.salesInvoice.findFirst({ where: { id } });
  if (invoice && invoice.status !== 'cancelled') await deleteDraft(context, id);
}
