import { choice, Id, Timestamp } from '@suite/chassis/fields';
import { z } from 'zod';

/** Account of a credential, with the permissions of the credential. */
export const CredentialOwner = z
  .object({
    id: Id.describe('User ID.'),
    name: z.string().describe('Name of the user.'),
    email: z.string().describe('E-mail address of the user.'),
    kind: choice('owner', 'staff', 'client', 'vendor').describe('Type of account.'),
    label: z.string().describe('Label for a list of connections: the user and the workspace.'),
    workspace: z
      .object({
        id: Id.describe('Workspace ID.'),
        name: z.string().describe('Name of the workspace.'),
        timezone: z.string().describe('IANA time zone of the workspace.'),
        base_currency: z.string().describe('Base currency, an ISO 4217 code.'),
      })
      .describe('Workspace of the credential.'),
    permissions: z
      .array(z.string())
      .describe('Permissions of this credential. An API key may have fewer than its user.'),
    modules: z.array(z.string()).describe('Modules that the plan of the workspace enables.'),
    api_key: z
      .object({
        id: Id.describe('API key ID.'),
        name: z.string().describe('Name of the API key.'),
        expires_at: Timestamp.nullable().describe('Time at which the key expires. `null` if it does not expire.'),
      })
      .nullable()
      .describe('API key of the request. `null` for a session.'),
  })
  .meta({ id: 'CredentialOwner' });
