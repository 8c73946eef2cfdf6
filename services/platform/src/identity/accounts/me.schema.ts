import { Currency, Id, Zone } from '@suite/chassis/fields';
import { z } from 'zod';
import { RECORD_SCOPES } from '../roles/seeded-roles.ts';
import { RoleLabel, User } from './user.schema.ts';

/** Workspace settings that all its users need to show dates and amounts. */
const WorkspaceLabel = z.object({
  id: Id,
  name: z.string(),
  slug: z.string(),
  plan: z.string(),
  timezone: Zone,
  base_currency: Currency,
  country: z.string().nullable(),
  /** MM-DD */
  fiscal_year_start: z.string(),
  /** First day of the week: 1 for Monday to 7 for Sunday. */
  week_start: z.int(),
});

/** Profile, permissions and workspace of the signed-in user. */
export const Me = User.omit({ allowed_actions: true, role_id: true }).extend({
  role: RoleLabel,
  permissions: z.array(z.string()),
  /** Record scopes by resource: own | team | all. A missing resource means `all`. */
  record_scopes: z.record(z.string(), z.enum(RECORD_SCOPES)),
  modules: z.array(z.string()),
  workspace: WorkspaceLabel,
});
