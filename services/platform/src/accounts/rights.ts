/** Rights that users of a workspace have now, whether they are signed in or not. */
import { clock, sql } from '@suite/chassis';
import { MODULES_THAT_COUNT, planThatCounts } from '../entitlements/entitlement.ts';
import type { Db } from '../operations.ts';
import { type RoleRow, rightsOf } from '../roles/role.rules.ts';

/** A user who may sign in, with the role and the circumstances that decide what he may do. */
export interface RightsHolder {
  user: {
    user_id: string;
    name: string;
    email: string;
    kind: string;
    status: string;
    phone: string;
    timezone?: string;
  };
  role: RoleRow;
  modules: string[];
  timezone: string;
  currency: string;
  /** The users of their team, themselves among them; empty without one. */
  team: string[];
}

/** The active users among these, of an active workspace. */
export const holdersOfRights = (db: Db, user_ids: readonly string[]): Promise<RightsHolder[]> =>
  db.rows<RightsHolder>(sql`
    SELECT jsonb_build_object('user_id', users.id, 'name', users.name, 'email', coalesce(users.email, ''), 'kind', users.kind,
        'status', users.status, 'phone', coalesce(users.phone, ''), 'timezone', users.timezone) AS user,
      jsonb_build_object('key', roles.key, 'system', roles.system, 'permissions', roles.permissions,
        'record_scopes', roles.record_scopes) AS role,
      ${MODULES_THAT_COUNT} AS modules, workspaces.timezone, workspaces.currency, ARRAY(
        SELECT mate.user_id::text FROM team_members AS own JOIN team_members AS mate ON mate.team_id = own.team_id
        WHERE own.user_id = users.id ORDER BY mate.user_id) AS team
    FROM users JOIN roles ON roles.id = users.role_id
      JOIN workspaces ON workspaces.id = users.workspace_id AND workspaces.status = 'active'
      ${planThatCounts(clock.now())}
    WHERE users.id = ANY(${user_ids}::uuid[]) AND users.status = 'active'`);

/** The rights of a user as other services are told of them. */
export function statedRights({ user, role, team, ...rest }: RightsHolder) {
  const { permissions, record_scopes } = rightsOf(role);
  const isOfTeam = Object.values(record_scopes).includes('team');
  return {
    user,
    role: role.key,
    permissions: [...permissions],
    record_scopes: { ...record_scopes },
    team: isOfTeam ? team : [],
    ...rest,
  };
}
