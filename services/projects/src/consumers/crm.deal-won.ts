import { DealWon } from '@suite/proto/crm/v1/events';
import { on } from '../operations.ts';
import { beginForDeal } from '../projects/project-for-deal.ts';

/** A deal that was won begins a project, where the workspace has chosen a template for it. */
export const beginProjectOfDeal = on(DealWon, 'projects.begin-for-deal', ({ event, db, emit }) =>
  beginForDeal(db, emit, event),
);
