/** Statuses of a milestone. Overdue is derived from the last day. */
import { lifecycle } from '@suite/chassis/operations';

export const milestoneStates = lifecycle(
  'milestone',
  {
    incomplete: { complete: 'complete' },
    complete: { reopen: 'incomplete' },
  },
  {
    actions: {
      complete: 'milestone.update',
      reopen: 'milestone.update',
      update: 'milestone.update',
      delete: 'milestone.delete',
    },
  },
);
