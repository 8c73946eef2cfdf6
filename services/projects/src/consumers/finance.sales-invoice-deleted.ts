import { SalesInvoiceDeleted } from '@suite/proto/finance/v1/events';
import { releaseRun } from '../billing/billing/billing.ts';
import { on } from '../operations.ts';

/** Releases the time of a deleted draft, so that it can be invoiced again. */
export const releaseDeletedDraft = on(SalesInvoiceDeleted, 'projects.release-deleted-draft', async ({ event, db }) => {
  if (event.source_type === 'time') await releaseRun(db, event.source_id);
});
