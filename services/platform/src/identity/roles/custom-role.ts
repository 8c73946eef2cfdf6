/** Custom roles of a workspace. Users cannot assign, remove or change a role with more permissions than their own. */
import { randomBytes } from 'node:crypto';
import { change, find, remove, violatedConstraint } from '@suite/chassis/database';
import { fault, invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { assertUnused } from '@suite/chassis/lists';
import type { Emit } from '@suite/chassis/operations';
import { UserAccessChanged } from '@suite/proto/platform/v1/events';
import type { z } from 'zod';
import type { Db } from '../../operations.ts';
import { assertScopesHaveEffect, exceededScopes } from './record-scope.ts';
import { RoleExceedsCaller, includesRights, rightsOf } from './role.rules.ts';
import type { NewRole, RoleChange } from './role.schema.ts';
import { type RolePermissions, SEEDED_ROLES } from './seeded-roles.ts';

export const SystemRole = fault(
  409,
  'system_role',
  'This system role cannot be changed. Create a custom role instead.',
);
export const RoleNameTaken = fault(409, 'already_exists', 'A role with this name already exists. Choose another name.');

async function withNameFault<T>(work: Promise<T>): Promise<T> {
  return await work.catch((error: unknown) => {
    throw violatedConstraint(error) === 'roles_workspace_id_name_key' ? RoleNameTaken() : error;
  });
}

/**
 * Checks the permissions of a custom role. @throws RoleExceedsCaller
 * @throws ValidationFailed if a role for clients or vendors exceeds the seeded role of their kind, which determines
 * their records
 */
function assertAllowed(caller: Caller, kind: string, rights: RolePermissions): void {
  if (!includesRights(caller, rights)) throw RoleExceedsCaller({ record_scopes: exceededScopes(caller, rights) });
  if ((kind === 'client' || kind === 'vendor') && !includesRights(SEEDED_ROLES[kind], rights))
    throw invalid(
      'permissions',
      `A role for a ${kind} cannot exceed the permissions of the role "${SEEDED_ROLES[kind].name}".`,
    );
}

/** Creates a role. @throws RoleExceedsCaller, RoleNameTaken, ScopeWithoutEffect, ValidationFailed */
export async function createRole(db: Db, caller: Caller, input: z.output<typeof NewRole>): Promise<string> {
  assertAllowed(caller, input.kind, input);
  assertScopesHaveEffect(input.record_scopes);
  const key = `custom_${randomBytes(6).toString('hex')}`;
  const { id } = await withNameFault(db.role.create({ data: { ...input, key } }));
  return id;
}

/** Returns the role if the caller can change it. @throws NotFound, SystemRole, RoleExceedsCaller */
async function findChangeable(db: Db, caller: Caller, id: string) {
  const role = await find(db.role, id);
  if (role.system) throw SystemRole();
  if (!includesRights(caller, rightsOf(role))) throw RoleExceedsCaller();
  return role;
}

/**
 * Changes a role. Its users have the new permissions immediately.
 * @throws NotFound, SystemRole, RoleExceedsCaller, RoleNameTaken, ScopeWithoutEffect, ValidationFailed, Stale
 */
export async function changeRole(
  db: Db,
  emit: Emit,
  caller: Caller,
  id: string,
  input: Omit<z.output<typeof RoleChange>, 'version'>,
  expect: number | undefined,
): Promise<void> {
  const role = await findChangeable(db, caller, id);
  const { permissions, record_scopes } = { ...rightsOf(role), ...input };
  assertAllowed(caller, role.kind, { permissions, record_scopes });
  if (input.record_scopes) assertScopesHaveEffect(input.record_scopes);
  await withNameFault(change(db.role, id, input, expect));
  const users = await db.user.findMany({ where: { role_id: id, status: { not: 'deleted' } }, select: { id: true } });
  for (const { id: user_id } of users) emit(UserAccessChanged, { user_id });
}

/** Deletes an unused role. @throws NotFound, SystemRole, RoleExceedsCaller, InUse */
export async function deleteRole(db: Db, caller: Caller, id: string): Promise<{ id: string }> {
  const { kind } = await findChangeable(db, caller, id);
  await assertUnused(
    async () => ({ user_count: await db.user.count({ where: { role_id: id, status: { not: 'deleted' } } }) }),
    (seen) => ({ held_by: 'users', ...seen }),
  );
  // Deleted users must retain a role of their kind. It gives them no permissions.
  const { id: role_id } = await db.role.findFirstOrThrow({ where: { kind, system: true } });
  await db.user.updateMany({ where: { role_id: id, status: 'deleted' }, data: { role_id } });
  return await remove(db.role, id);
}
