import { DealWon } from '@suite/proto/crm/v1/events';
import { on } from '../operations.ts';
import { beginForDeal } from '../projects/projects/project-for-deal.ts';

/** Creates a project for a won deal if the workspace has chosen a template. */
export const beginProjectOfDeal = on(DealWon, 'projects.begin-for-deal', ({ event, db, emit }) =>
  beginForDeal(db, emit, event),
);
