/** The lifecycle of a user account and its permissions. */
import { type Caller, fault, lifecycle } from '@suite/chassis';
import { RoleExceedsCaller, covers, rightsOf } from '../roles/role.rules.ts';

export const LastOwner = fault(409, 'last_owner', 'A workspace needs an owner. Make another user an owner first.');
export const EmailTaken = fault(
  409,
  'email_taken',
  'This e-mail address belongs to another account of this workspace.',
);

export const SecondFactorProtected = fault(
  409,
  'second_factor_protected',
  'The e-mail address of this account is being changed. Remove the second factor when the current address has approved that.',
);

/** Verifying an active user again changes nothing; nobody comes back from being deleted. */
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
      verify: 'user.verify',
      disable: 'user.update',
      enable: 'user.update',
      delete: 'user.delete',
      reset_password: { permission: 'user.reset_password', in: ['invited', 'active'] },
    },
  },
);

/** @throws BeyondYourRights when the role allows anything that the caller may not do */
export function assertMayGrant(caller: Caller, role: Parameters<typeof rightsOf>[0]): void {
  if (!covers(caller, rightsOf(role))) throw RoleExceedsCaller();
}

/** Owners and staff take a seat of the plan; people outside the workspace take none. */
export const takesSeat = (kind: string): boolean => kind === 'owner' || kind === 'staff';
