/** A role says what its bearers may do, and whose records they see. Every workspace begins with the same nine. */
import { can, page, paginate, raw, sql } from '@suite/chassis';
import { query } from '../operations.ts';
import { covers, type RoleRow, rightsOf } from './role.ts';
import { Role, RoleFilter } from './role.schema.ts';

const USER_COUNT = sql`SELECT count(*) FROM users
  WHERE users.workspace_id = roles.workspace_id AND users.role_id = roles.id AND users.status <> 'deleted'`;

export const list = query('GET /api/roles', {
  summary: 'List roles',
  description: 'With all their permissions; `grantable` tells which of them you may give to somebody.',
  access: can('role.view'),
  query: RoleFilter,
  reply: page(Role),
  async handle({ db, query, caller }) {
    const found = await paginate(db, query, {
      table: 'roles',
      compute: { user_count: USER_COUNT, grantable: raw('false') },
    });
    const rows = (found.rows as RoleRow[]).map((role) => {
      const rights = rightsOf(role);
      return { ...role, ...rights, grantable: covers(caller, rights) };
    });
    return { ...found, rows };
  },
});
