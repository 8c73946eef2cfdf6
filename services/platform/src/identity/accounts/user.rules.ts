/** Lifecycle of a user account, and its permissions. */
import { fault } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { lifecycle } from '@suite/chassis/operations';
import { RoleExceedsCaller, includesRights, rightsOf } from '../roles/role.rules.ts';

export const LastOwner = fault(409, 'last_owner', 'A workspace needs an owner. Make another user an owner first.');
export const EmailTaken = fault(
  409,
  'email_taken',
  'This e-mail address belongs to another account of this workspace. Use another address.',
);

export const SecondFactorProtected = fault(
  409,
  'second_factor_protected',
  'The e-mail address of this account is being changed. Remove the second factor after the current address approves the change.',
);

/** Lifecycle of a user. Verifying an active user again has no effect, and a deleted user cannot be restored. */
export const users = lifecycle(
  'user',
  {
    invited: { verify: 'active', delete: 'deleted' },
    active: { disable: 'disabled', delete: 'deleted' },
    disabled: { enable: 'active', delete: 'deleted' },
    deleted: {},
  },
  {
    actions: {
      update: { permission: 'user.update', in: ['invited', 'active', 'disabled'] },
      verify: 'user.verify',
      disable: 'user.update',
      enable: 'user.update',
      delete: 'user.delete',
      reset_password: { permission: 'user.reset_password', in: ['invited', 'active'] },
    },
  },
);

/** Checks that a role has no permission that the caller lacks. @throws RoleExceedsCaller */
export function assertCanGrant(caller: Caller, role: Parameters<typeof rightsOf>[0]): void {
  if (!includesRights(caller, rightsOf(role))) throw RoleExceedsCaller();
}

/** Checks if a kind of user uses a seat of the plan. Only owners and staff do. */
export const usesSeat = (kind: string): boolean => kind === 'owner' || kind === 'staff';
