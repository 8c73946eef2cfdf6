import { SalesInvoiceCancelled } from '@suite/proto/finance/v1/events';
import { on } from '../operations.ts';
import { recordInvoice } from '../orders/sales-order-progress.ts';

/** Makes the quantities of a cancelled invoice open again in its order, for delivery and invoicing. */
export const recordCancelledInvoice = on(SalesInvoiceCancelled, 'crm.note-cancelled-invoice', ({ event, db }) =>
  recordInvoice(db, event, true),
);
