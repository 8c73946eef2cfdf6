import { createHmac, createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import { clock } from './clock.ts';
import { Unauthenticated } from './fault.ts';

/** Who is calling and what they may do now, as platform says and the gateway passes inward. */
export interface Caller {
  user_id: string;
  user_name: string;
  kind: 'owner' | 'staff' | 'client' | 'vendor';
  workspace_id: string;
  role: string;
  /** `noun.verb` */
  permissions: readonly string[];
  /** Resource → whose records of it the caller may see; a resource that is missing means all. */
  record_scopes: Readonly<Record<string, 'own' | 'team' | 'all'>>;
  /** The users of the caller's team, when a scope is theirs. */
  team?: readonly string[];
  modules: readonly string[];
  /** IANA zone of the workspace. */
  timezone: string;
  /** ISO 4217 code of the workspace's base currency. */
  currency: string;
  session_id?: string;
  api_key_id?: string;
}

export interface Identity {
  /** The process that vouches for the caller. */
  issuer: string;
  /** Null for calls without a user: public operations, and work that a service does by itself. */
  caller: Caller | null;
}

export interface Keys {
  /** The name of this process, which is also the id of its key. */
  issuer: string;
  private_key: KeyObject;
  /** Public keys by the name of the process that signs with them. */
  trusted: ReadonlyMap<string, KeyObject>;
  /** A token that tells `audience` who is calling; it lives 60 seconds. */
  sign(audience: string, caller: Caller | null): string;
  /** Reads a token that was meant for `audience`. @throws Unauthenticated */
  verify(token: string, audience: string): Identity;
}

const LIFE_S = 60;
const LEEWAY_S = 5;

/**
 * Loads a process's keys: `private.pem` is its own (ES256, PKCS 8), `trusted/<process>.pem` are the public ones.
 * Keys are parsed once: jsonwebtoken is twice as fast with a KeyObject as with a string.
 */
export function loadKeys(issuer: string, directory: string): Keys {
  const private_key = createPrivateKey(readFileSync(join(directory, 'private.pem')));
  const trusted = new Map(
    readdirSync(join(directory, 'trusted'))
      .filter((name) => name.endsWith('.pem'))
      .map((name) => [name.slice(0, -'.pem'.length), createPublicKey(readFileSync(join(directory, 'trusted', name)))]),
  );
  return makeKeys(issuer, private_key, trusted);
}

/** Keys from parsed key objects. */
export function makeKeys(issuer: string, private_key: KeyObject, trusted: ReadonlyMap<string, KeyObject>): Keys {
  const verified = new LRUCache<string, Identity & { audience: string; exp: number }>({ max: 10_000 });

  const verify = (token: string, audience: string): Identity => {
    const known = verified.get(token);
    if (known && known.audience === audience && known.exp > clock.now().getTime() / 1000) return known;
    try {
      const { kid: issuer, typ } = jwt.decode(token, { complete: true })!.header;
      const key = trusted.get(issuer ?? '');
      if (!issuer || !key || typ !== 'internal') throw Unauthenticated();
      const claims = jwt.verify(token, key, {
        algorithms: ['ES256'],
        audience,
        issuer,
        clockTolerance: LEEWAY_S,
        maxAge: LIFE_S,
      }) as jwt.JwtPayload;
      const identity = { issuer, caller: claims['caller'] as Caller | null, audience, exp: claims.exp! };
      verified.set(token, identity);
      return identity;
    } catch {
      throw Unauthenticated();
    }
  };

  return {
    issuer,
    private_key,
    trusted,
    verify,
    sign: (audience, caller) =>
      jwt.sign({ caller }, private_key, {
        algorithm: 'ES256',
        keyid: issuer,
        issuer,
        audience,
        expiresIn: LIFE_S,
        ...(caller && { subject: caller.user_id }),
        header: { alg: 'ES256', typ: 'internal' },
      }),
  };
}

/** A secret for one purpose, the same on every replica, since it is derived from the process's private key. */
export function derivedSecret(private_key: KeyObject, purpose: string): Buffer {
  const material = private_key.export({ format: 'der', type: 'pkcs8' });
  return Buffer.from(hkdfSync('sha256', material, '', purpose, 32));
}

/** Makes fingerprints of requests that tell nothing to somebody who reads them without the process's key. */
export function fingerprints({ private_key }: Keys): (asked: object) => string {
  const secret = derivedSecret(private_key, 'suite fingerprints');
  return (asked) => createHmac('sha256', secret).update(JSON.stringify(asked)).digest('hex');
}
