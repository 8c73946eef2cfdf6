import { SalesInvoicePosted } from '@suite/proto/finance/v1/events';
import { completePosted } from '../billing/billing/billing.ts';
import { on } from '../operations.ts';

/** Marks the time of a posted invoice as invoiced, even if the response about its draft was lost. */
export const completePostedBilling = {
  ...on(SalesInvoicePosted, 'projects.complete-posted-billing', ({ event, db }) =>
    completePosted(db, event.source_id, event.sales_invoice_id),
  ),
  concerns: ({ source_type }: SalesInvoicePosted) => source_type === 'time',
};
