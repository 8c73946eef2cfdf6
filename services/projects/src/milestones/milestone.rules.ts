/** The states of a milestone. That it is overdue follows from its last day. */
import { lifecycle } from '@suite/chassis';

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
