import { SalesInvoiceCancelled } from '@suite/proto/finance/v1/events';
import { releaseRun } from '../billing/billing/billing.ts';
import { on } from '../operations.ts';

/** Releases the time of a cancelled invoice, so that it can be invoiced again. */
export const releaseCancelledInvoice = on(
  SalesInvoiceCancelled,
  'projects.release-cancelled-invoice',
  async ({ event, db }) => {
    if (event.source_type === 'time') await releaseRun(db, event.source_id);
  },
);
