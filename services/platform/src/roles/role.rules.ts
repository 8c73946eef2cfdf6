import { fault } from '@suite/chassis';
import { exceededScopes } from './record-scope.ts';
import { type Rights, SEEDED_ROLES, type SeededRoleKey } from './seeded-roles.ts';

export const RoleExceedsCaller = fault(
  403,
  'role_exceeds_caller',
  'You can only manage users and assign roles whose permissions you have yourself.',
);

/** The part of a role that decides what it allows. */
export interface RoleRow {
  key: string;
  system: boolean;
  permissions: string[];
  record_scopes: unknown;
}

/**
 * The permissions of a role.
 * Chosen: the rights of a system role live in the code and not in its row, so that a release which adds a permission
 * reaches every workspace at once.
 */
export function rightsOf(role: RoleRow): Rights {
  if (role.system) return SEEDED_ROLES[role.key as SeededRoleKey];
  return { permissions: role.permissions, record_scopes: role.record_scopes as Rights['record_scopes'] };
}

/**
 * Whether `wider` includes all that `narrower` allows: every permission, over no fewer records. Scopes count for every
 * noun whose records the permissions open, such as the project of a task.
 */
export const covers = (wider: Rights, narrower: Rights): boolean =>
  narrower.permissions.every((permission) => wider.permissions.includes(permission)) &&
  exceededScopes(wider, narrower).length === 0;
