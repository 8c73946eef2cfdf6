import { choice, input, Name, record, version, LongText } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { NOUNS, PERMISSIONS } from './permission.ts';
import { SCOPED_NOUNS } from './record-scope.ts';
import { RECORD_SCOPES, USER_KINDS } from './seeded-roles.ts';
import { roleActions } from './role.rules.ts';

/** Role with its permissions and record scopes. */
export const Role = record({
  /** Key of the role, which does not change with the name. */
  key: z.string(),
  name: z.string(),
  description: z.string(),
  /** Kind of user that can have the role. */
  kind: choice(...USER_KINDS),
  /** True for a role of the suite, which cannot be changed. */
  system: z.boolean(),
  permissions: z.array(z.string()),
  /** Record scopes by resource: own | team | all. A missing resource means `all`. */
  record_scopes: z.record(z.string(), z.enum(RECORD_SCOPES)),
  /** Number of users with this role. */
  user_count: z.int(),
  /** True if this caller may assign the role to a user. */
  grantable: z.boolean(),
  allowed_actions: Actions(roleActions),
});

const Permissions = z
  .array(z.enum(PERMISSIONS))
  .max(PERMISSIONS.length)
  .refine((permissions) => new Set(permissions).size === permissions.length, 'Enter each permission only once.')
  .meta({ example: ['lead.view', 'lead.update'] });
const RecordScopes = z
  .partialRecord(z.enum(NOUNS), z.enum(RECORD_SCOPES))
  .describe(
    `Record scope per resource: \`own\`, \`team\` (see \`/api/teams\`) or \`all\`. Defaults to \`all\`. Accepted for ${Object.keys(SCOPED_NOUNS).join(', ')}. \`task\`, \`bug\` and \`milestone\` follow \`project\` and must be the same.`,
  )
  .meta({ example: { lead: 'own' } });

export const NewRole = input({
  name: Name,
  description: LongText.max(500).default(''),
  kind: choice('staff', 'client', 'vendor').default('staff'),
  permissions: Permissions,
  record_scopes: RecordScopes.default({}),
});

export const RoleChange = input({
  name: Name,
  description: LongText.max(500),
  permissions: Permissions,
  record_scopes: RecordScopes,
  version,
}).partial();

export const RoleFilter = list(Role, {
  filter: ['id', 'key', 'name', 'kind', 'system', 'created_at', 'updated_at'],
  sort: ['created_at', 'updated_at', 'name'],
  search: true,
});
