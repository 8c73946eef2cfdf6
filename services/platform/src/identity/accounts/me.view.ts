import { sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import type { FileLinks } from '@suite/chassis/files';
import { clock } from '@suite/chassis/runtime';
import type { z } from 'zod';
import { EFFECTIVE_MODULES, joinEffectivePlan } from '../../entitlements/entitlements/entitlement.ts';
import type { Db } from '../../operations.ts';
import { type RoleRow, rightsOf } from '../roles/role.rules.ts';
import type { Me } from './me.schema.ts';
import { LAST_LOGIN, TEAM, withPhotoLinks } from './user.view.ts';

type Profile = z.input<typeof Me>;
type ProfileRow = Omit<Profile, 'role' | 'permissions' | 'record_scopes'> & {
  role_row: RoleRow & { id: string; name: string };
};

/** Returns the user's own profile with all permissions. */
export async function readProfile(db: Db, user_id: string, links: FileLinks): Promise<Profile> {
  const [row] = await db.rows<ProfileRow>(sql`
    SELECT users.id, users.name, email, pending_email, email_verified_at, users.kind, users.status, phone, photo AS photo_url,
      photo_thumbnail AS photo_thumbnail_url, locale, language, users.timezone, employee_id, customer_id, vendor_id,
      ${TEAM} AS team_id, ${LAST_LOGIN} AS last_login_at, users.created_by, users.updated_by, users.created_at, users.updated_at, users.version,
      to_jsonb(roles) AS role_row, ${EFFECTIVE_MODULES} AS modules,
      jsonb_build_object(
        'id', workspaces.id, 'name', workspaces.name, 'slug', slug, 'plan', coalesce(plans.code, workspaces.plan_code), 'timezone', workspaces.timezone,
        'base_currency', currency, 'country', country, 'fiscal_year_start', fiscal_year_start, 'week_start', week_start) AS workspace
    FROM users
      JOIN roles ON roles.id = users.role_id
      JOIN workspaces ON workspaces.id = users.workspace_id
      ${joinEffectivePlan(clock.now())}
    WHERE users.id = ${user_id}::uuid AND users.status <> 'deleted'`);
  if (!row) throw NotFound();
  const { role_row: role, ...user } = row;
  const { permissions, record_scopes } = rightsOf(role);
  return { ...withPhotoLinks(user, links), role, permissions: [...permissions], record_scopes };
}
