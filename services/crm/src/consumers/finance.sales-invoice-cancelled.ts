import { SalesInvoiceCancelled } from '@suite/proto/finance/v1/events';
import { on } from '../operations.ts';
import { recordInvoice } from '../orders/sales-order-progress.ts';

/** What a cancelled invoice took of an order is to be delivered and invoiced again. */
export const recordCancelledInvoice = on(SalesInvoiceCancelled, 'crm.note-cancelled-invoice', ({ event, db }) =>
  recordInvoice(db, event, true),
);
