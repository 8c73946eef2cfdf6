import { randomUUID } from 'node:crypto';
import type { Keys } from '@suite/chassis/identity';
import jwt from 'jsonwebtoken';

/** Lifetime of an access token, in seconds. Its permissions are checked again throughout that time. */
export const ACCESS_TOKEN_S = 600;

/**
 * Returns the bearer token of a session. The token identifies the user and the session, and contains no permissions.
 */
export function signAccessToken(keys: Keys, session: { id: string; user_id: string }): string {
  return jwt.sign({ sid: session.id }, keys.signing_key, {
    algorithm: 'ES256',
    keyid: keys.issuer,
    issuer: keys.issuer,
    audience: 'gateway',
    subject: session.user_id,
    expiresIn: ACCESS_TOKEN_S,
    notBefore: 0,
    jwtid: randomUUID(),
    header: { alg: 'ES256', typ: 'at+jwt' },
  });
}
