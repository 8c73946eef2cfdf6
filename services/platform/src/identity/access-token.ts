import { randomUUID } from 'node:crypto';
import type { Keys } from '@suite/chassis';
import jwt from 'jsonwebtoken';

/** How long an access token lives; what it may do is asked anew all the while. */
export const ACCESS_TOKEN_S = 600;

/** The bearer token of a session: it says who and which session, and nothing of what they may do. */
export function signAccessToken(keys: Keys, session: { id: string; user_id: string }): string {
  return jwt.sign({ sid: session.id }, keys.private_key, {
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
