import { createHash, createHmac, createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import { clock } from '../runtime/clock.ts';
import { Unauthenticated } from '../runtime/fault.ts';
import { masterKeyOf, type MasterKeys, masterKeysIn } from './master-keys.ts';
import { type Folded, fold, unfold } from './folded.ts';

/** The caller with the present rights, as platform says and the gateway passes inward. */
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
  /** IANA zone that the user chose, where it is not left to the workspace. */
  user_timezone?: string;
  /** ISO 4217 code of the workspace's base currency. */
  currency: string;
  /** How much the plan of the workspace allows of what other services count; an absent one is no limit. */
  limits?: { customers?: number; storage_mb?: number };
  session_id?: string;
  /** A session of a time tracker can track time, and nothing else. */
  purpose?: 'tracker';
  api_key_id?: string;
  /** A white-label instance, which is no user: its id stands for the user's and for the workspace's. */
  instance?: { id: string; mode: 'live' | 'test' };
}

export interface Identity {
  /** The process that calls. */
  issuer: string;
  /** Null for calls without a user: public operations, and work that a service does by itself. */
  caller: Caller | null;
  /** Whether the gateway vouches for the caller. Otherwise a service names them, and they have no rights. */
  vouched: boolean;
}

/** The credentials of a call between services: the service that calls and, for a caller, the gateway's word on them. */
export interface Credentials {
  token: string;
  on_behalf?: string | undefined;
}

export interface Keys {
  /** The name of this process, which is also the id of its key. */
  issuer: string;
  private_key: KeyObject;
  /** Public keys by the name of the process that signs with them. */
  trusted: ReadonlyMap<string, KeyObject>;
  /** The keys that wrap the keys of sealed values. */
  master: MasterKeys;
  /** A token that tells `audience` who is calling; it lives 60 seconds. */
  sign(audience: string, caller: Caller | null): string;
  /** Reads a token that was meant for `audience`. Only the gateway can say who a caller is. @throws Unauthenticated */
  verify(token: string, audience: string): Identity;
  /** How this process calls `audience`: for a caller whom the gateway sent here, for somebody it names, or for itself. */
  speak(audience: string, caller: Caller | null): Credentials;
  /** Reads what `speak` made for `audience`. @throws Unauthenticated */
  hear(credentials: Credentials, audience: string): Identity;
}

/** The user for whom a service settles something later, by itself: in their workspace, and with no rights there. */
export const onBehalfOf = (user_id: string, workspace_id: string): Caller => ({
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

/** The issuer who may vouch for callers. */
const GATEWAY = 'gateway';
/** The gateway's tokens by the callers that were read from them: what a service goes on with is the very same. */
const tokens = new WeakMap<Caller, string>();
const digest = (token: string): string => createHash('sha256').update(token).digest('base64url');

interface Claims extends jwt.JwtPayload {
  caller?: Caller | null;
  /** The caller's permissions, when they are written short and not beside the rest. */
  rights?: Folded;
  /** The digest of the gateway's token that goes with it. */
  on_behalf?: string;
  /** A user whom the issuer only names. */
  actor?: { user_id: string; workspace_id: string };
}

const LIFE_S = 60;
const LEEWAY_S = 5;

/**
 * Loads a process's keys: `private.pem` is its own (ES256, PKCS 8), `trusted/<process>.pem` are the public ones,
 * `master/<name>.key` wrap the keys of sealed values.
 * Keys are parsed once: jsonwebtoken is twice as fast with a KeyObject as with a string.
 */
export function loadKeys(issuer: string, directory: string): Keys {
  const private_key = createPrivateKey(readFileSync(join(directory, 'private.pem')));
  const trusted = new Map(
    readdirSync(join(directory, 'trusted'))
      .filter((name) => name.endsWith('.pem'))
      .map((name) => [name.slice(0, -'.pem'.length), createPublicKey(readFileSync(join(directory, 'trusted', name)))]),
  );
  return makeKeys(issuer, private_key, trusted, masterKeysIn(directory));
}

/** Verifies a token for this audience: its content and its issuer. @throws Unauthenticated */
function claimsOf(
  token: string,
  audience: string,
  trusted: ReadonlyMap<string, KeyObject>,
): { issuer: string; claims: Claims } {
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
    }) as Claims;
    if (claims.caller && issuer !== GATEWAY) throw Unauthenticated();
    if (claims.caller && claims.rights !== undefined) claims.caller.permissions = unfold(claims.rights);
    return { issuer, claims };
  } catch {
    throw Unauthenticated();
  }
}

/** Keys from parsed key objects. @param master by default one key that is derived from the private one, for tests */
export function makeKeys(
  issuer: string,
  private_key: KeyObject,
  trusted: ReadonlyMap<string, KeyObject>,
  master: MasterKeys = masterKeyOf(derivedSecret(private_key, 'master key')),
): Keys {
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
      return { issuer, caller: onBehalfOf(user_id, workspace_id), vouched: false };
    }
    if (!on_behalf && claims.on_behalf) throw Unauthenticated();
    if (!on_behalf) return verify(token, audience);
    // The gateway said so to this very issuer, which said it with this very call.
    const inner = verify(on_behalf, issuer);
    if (claims.on_behalf !== digest(on_behalf) || !inner.vouched) throw Unauthenticated();
    return { ...inner, issuer };
  };

  const seal = (audience: string, claims: object): string =>
    jwt.sign(claims, private_key, {
      algorithm: 'ES256',
      keyid: issuer,
      issuer,
      audience,
      expiresIn: LIFE_S,
      header: { alg: 'ES256', typ: 'internal' },
    });
  const sign = (audience: string, caller: Caller | null): string => {
    const rights = caller && fold(caller.permissions ?? []);
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

  return { issuer, private_key, trusted, master, sign, verify, speak, hear };
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
