/** Lifecycle of a partner, and the permissions of its actions. */
import { lifecycle } from '@suite/chassis/operations';

const UPDATE = 'partner.update';

export const partnerStates = lifecycle(
  'partner',
  { active: { revoke: 'revoked' }, revoked: {} },
  {
    actions: {
      update: { permission: UPDATE, in: ['active'] },
      rotate: { permission: UPDATE, in: ['active'] },
      revoke: UPDATE,
      delete: { permission: 'partner.delete', in: ['revoked'] },
    },
  },
);
