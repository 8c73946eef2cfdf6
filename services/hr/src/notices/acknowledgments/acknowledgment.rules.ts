/** Statuses of an acknowledgment. */
import { fault } from '@suite/chassis/faults';
import { lifecycle } from '@suite/chassis/operations';

export const acknowledgmentStates = lifecycle(
  'acknowledgment',
  { pending: { acknowledge: 'acknowledged' }, acknowledged: {} },
  {
    actions: {
      acknowledge: { by: 'acknowledgments.acknowledge' },
      remind: { permission: 'acknowledgment.update', in: ['pending'] },
    },
  },
);

export const NoLongerPublished = fault(
  409,
  'no_longer_published',
  'This document is no longer published. No acknowledgment is needed.',
);
export const WithoutAddress = fault(
  409,
  'without_address',
  'This employee has no e-mail address. Add one to send the reminder.',
);
