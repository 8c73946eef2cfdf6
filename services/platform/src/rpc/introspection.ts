/** Introspection: identifies the caller of a session, an API key or a white-label token. */
import { type Database, sql } from '@suite/chassis/database';
import { Unauthenticated } from '@suite/chassis/faults';
import { Id } from '@suite/chassis/fields';
import { isApiKey } from '@suite/chassis/identity';
import { type IntrospectRequest, PlatformServiceDefinition } from '@suite/proto/platform/v1/platform';
import { limitsMessage } from '../entitlements/entitlements/entitlement.ts';
import {
  type Bearer,
  bearerOfInstance,
  bearerOfKey,
  bearerOfSession,
} from '../identity/workspaces-of-users/across-workspaces.ts';
import { tokenHash } from '../tokens/token.ts';
import { InstanceSuspended, isInstanceToken } from '../billing/instances/instance.rules.ts';
import { mayUseFrom, narrowed } from '../identity/keys/api-key.rules.ts';
import { withoutCaller, type Db, method } from '../operations.ts';
import { rightsOf } from '../identity/roles/role.rules.ts';
import { SecondFactorMissing } from '../identity/second-factor/second-factor.ts';

const { methods } = PlatformServiceDefinition;

/** Returns the user of a credential. A malformed credential needs no query. */
async function bearer(database: Database<Db>, { credential }: IntrospectRequest): Promise<Bearer | undefined> {
  const context = withoutCaller('rpc:introspect');
  if (credential?.$case === 'session_id') {
    if (!Id.safeParse(credential.value).success) return undefined;
    return await database.read(context, (db) => bearerOfSession(db, credential.value));
  }
  if (credential?.$case === 'api_key' && isApiKey(credential.value)) {
    return await database.read(context, (db) => bearerOfKey(db, tokenHash(credential.value)));
  }
  return undefined;
}

/** Records the use of a session or key, at most once a minute. */
async function recordKeyUse(database: Database<Db>, found: Bearer, address: string): Promise<void> {
  if (found.noted) return;
  await database.write(withoutCaller('rpc:introspect', found.workspace_id), (db) =>
    db.rows(sql`
      INSERT INTO last_uses (id, address) VALUES (${found.credential_id}::uuid, ${address})
      ON CONFLICT (id) DO UPDATE SET at = now(), address = EXCLUDED.address WHERE last_uses.at <= now() - interval '1 minute'`),
  );
}

/** Returns the user of a credential for the gateway and services. A tracker session has no permissions. */
export function introspected(found: Bearer, isKey: boolean) {
  const rights = rightsOf(found.role);
  const { permissions, record_scopes } = isKey ? narrowed(rights, found.scopes) : rights;
  // Only the scope `team` needs these users, and every request contains them.
  const team = Object.values(record_scopes).includes('team') ? found.team : [];
  return {
    user_id: found.user_id,
    user_name: found.user_name,
    user_kind: found.kind,
    workspace_id: found.workspace_id,
    role: found.role.key,
    permissions: found.purpose === 'tracker' ? [] : [...permissions],
    record_scopes: { ...record_scopes },
    modules: found.modules,
    limits: limitsMessage(found.limits),
    subscription_status: found.subscription_status,
    entitled_until: found.entitled_until ?? undefined,
    timezone: found.timezone,
    user_timezone: found.user_timezone ?? '',
    currency: found.currency,
    session_id: isKey ? '' : found.credential_id,
    api_key_id: isKey ? found.credential_id : '',
    purpose: found.purpose,
    expires_at: found.expires_at ?? undefined,
    team,
  };
}

/**
 * Returns the white-label instance of a token: a caller without user permissions. @throws Unauthenticated,
 * InstanceSuspended
 */
async function introspectedInstance(database: Database<Db>, token: string) {
  const found = isInstanceToken(token)
    ? await database.read(withoutCaller('rpc:introspect'), (db) => bearerOfInstance(db, tokenHash(token)))
    : undefined;
  if (!found) throw Unauthenticated();
  const { id, name, mode, status, token_id, expires_at } = found;
  if (status === 'suspended') throw InstanceSuspended();
  return {
    user_id: id,
    user_name: name,
    user_kind: 'staff',
    workspace_id: id,
    role: 'white_label',
    // Useless on user paths: the permission covers only an instance's own sold subscriptions.
    permissions: ['subscription.manage'],
    record_scopes: {},
    modules: [],
    limits: undefined,
    subscription_status: '',
    entitled_until: undefined,
    timezone: 'UTC',
    user_timezone: '',
    currency: 'EUR',
    session_id: '',
    api_key_id: token_id,
    purpose: '',
    expires_at: expires_at ?? undefined,
    team: [],
    instance: { id, mode },
  };
}

/** Returns the user of a session or an API key with their permissions, or the instance of a white-label token. */
export const introspect = method(methods.introspect, {
  summary: 'Identify the caller of a request',
  access: 'gateway',
  faults: [SecondFactorMissing, InstanceSuspended],
  async handle({ database, input: request }) {
    if (request.credential?.$case === 'wl_token') return await introspectedInstance(database, request.credential.value);
    const found = await bearer(database, request);
    if (!found || !mayUseFrom(request.address, found.allowed_ips)) throw Unauthenticated();
    if (found.unenrolled) throw SecondFactorMissing();
    await recordKeyUse(database, found, request.address);
    return introspected(found, request.credential?.$case === 'api_key');
  },
});
