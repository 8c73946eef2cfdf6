/**
 * Verifies a bearer token without a call to platform. Covers signature, issuer and expiry of an access token, the
 * checksum of an API key, and the format of a white-label token. Platform reports revoked tokens (see session.ts).
 */
import { createHash, type KeyObject } from 'node:crypto';
import { clock, isApiKey, verifyToken } from '@suite/chassis/gateway';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

export type Credential =
  | { kind: 'session'; session_id: string; user_id: string; expires_at_s: number }
  | { kind: 'api_key'; api_key: string; hash: string }
  | { kind: 'instance'; wl_token: string; hash: string };

const LEEWAY_S = 30;
const MAX_TOKEN_LENGTH = 4_096;
const ISSUER = 'platform';
const AUDIENCE = 'gateway';

/**
 * Rejects any other header field: with `jwk`, `jku`, `x5u`, `crit` or `b64` a forger could supply their own key or
 * rules.
 */
const Header = z.strictObject({ alg: z.literal('ES256'), typ: z.literal('at+jwt'), kid: z.literal(ISSUER) });

const Claims = z.object({
  iss: z.literal(ISSUER),
  aud: z.literal(AUDIENCE),
  sub: z.uuid(),
  sid: z.uuid(),
  jti: z.string().min(1),
  iat: z.number(),
  nbf: z.number(),
  exp: z.number(),
});

/** Verifies a token. Returns undefined for a token that the suite did not issue. */
export type ReadCredential = (token: string) => Credential | undefined;

/** Creates the reader. It caches verified tokens until they expire, so that each signature is checked once. */
export function credentialReader(platform_keys: readonly KeyObject[]): ReadCredential {
  const verified = new LRUCache<string, Credential>({ max: 10_000 });

  return (token) => {
    const cached = verified.get(token);
    if (cached) return isExpired(cached) ? undefined : cached;
    if (token.length > MAX_TOKEN_LENGTH) return undefined;
    const read = token.startsWith('bms_') ? readApiKey : token.startsWith('wl_') ? readInstanceToken : readAccessToken;
    const credential = read(token, platform_keys);
    if (credential) verified.set(token, credential);
    return credential;
  };
}

function isExpired(credential: Credential): boolean {
  return credential.kind === 'session' && credential.expires_at_s + LEEWAY_S <= clock.now().getTime() / 1_000;
}

function readAccessToken(token: string, keys: readonly KeyObject[]): Credential | undefined {
  if (!isCanonical(token)) return undefined;
  try {
    const { header, payload } = verifyToken(token, keys, {
      algorithms: ['ES256'],
      issuer: ISSUER,
      audience: AUDIENCE,
      clockTolerance: LEEWAY_S,
      clockTimestamp: Math.floor(clock.now().getTime() / 1_000),
    });
    const claims = Claims.safeParse(payload);
    if (!Header.safeParse(header).success || !claims.success) return undefined;
    const { sid, sub, exp } = claims.data;
    return { kind: 'session', session_id: sid, user_id: sub, expires_at_s: exp };
  } catch {
    return undefined;
  }
}

/** Rejects alternative spellings of a signature: the last base64url character can have bits that decoding ignores. */
function isCanonical(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

function readApiKey(token: string): Credential | undefined {
  return isApiKey(token) ? { kind: 'api_key', api_key: token, hash: hashOf(token) } : undefined;
}

/** Format of 256 bits in base64url with exactly one spelling: the last character has no unused bits. */
const INSTANCE_TOKEN = /^wl_(?:live|test)_[\w-]{42}[AEIMQUYcgkosw048]$/;

function readInstanceToken(token: string): Credential | undefined {
  return INSTANCE_TOKEN.test(token) ? { kind: 'instance', wl_token: token, hash: hashOf(token) } : undefined;
}
