import { choice, Id, input, Name, record, secret, Timestamp } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import { z } from 'zod';
import { PERMISSIONS } from '../roles/permission.ts';
import { ACCOUNT_SCOPES, ALL_SCOPES, apiKeyActions } from './api-key.rules.ts';

const SCOPES = [ALL_SCOPES, ...ACCOUNT_SCOPES, ...PERMISSIONS] as const;
const Scope = z.enum(SCOPES);
const AddressOrRange = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
  error: 'Enter an IP address, or a network such as 10.0.0.0/8.',
});

/** API key in lists, recognisable by its first and last characters, which do not reveal the key. */
export const ApiKey = record({
  user_id: Id,
  name: z.string(),
  prefix: z.string(),
  last4: z.string(),
  status: choice('active', 'expired', 'revoked'),
  /** Permissions that the key is restricted to. `*` means all permissions of its owner. */
  scopes: z.array(z.string()),
  allowed_ips: z.array(z.string()),
  expires_at: Timestamp.nullable(),
  last_used_at: Timestamp.nullable(),
  revoked_at: Timestamp.nullable(),
  allowed_actions: Actions(apiKeyActions),
});

/** New API key, which is shown only once. */
export const NewApiKey = ApiKey.extend({ token: secret(z.string()) });

// Chosen: a key without scopes has all permissions of its owner, as the specification says. `["*"]` means the same.
export const ApiKeyInput = input({
  name: Name,
  scopes: z.array(Scope).min(1).max(SCOPES.length).default([ALL_SCOPES]),
  allowed_ips: z.array(AddressOrRange).max(50).default([]),
  expires_at: Timestamp.refine((at) => new Date(at) > clock.now(), 'Choose a future expiry time.')
    .nullable()
    .default(null)
    .meta({ example: '2100-01-01T00:00:00.000Z' }),
});

export const ApiKeyFilter = list(ApiKey, {
  filter: ['id', 'user_id', 'name', 'expires_at', 'revoked_at', 'created_at', 'updated_at'],
  sort: ['created_at', 'updated_at', 'name', 'expires_at'],
  search: true,
});
