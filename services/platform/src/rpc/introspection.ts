/** Introspection: identifies the caller of a session, an API key or a white-label token. */
import { type Database, sql } from '@suite/chassis/database';
import { Unauthenticated } from '@suite/chassis/faults';
import { Id } from '@suite/chassis/fields';
import { isApiKey } from '@suite/chassis/identity';
import { type IntrospectRequest, PlatformServiceDefinition } from '@suite/proto/platform/v1/platform';
import { limitsMessage } from '../entitlements/entitlements/entitlement.ts';
import {
  type CredentialUser,
  findInstanceOfToken,
  findUserOfKey,
  findUserOfSession,
} from '../identity/workspaces-of-users/across-workspaces.ts';
import { tokenHash } from '../tokens/token.ts';
import { InstanceSuspended, isInstanceToken } from '../billing/instances/instance.rules.ts';
import { isAddressAllowed, restrictToScopes } from '../identity/keys/api-key.rules.ts';
import { withoutCaller, type Db, method } from '../operations.ts';
import { rightsOf } from '../identity/roles/role.rules.ts';
import { SecondFactorMissing } from '../identity/second-factor/second-factor.ts';

const { methods } = PlatformServiceDefinition;

/** Returns the user of a credential. A malformed credential needs no query. */
async function findUserOfCredential(
  database: Database<Db>,
  { credential }: IntrospectRequest,
): Promise<CredentialUser | undefined> {
  const context = withoutCaller('rpc:introspect');
  if (credential?.$case === 'session_id') {
    if (!Id.safeParse(credential.value).success) return undefined;
    return await database.read(context, (db) => findUserOfSession(db, credential.value));
  }
  if (credential?.$case === 'api_key' && isApiKey(credential.value)) {
    return await database.read(context, (db) => findUserOfKey(db, tokenHash(credential.value)));
  }
  return undefined;
}

/** Records the use of a session or key, at most once a minute. */
async function recordKeyUse(database: Database<Db>, user: CredentialUser, address: string): Promise<void> {
  if (user.noted) return;
  await database.write(withoutCaller('rpc:introspect', user.workspace_id), (db) =>
    db.rows(sql`
      INSERT INTO last_uses (id, address) VALUES (${user.credential_id}::uuid, ${address})
      ON CONFLICT (id) DO UPDATE SET at = now(), address = EXCLUDED.address WHERE last_uses.at <= now() - interval '1 minute'`),
  );
}

/** Returns the user of a credential for the gateway and services. A tracker session has no permissions. */
export function toIntrospection(user: CredentialUser, isKey: boolean) {
  const rights = rightsOf(user.role);
  const { permissions, record_scopes } = isKey ? restrictToScopes(rights, user.scopes) : rights;
  // Only the scope `team` needs these users, and every request contains them.
  const team = Object.values(record_scopes).includes('team') ? user.team : [];
  return {
    user_id: user.user_id,
    user_name: user.user_name,
    user_kind: user.kind,
    workspace_id: user.workspace_id,
    role: user.role.key,
    permissions: user.purpose === 'tracker' ? [] : [...permissions],
    record_scopes: { ...record_scopes },
    modules: user.modules,
    limits: limitsMessage(user.limits),
    subscription_status: user.subscription_status,
    entitled_until: user.entitled_until ?? undefined,
    timezone: user.timezone,
    user_timezone: user.user_timezone ?? '',
    currency: user.currency,
    session_id: isKey ? '' : user.credential_id,
    api_key_id: isKey ? user.credential_id : '',
    purpose: user.purpose,
    expires_at: user.expires_at ?? undefined,
    team,
  };
}

/**
 * Returns the white-label instance of a token: a caller without user permissions. @throws Unauthenticated,
 * InstanceSuspended
 */
async function introspectInstance(database: Database<Db>, token: string) {
  const user = isInstanceToken(token)
    ? await database.read(withoutCaller('rpc:introspect'), (db) => findInstanceOfToken(db, tokenHash(token)))
    : undefined;
  if (!user) throw Unauthenticated();
  const { id, name, mode, status, token_id, expires_at } = user;
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
    if (request.credential?.$case === 'wl_token') return await introspectInstance(database, request.credential.value);
    const user = await findUserOfCredential(database, request);
    if (!user || !isAddressAllowed(request.address, user.allowed_ips)) throw Unauthenticated();
    if (user.unenrolled) throw SecondFactorMissing();
    await recordKeyUse(database, user, request.address);
    return toIntrospection(user, request.credential?.$case === 'api_key');
  },
});
