import { SalesInvoiceDeleted } from '@suite/proto/finance/v1/events';
import { on } from '../operations.ts';
import { forgetDraft } from '../proposals/proposal-conversion.ts';

/** A proposal whose draft invoice is gone can be converted again. An order counts posted invoices only, and misses nothing. */
export const forgetDeletedDraft = on(SalesInvoiceDeleted, 'crm.forget-deleted-draft', async ({ event, db }) => {
  if (event.proposal_id) await forgetDraft(db, event.proposal_id, event.sales_invoice_id);
});
