import { choice, input, list, Name, record, version, LongText } from '@suite/chassis';
import { z } from 'zod';
import { NOUNS, PERMISSIONS } from './permission.ts';
import { SCOPED } from './record-scope.ts';
import { RECORD_SCOPES, USER_KINDS } from './seeded-roles.ts';

/** The permissions and scopes of a role. */
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
  /** Resource → own | team | all; a resource that is missing is `all`. */
  record_scopes: z.record(z.string(), z.enum(RECORD_SCOPES)),
  /** How many people have it. */
  user_count: z.int(),
  /** Whether this caller may give it to somebody. */
  grantable: z.boolean(),
});

const Permissions = z
  .array(z.enum(PERMISSIONS))
  .max(PERMISSIONS.length)
  .refine((permissions) => new Set(permissions).size === permissions.length, 'Enter each permission only once.')
  .meta({ example: ['lead.view', 'lead.update'] });
const RecordScopes = z
  .partialRecord(z.enum(NOUNS), z.enum(RECORD_SCOPES))
  .describe(
    `Whose records of a resource its users see: their own, those of their team (\`/api/teams\`), or all. Defaults to \`all\`. Accepted for ${Object.keys(SCOPED).join(', ')}; \`task\`, \`bug\` and \`milestone\` follow \`project\` and must be the same.`,
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
