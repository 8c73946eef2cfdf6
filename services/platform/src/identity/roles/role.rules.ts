import { recordActions } from '@suite/chassis/operations';
import { fault } from '@suite/chassis/faults';
import { exceededScopes } from './record-scope.ts';
import { type RolePermissions, SEEDED_ROLES, type SeededRoleKey } from './seeded-roles.ts';

export const RoleExceedsCaller = fault(
  403,
  'role_exceeds_caller',
  'You can only manage users and assign roles whose permissions you have yourself. Ask an owner.',
);

/** Part of a role that determines its permissions. */
export interface RoleRow {
  key: string;
  system: boolean;
  permissions: string[];
  record_scopes: unknown;
}

/**
 * Returns the permissions of a role. Chosen: the permissions of a system role are in the code and not in its row. A
 * release that adds a permission therefore reaches every workspace immediately.
 */
export function rightsOf(role: RoleRow): RolePermissions {
  if (role.system) return SEEDED_ROLES[role.key as SeededRoleKey];
  return { permissions: role.permissions, record_scopes: role.record_scopes as RolePermissions['record_scopes'] };
}

/**
 * Returns true if `wider` includes all that `narrower` allows: every permission, over no fewer records. Scopes apply to
 * every noun whose records the permissions open, such as the project of a task.
 */
export const includesRights = (wider: RolePermissions, narrower: RolePermissions): boolean =>
  narrower.permissions.every((permission) => wider.permissions.includes(permission)) &&
  exceededScopes(wider, narrower).length === 0;

/** Actions on roles. */
export const roleActions = recordActions('role', { update: 'role.update', delete: 'role.delete' });
