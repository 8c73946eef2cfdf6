import { Currency, Id, Zone } from '@suite/chassis';
import { z } from 'zod';
import { RECORD_SCOPES } from '../roles/seeded-roles.ts';
import { RoleLabel, User } from './user.schema.ts';

/** The workspace, as everybody in it needs it to show dates and amounts. */
const WorkspaceLabel = z.object({
  id: Id,
  name: z.string(),
  slug: z.string(),
  plan: z.string(),
  timezone: Zone,
  currency: Currency,
  country: z.string().nullable(),
  /** MM-DD */
  fiscal_year_start: z.string(),
  /** 1 is Monday. */
  week_start: z.int(),
});

/** The signed-in user: who they are, what they may do, and where. */
export const Me = User.omit({ allowed_actions: true, role_id: true }).extend({
  role: RoleLabel,
  permissions: z.array(z.string()),
  /** Resource → own | team | all; a resource that is missing is `all`. */
  record_scopes: z.record(z.string(), z.enum(RECORD_SCOPES)),
  modules: z.array(z.string()),
  workspace: WorkspaceLabel,
});
