import { SalesInvoiceCancelled } from '@suite/proto/finance/v1/events';
import { on } from '../operations.ts';
import { recordInvoice } from '../sales/orders/sales-order-progress.ts';
import { clearDraft } from '../sales/proposals/proposal-conversion.ts';

/** Makes the quantities of an order, or a proposal, invoiceable again after their invoice was cancelled. */
export const recordCancelledInvoice = on(SalesInvoiceCancelled, 'crm.note-cancelled-invoice', async ({ event, db }) => {
  await recordInvoice(db, event, true);
  if (event.proposal_id) await clearDraft(db, event.proposal_id, event.sales_invoice_id);
});
