import { SalesInvoicePosted } from '@suite/proto/finance/v1/events';
import { on } from '../operations.ts';
import { recordInvoice } from '../orders/sales-order-progress.ts';

/** What an invoice takes of an order is invoiced, and delivered with it. */
export const recordInvoiceOfOrder = on(SalesInvoicePosted, 'crm.note-invoice-of-order', ({ event, db }) =>
  recordInvoice(db, event, false),
);
