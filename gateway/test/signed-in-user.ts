import { randomUUID } from 'node:crypto';
import { clock, newApiKey } from '@suite/chassis/gateway';
import type { IntrospectResponse } from '@suite/proto/platform/v1/platform';
import jwt from 'jsonwebtoken';
import { keysOf } from './keys.ts';

/** User with a session and an API key. */
export interface SignedInUser {
  user_id: string;
  workspace_id: string;
  session_id: string;
  api_key_id: string;
  api_key: string;
  /** `Bearer …` header value of the session. */
  authorization: string;
  /** Fields of the introspection that differ from the defaults. */
  changes?: Partial<IntrospectResponse>;
}

/** Changes to a valid access token. */
export interface TokenChanges {
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  key?: jwt.Secret;
  algorithm?: jwt.Algorithm;
}

/** Returns the claims of a valid access token. */
export function claimsOf(user: Pick<SignedInUser, 'user_id' | 'session_id'>): Record<string, unknown> {
  const now = Math.floor(clock.now().getTime() / 1_000);
  const life = { iat: now, nbf: now, exp: now + 600, jti: randomUUID() };
  return { iss: 'platform', aud: 'gateway', sub: user.user_id, sid: user.session_id, ...life };
}

/** Returns a signed access token, as platform issues it, with these changes. */
export function accessToken(user: Pick<SignedInUser, 'user_id' | 'session_id'>, changes: TokenChanges = {}): string {
  const { claims, header, key = keysOf('platform').private_key, algorithm = 'ES256' } = changes;
  return jwt.sign({ ...claimsOf(user), ...claims }, key, {
    algorithm,
    header: { alg: algorithm, typ: 'at+jwt', kid: 'platform', ...header },
    allowInvalidAsymmetricKeyTypes: true,
    allowInsecureKeySizes: true,
  });
}

/** Creates a user. Defaults to a new workspace. */
export function signedInUser(workspace_id: string = randomUUID()): SignedInUser {
  const ids = { user_id: randomUUID(), workspace_id, session_id: randomUUID(), api_key_id: randomUUID() };
  return { ...ids, api_key: newApiKey(), authorization: `Bearer ${accessToken(ids)}` };
}

/** Returns platform's introspection response for a user. */
export function introspectionOf(user: SignedInUser, through: 'session' | 'api_key'): IntrospectResponse {
  return {
    user_id: user.user_id,
    user_name: 'Kim Example',
    user_kind: 'staff',
    workspace_id: user.workspace_id,
    role: 'sales',
    permissions: ['lead.view'],
    record_scopes: { lead: 'own' },
    team: [],
    modules: ['crm'],
    timezone: 'Europe/Berlin',
    user_timezone: '',
    currency: 'EUR',
    session_id: through === 'session' ? user.session_id : '',
    api_key_id: through === 'api_key' ? user.api_key_id : '',
    purpose: through === 'session' ? 'web' : '',
    expires_at: undefined,
    limits: {},
    subscription_status: '',
    ...user.changes,
  };
}
