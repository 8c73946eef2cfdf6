/** Roles define permissions and visible records. Every workspace has ten built-in roles and can create its own. */
import { sql } from '@suite/chassis/database';
import { idOf } from '@suite/chassis/fields';
import type { Caller } from '@suite/chassis/identity';
import { paginate, readOne } from '@suite/chassis/lists';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { command, type Db, query } from '../../operations.ts';
import { changeRole, createRole, deleteRole, RoleNameTaken, SystemRole } from './custom-role.ts';
import { ScopeWithoutEffect } from './record-scope.ts';
import { RoleExceedsCaller, includesRights, type RoleRow, rightsOf, roleActions } from './role.rules.ts';
import { NewRole, Role, RoleChange, RoleFilter } from './role.schema.ts';

const ADDITION = 'The specification only lists roles: without these, only the built-in roles would exist.';

const USER_COUNT = sql`SELECT count(*) FROM users
  WHERE users.workspace_id = roles.workspace_id AND users.role_id = roles.id AND users.status <> 'deleted'`;

const COMPUTED = { user_count: USER_COUNT, grantable: sql`false` };

/** Returns a role with its permissions, and whether the caller can assign it. */
function withRights<Row extends RoleRow>(role: Row, caller: Caller) {
  const { permissions, record_scopes } = rightsOf(role);
  const rights = { permissions: [...permissions], record_scopes: { ...record_scopes } };
  const grantable = includesRights(caller, rights);
  const isFixed = role.system || !grantable;
  return { ...role, ...rights, grantable, ...(isFixed && { allowed_actions: [] }) };
}

const readRole = async (db: Db, id: string, caller: Caller) =>
  withRights(await readOne(db, Role, id, { table: 'roles', compute: COMPUTED }), caller);

export const list = query('GET /api/roles', {
  summary: 'List roles',
  description: 'Returns roles with all their permissions. `grantable` shows whether you may assign the role.',
  access: can('role.view'),
  query: RoleFilter,
  reply: page(Role),
  async handle({ db, query, caller }) {
    const result = await paginate(db, query, {
      table: 'roles',
      compute: COMPUTED,
    });
    return { ...result, rows: (result.rows as RoleRow[]).map((role) => withRights(role, caller)) };
  },
});

export const create = command('POST /api/roles/create', {
  summary: 'Create a role',
  description:
    'Creates a role for staff, clients or vendors. Returns `role_exceeds_caller` if the role would allow more than your own. Client and vendor roles allow at most what the built-in role allows.',
  addition: ADDITION,
  access: can('role.create'),
  body: NewRole,
  reply: created(Role),
  faults: [RoleExceedsCaller, RoleNameTaken, ScopeWithoutEffect],
  handle: async ({ db, body, caller }) => await readRole(db, await createRole(db, caller, body), caller),
});

export const update = command('POST /api/roles/update/{id}', {
  summary: 'Update a role',
  description:
    'Updates a role. Its users have the new permissions immediately. Returns `system_role` for built-in roles and `role_exceeds_caller` if it would allow more than your own role.',
  addition: ADDITION,
  access: roleActions.can('update'),
  params: { id: idOf('roles') },
  body: RoleChange,
  reply: ok(Role),
  faults: [RoleExceedsCaller, RoleNameTaken, SystemRole, ScopeWithoutEffect],
  async handle({ db, params, body, caller, expect, emit }) {
    const { version: _, ...input } = body;
    await changeRole(db, emit, caller, params.id, input, expect);
    return await readRole(db, params.id, caller);
  },
});

export const remove = command('POST /api/roles/delete/{id}', {
  summary: 'Delete a role',
  description: 'Deletes a role. Returns 409 `in_use` while users have the role, and `system_role` for built-in roles.',
  addition: ADDITION,
  access: roleActions.can('delete'),
  params: { id: idOf('roles') },
  reply: removed,
  faults: [RoleExceedsCaller, SystemRole],
  handle: ({ db, params, caller }) => deleteRole(db, caller, params.id),
});
