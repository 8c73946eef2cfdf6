import { choice, list, record } from '@suite/chassis';
import { z } from 'zod';
import { USER_KINDS } from './seeded-roles.ts';

/** What somebody with this role may do. */
export const Role = record({
  /** Stays the same when the name is changed. */
  key: z.string(),
  name: z.string(),
  description: z.string(),
  /** The kind of user that can have it. */
  kind: choice(...USER_KINDS),
  /** Comes with the suite and cannot be changed. */
  system: z.boolean(),
  permissions: z.array(z.string()),
  /** Resource → own | all; a resource that is missing is `all`. */
  record_scopes: z.record(z.string(), z.enum(['own', 'team', 'all'])),
  /** How many people have it. */
  user_count: z.int(),
  /** Whether this caller may give it to somebody. */
  grantable: z.boolean(),
});

export const RoleFilter = list(Role, {
  filter: ['id', 'key', 'name', 'kind', 'system', 'created_at', 'updated_at'],
  sort: ['created_at', 'updated_at', 'name'],
  search: true,
});
