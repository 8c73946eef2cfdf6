/** Current permissions of a workspace's users, signed in or not. */
import { sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import { EFFECTIVE_MODULES, joinEffectivePlan } from '../../entitlements/entitlements/entitlement.ts';
import type { Db } from '../../operations.ts';
import { type RoleRow, rightsOf } from '../roles/role.rules.ts';

/** User who may sign in, with the role and the circumstances that determine their permissions. */
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
  /** Users of their team, including themselves. Empty without a team. */
  team: string[];
}

/** Returns the active users among the given ones, in active workspaces. */
export const readRightsHolders = (db: Db, user_ids: readonly string[]): Promise<RightsHolder[]> =>
  db.rows<RightsHolder>(sql`
    SELECT jsonb_build_object('user_id', users.id, 'name', users.name, 'email', coalesce(users.email, ''), 'kind', users.kind,
        'status', users.status, 'phone', coalesce(users.phone, ''), 'timezone', users.timezone) AS user,
      jsonb_build_object('key', roles.key, 'system', roles.system, 'permissions', roles.permissions,
        'record_scopes', roles.record_scopes) AS role,
      ${EFFECTIVE_MODULES} AS modules, workspaces.timezone, workspaces.currency, ARRAY(
        SELECT mate.user_id::text FROM team_members AS own JOIN team_members AS mate ON mate.team_id = own.team_id
        WHERE own.user_id = users.id ORDER BY mate.user_id) AS team
    FROM users JOIN roles ON roles.id = users.role_id
      JOIN workspaces ON workspaces.id = users.workspace_id AND workspaces.status = 'active'
      ${joinEffectivePlan(clock.now())}
    WHERE users.id = ANY(${user_ids}::uuid[]) AND users.status = 'active'`);

/** Returns a user's permissions in the form that other services receive. */
export function toRightsResponse({ user, role, team, ...rest }: RightsHolder) {
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
