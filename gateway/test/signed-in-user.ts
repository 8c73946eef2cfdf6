import { randomUUID } from 'node:crypto';
import { clock, newApiKey } from '@suite/chassis/gateway';
import type { IntrospectResponse } from '@suite/proto/platform/v1/platform';
import jwt from 'jsonwebtoken';
import { keysOf } from './keys.ts';

/** Somebody with a session and an API key. */
export interface Person {
  user_id: string;
  workspace_id: string;
  session_id: string;
  api_key_id: string;
  api_key: string;
  /** `Bearer …` of the session. */
  authorization: string;
}

/** What a test may change about an access token. */
export interface TokenChanges {
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  key?: jwt.Secret;
  algorithm?: jwt.Algorithm;
}

/** The claims of a good access token. */
export function claimsOf(person: Pick<Person, 'user_id' | 'session_id'>): Record<string, unknown> {
  const now = Math.floor(clock.now().getTime() / 1_000);
  const life = { iat: now, nbf: now, exp: now + 600, jti: randomUUID() };
  return { iss: 'platform', aud: 'gateway', sub: person.user_id, sid: person.session_id, ...life };
}

/** Signs an access token as platform does, but for the changes. */
export function accessToken(person: Pick<Person, 'user_id' | 'session_id'>, changes: TokenChanges = {}): string {
  const { claims, header, key = keysOf('platform').private_key, algorithm = 'ES256' } = changes;
  return jwt.sign({ ...claimsOf(person), ...claims }, key, {
    algorithm,
    header: { alg: algorithm, typ: 'at+jwt', kid: 'platform', ...header },
    allowInvalidAsymmetricKeyTypes: true,
    allowInsecureKeySizes: true,
  });
}

/** Somebody new, in a workspace of their own unless another is given. */
export function somebody(workspace_id: string = randomUUID()): Person {
  const ids = { user_id: randomUUID(), workspace_id, session_id: randomUUID(), api_key_id: randomUUID() };
  return { ...ids, api_key: newApiKey(), authorization: `Bearer ${accessToken(ids)}` };
}

/** What platform answers about somebody. */
export function answerAbout(person: Person, through: 'session' | 'api_key'): IntrospectResponse {
  return {
    user_id: person.user_id,
    user_name: 'Kim Example',
    user_kind: 'staff',
    workspace_id: person.workspace_id,
    role: 'sales',
    permissions: ['lead.view'],
    record_scopes: { lead: 'own' },
    team: [],
    modules: ['crm'],
    timezone: 'Europe/Berlin',
    currency: 'EUR',
    session_id: through === 'session' ? person.session_id : '',
    api_key_id: through === 'api_key' ? person.api_key_id : '',
    expires_at: undefined,
  };
}
