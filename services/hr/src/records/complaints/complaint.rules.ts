/** Lifecycle of a complaint. */
import { fault } from '@suite/chassis/faults';
import { lifecycle } from '@suite/chassis/operations';

export const complaintStates = lifecycle(
  'complaint',
  {
    open: { investigate: 'investigating' },
    investigating: { resolve: 'resolved', dismiss: 'dismissed' },
    resolved: {},
    dismissed: {},
  },
  {
    actions: {
      update: { permission: 'complaint.update', in: ['open'] },
      delete: { permission: 'complaint.delete', in: ['open'] },
      investigate: 'complaint.decide',
      resolve: 'complaint.decide',
      dismiss: 'complaint.decide',
    },
  },
);

export const AgainstOneself = fault(
  422,
  'against_oneself',
  'You cannot file a complaint about yourself. Choose another employee.',
);
