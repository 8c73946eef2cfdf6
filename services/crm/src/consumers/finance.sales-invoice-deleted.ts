import { SalesInvoiceDeleted } from '@suite/proto/finance/v1/events';
import { on } from '../operations.ts';
import { clearDraft } from '../sales/proposals/proposal-conversion.ts';

/**
 * Allows a proposal to be converted again after its draft invoice was deleted. Orders need no update, because they
 * count posted invoices only.
 */
export const forgetDeletedDraft = on(SalesInvoiceDeleted, 'crm.forget-deleted-draft', async ({ event, db }) => {
  if (event.proposal_id) await clearDraft(db, event.proposal_id, event.sales_invoice_id);
});
