import { createHash, createHmac, createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import { clock } from '../runtime/clock.ts';
import { Unauthenticated } from '../runtime/fault.ts';
import { masterKeyOf, type MasterKeys, masterKeysIn } from './master-keys.ts';
import { type PackedPermissions, packPermissions, unpackPermissions } from './packed-permissions.ts';

/** The caller with their current permissions, as returned by platform and passed on by the gateway. */
export interface Caller {
  user_id: string;
  user_name: string;
  kind: 'owner' | 'staff' | 'client' | 'vendor';
  workspace_id: string;
  role: string;
  /** `noun.verb` */
  permissions: readonly string[];
  /** Record scope by resource. A missing resource means `all`. */
  record_scopes: Readonly<Record<string, 'own' | 'team' | 'all'>>;
  /** The users of the caller's team, if a record scope is `team`. */
  team?: readonly string[];
  modules: readonly string[];
  /** The IANA time zone of the workspace. */
  timezone: string;
  /** The IANA time zone that the user chose. Absent if they use the workspace's. */
  user_timezone?: string;
  /** The ISO 4217 code of the workspace's base currency. */
  currency: string;
  /** Plan limits of the workspace for resources that other services count. An absent field means no limit. */
  limits?: { customers?: number; storage_mb?: number };
  session_id?: string;
  /** The purpose of a restricted session. A `tracker` session can only track time. */
  purpose?: 'tracker';
  api_key_id?: string;
  /** White-label instance. An instance is not a user: its ID replaces the IDs of user and workspace. */
  instance?: { id: string; mode: 'live' | 'test' };
}

export interface Identity {
  /** The calling process. */
  issuer: string;
  /** Null for calls without a user: public operations and automatic work of a service. */
  caller: Caller | null;
  /** True if the gateway vouches for the caller. If false, a service names the caller, who has no permissions. */
  vouched: boolean;
}

/** Credentials of a call between services: the calling service and, for a caller, the gateway's token. */
export interface Credentials {
  token: string;
  on_behalf?: string | undefined;
}

export interface Keys {
  /** The name of this process, which is also the ID of its key. */
  issuer: string;
  /** The root of the process's derived secrets, see `derivedSecret`. It never changes. */
  private_key: KeyObject;
  /** The key for signatures. The same as `private_key` until it is rotated. */
  signing_key: KeyObject;
  /** Public keys by the name of the signing process, which has two during a rotation. */
  trusted: ReadonlyMap<string, readonly KeyObject[]>;
  /** Keys that wrap the keys of encrypted values. */
  master: MasterKeys;
  /** Creates a token that identifies the caller to `audience`. The token expires after 60 seconds. */
  sign(audience: string, caller: Caller | null): string;
  /** Reads a token for `audience`. Only the gateway can identify a caller. @throws Unauthenticated */
  verify(token: string, audience: string): Identity;
  /**
   * Returns the credentials for a call to `audience`: for a caller that the gateway sent, for a named user, or for this
   * process.
   */
  speak(audience: string, caller: Caller | null): Credentials;
  /** Reads credentials that `speak` created for `audience`. @throws Unauthenticated */
  hear(credentials: Credentials, audience: string): Identity;
}

/**
 * Returns the user for whom a service completes work later, automatically. The user has a workspace but no permissions
 * there.
 */
export const callerOnBehalfOf = (user_id: string, workspace_id: string): Caller => ({
  user_id,
  user_name: '',
  kind: 'staff',
  workspace_id,
  role: '',
  permissions: [],
  record_scopes: {},
  modules: [],
  timezone: 'UTC',
  currency: 'EUR',
});

/** The only issuer that may authenticate callers. */
const GATEWAY = 'gateway';
/** Tokens of the gateway by caller. A service forwards the same token that it received. */
const tokens = new WeakMap<Caller, string>();
const digest = (token: string): string => createHash('sha256').update(token).digest('base64url');

interface Claims extends jwt.JwtPayload {
  caller?: Caller | null;
  /** The caller's permissions in short form, if they are not listed with the other fields. */
  rights?: PackedPermissions;
  /** The digest of the gateway's token that accompanies this one. */
  on_behalf?: string;
  /** A user whom the issuer names without authentication. */
  actor?: { user_id: string; workspace_id: string };
}

const LIFE_S = 60;
const LEEWAY_S = 5;

/**
 * Loads a process's keys (ES256, PEM). `private.pem` is its own key, and also the key for signatures unless there is a
 * `signing.pem`. `trusted/<process>.pem` and `trusted/<process>.second.pem` are the public keys of each process.
 * `master/<name>.key` wrap the keys of encrypted values. Keys are parsed once: jsonwebtoken is twice as fast with a
 * KeyObject as with a string.
 */
export function loadKeys(issuer: string, directory: string): Keys {
  const read = (name: string) => readFileSync(join(directory, name));
  const private_key = createPrivateKey(read('private.pem'));
  const signing_key = existsSync(join(directory, 'signing.pem')) ? createPrivateKey(read('signing.pem')) : private_key;
  const trusted = new Map<string, KeyObject[]>();
  for (const name of readdirSync(join(directory, 'trusted')).filter((file) => file.endsWith('.pem'))) {
    const [owner = ''] = name.split('.');
    trusted.set(owner, [...(trusted.get(owner) ?? []), createPublicKey(read(join('trusted', name)))]);
  }
  return makeKeys(issuer, private_key, trusted, { signing_key, master: masterKeysIn(directory) });
}

/**
 * Verifies the signature and the claims of a token by one of the keys of its issuer.
 * @throws the error of jsonwebtoken if it is valid for none of them
 */
export function verifyToken(token: string, keys: readonly KeyObject[], options: jwt.VerifyOptions): jwt.Jwt {
  for (const [position, key] of keys.entries()) {
    try {
      return jwt.verify(token, key, { ...options, complete: true });
    } catch (error) {
      if (position === keys.length - 1) throw error;
    }
  }
  throw Unauthenticated();
}

/** Verifies the content and the issuer of a token for this audience. @throws Unauthenticated */
function claimsOf(token: string, audience: string, trusted: Keys['trusted']): { issuer: string; claims: Claims } {
  try {
    const { kid: issuer, typ } = jwt.decode(token, { complete: true })!.header;
    const keys = trusted.get(issuer ?? '');
    if (!issuer || !keys || typ !== 'internal') throw Unauthenticated();
    const { payload } = verifyToken(token, keys, {
      algorithms: ['ES256'],
      audience,
      issuer,
      clockTolerance: LEEWAY_S,
      maxAge: LIFE_S,
    });
    const claims = payload as Claims;
    if (claims.caller && issuer !== GATEWAY) throw Unauthenticated();
    if (claims.caller && claims.rights !== undefined) claims.caller.permissions = unpackPermissions(claims.rights);
    return { issuer, claims };
  } catch {
    throw Unauthenticated();
  }
}

/**
 * Creates keys from parsed key objects.
 * @param others the key for signatures, if it is another, and the master keys. By default, in tests, there is one master
 * key derived from the private key
 */
export function makeKeys(
  issuer: string,
  private_key: KeyObject,
  trusted: Keys['trusted'],
  others: { signing_key?: KeyObject; master?: MasterKeys } = {},
): Keys {
  const { signing_key = private_key, master = masterKeyOf(derivedSecret(private_key, 'master key')) } = others;
  const verified = new LRUCache<string, { issuer: string; audience: string; claims: Claims }>({ max: 10_000 });

  const read = (token: string, audience: string): { issuer: string; claims: Claims } => {
    const known = verified.get(token);
    if (known && known.audience === audience && known.claims.exp! > clock.now().getTime() / 1000) return known;
    const { issuer, claims } = claimsOf(token, audience, trusted);
    if (claims.caller) tokens.set(claims.caller, token);
    verified.set(token, { issuer, audience, claims });
    return { issuer, claims };
  };
  const verify = (token: string, audience: string): Identity => {
    const { issuer, claims } = read(token, audience);
    return { issuer, caller: claims.caller ?? null, vouched: Boolean(claims.caller) };
  };
  const hear = ({ token, on_behalf }: Credentials, audience: string): Identity => {
    const { issuer, claims } = read(token, audience);
    if (!on_behalf && claims.actor) {
      const { user_id, workspace_id } = claims.actor;
      return { issuer, caller: callerOnBehalfOf(user_id, workspace_id), vouched: false };
    }
    if (!on_behalf && claims.on_behalf) throw Unauthenticated();
    if (!on_behalf) return verify(token, audience);
    // The gateway issued this token to this issuer, which sent it with this call.
    const inner = verify(on_behalf, issuer);
    if (claims.on_behalf !== digest(on_behalf) || !inner.vouched) throw Unauthenticated();
    return { ...inner, issuer };
  };

  const seal = (audience: string, claims: object): string =>
    jwt.sign(claims, signing_key, {
      algorithm: 'ES256',
      keyid: issuer,
      issuer,
      audience,
      expiresIn: LIFE_S,
      header: { alg: 'ES256', typ: 'internal' },
    });
  const sign = (audience: string, caller: Caller | null): string => {
    const rights = caller && packPermissions(caller.permissions ?? []);
    if (!rights) return seal(audience, { caller, ...(caller && { sub: caller.user_id }) });
    const { permissions: _, ...rest } = caller;
    return seal(audience, { caller: rest, rights, sub: caller.user_id });
  };
  const speak = (audience: string, caller: Caller | null): Credentials => {
    const on_behalf = caller && tokens.get(caller);
    if (on_behalf) return { token: seal(audience, { on_behalf: digest(on_behalf) }), on_behalf };
    if (!caller || issuer === GATEWAY) return { token: sign(audience, caller) };
    const { user_id, workspace_id } = caller;
    return { token: seal(audience, { actor: { user_id, workspace_id } }) };
  };

  return { issuer, private_key, signing_key, trusted, master, sign, verify, speak, hear };
}

/** Derives a secret for one purpose from the process's private key. It is the same on every replica. */
export function derivedSecret(private_key: KeyObject, purpose: string): Buffer {
  const material = private_key.export({ format: 'der', type: 'pkcs8' });
  return Buffer.from(hkdfSync('sha256', material, '', purpose, 32));
}

/** Creates fingerprints of requests. They reveal nothing to readers without the process's key. */
export function fingerprints({ private_key }: Keys): (asked: object) => string {
  const secret = derivedSecret(private_key, 'suite fingerprints');
  return (asked) => createHmac('sha256', secret).update(JSON.stringify(asked)).digest('hex');
}
