import { SalesInvoicePosted } from '@suite/proto/finance/v1/events';
import { on } from '../operations.ts';
import { recordInvoice } from '../sales/orders/sales-order-progress.ts';

/** Adds the quantities of a posted invoice to the invoiced and delivered quantities of its order, if any. */
export const recordInvoiceOfOrder = {
  ...on(SalesInvoicePosted, 'crm.note-invoice-of-order', ({ event, db }) => recordInvoice(db, event, false)),
  concerns: ({ sales_order_id }: SalesInvoicePosted) => sales_order_id !== '',
};
