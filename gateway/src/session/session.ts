/**
 * Resolves a bearer token to a caller. The gateway verifies the token here. Platform then reports over gRPC whether the
 * token is still valid and which permissions its caller has. The result is cached for five seconds, or until platform
 * publishes a change. When platform does not respond, cached callers are served until their five seconds are over. All
 * other callers get 503.
 */
import { type Bus, type Caller, clock, Fault, type Log } from '@suite/chassis/gateway';
import type { IntrospectRequest, IntrospectResponse } from '@suite/proto/platform/v1/platform';
import {
  ServiceUnavailable,
  TokenMissing,
  TokenRefused,
  TokenWithoutBearer,
  WrongTokenClass,
} from '../request/faults.ts';
import type { RequestSession, SubscriptionState } from '../request/request-context.ts';
import { evictOnAccountEvents } from './account-events.ts';
import { callerCache, type Introspection, REFUSED } from './caller-cache.ts';
import type { Credential, ReadCredential } from './credential.ts';

/** Introspects a credential with platform. @throws the Fault in platform's response */
export type Introspect = (request: IntrospectRequest, request_id: string) => Promise<IntrospectResponse>;

export interface Sessions {
  /**
   * Returns the session behind an Authorization header, synchronously if it is cached.
   * @param from.as the class of the token that the operation takes
   * @throws 401, 403 and 503
   */
  authenticate(
    authorization: string | undefined,
    from: { address: string; request_id: string; as?: 'user' | 'instance' },
  ): RequestSession | Promise<RequestSession>;
  /** Evicts a caller whose request may have changed their account, and all users whom its path names. */
  invalidate(session: RequestSession, path: string): void;
}

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;
const SUBJECTS_IN_PATHS = ['session', 'api_key', 'user'] as const;
const SCHEME = /^bearer(?: |$)/i;
const BEARER = /^bearer +([\w.~+/=-]+)$/i;

/** Combines the token reader, platform and the caller cache. */
export function openSessions(parts: { read: ReadCredential; introspect: Introspect; bus: Bus; log: Log }): Sessions {
  const cache = callerCache();
  evictOnAccountEvents(parts.bus, cache, parts.log);

  return {
    authenticate(authorization, { address, request_id, as = 'user' }) {
      if (authorization === undefined) throw TokenMissing();
      if (!SCHEME.test(authorization)) throw TokenWithoutBearer();
      const token = BEARER.exec(authorization)?.[1];
      const credential = token && parts.read(token);
      if (!credential) throw TokenRefused();
      if ((credential.kind === 'instance') !== (as === 'instance')) throw WrongTokenClass();
      // A key can be bound to addresses, so its introspection is valid for one address only.
      const key = credential.kind === 'session' ? credential.session_id : `${credential.hash} ${address}`;
      const cached = cache.get(key);
      if (cached && !isOver(cached)) return sessionOf(cached, credential);
      return cache
        .load(key, () => introspectCredential(parts.introspect, credential, address, request_id))
        .then((introspection) => sessionOf(introspection, credential));
    },
    invalidate({ caller }, path) {
      cache.evict('user', caller.user_id);
      for (const [id] of path.matchAll(UUID)) {
        for (const subject of SUBJECTS_IN_PATHS) cache.evict(subject, id.toLowerCase());
      }
      // A role change affects all users with that role, and a team change affects all its members.
      if (/^\/api\/(?:roles|teams)\//.test(path)) cache.evict('workspace', caller.workspace_id);
    },
  };
}

/** Returns true if the workspace's entitlements may have changed. Platform is asked again at exactly that time. */
function isOver(introspection: Introspection): boolean {
  const until = introspection === REFUSED ? undefined : introspection.subscription.until;
  return until !== undefined && until <= clock.now();
}

function sessionOf(introspection: Introspection, credential: Credential): RequestSession {
  if (introspection === REFUSED) throw TokenRefused();
  // The introspection must be for the user that the token names.
  if (credential.kind === 'session' && introspection.caller.user_id !== credential.user_id) throw TokenRefused();
  return introspection;
}

function toIntrospectCredential(credential: Credential): IntrospectRequest['credential'] {
  if (credential.kind === 'session') return { $case: 'session_id', value: credential.session_id };
  if (credential.kind === 'instance') return { $case: 'wl_token', value: credential.wl_token };
  return { $case: 'api_key', value: credential.api_key };
}

async function introspectCredential(
  introspect: Introspect,
  credential: Credential,
  address: string,
  request_id: string,
): Promise<Introspection> {
  try {
    const response = await introspect({ credential: toIntrospectCredential(credential), address }, request_id);
    const rate_limit_key = credential.kind === 'session' ? credential.session_id : credential.hash;
    const told = { caller: callerOf(response), subscription: subscriptionOf(response) };
    return { ...told, rate_limit_key, service_tokens: new Map() };
  } catch (error) {
    if (error instanceof Fault && error.status === 401) return REFUSED;
    if (error instanceof Fault && error.status === 403) throw error;
    throw Object.assign(ServiceUnavailable(), { cause: error });
  }
}

function subscriptionOf({ subscription_status, entitled_until, limits }: IntrospectResponse): SubscriptionState {
  const until = entitled_until === undefined ? undefined : new Date(entitled_until);
  return { status: subscription_status, until, api_rpm: limits?.api_rpm };
}

/** Returns the limits that services enforce. */
function limitsOf({ customers, storage_mb }: NonNullable<IntrospectResponse['limits']> = {}): Pick<Caller, 'limits'> {
  const limits = { ...(customers !== undefined && { customers }), ...(storage_mb !== undefined && { storage_mb }) };
  return Object.keys(limits).length > 0 ? { limits } : {};
}

function callerOf(response: IntrospectResponse): Caller {
  const {
    user_kind,
    record_scopes,
    team,
    session_id,
    api_key_id,
    limits,
    subscription_status: _status,
    entitled_until: _until,
    expires_at: _,
    purpose,
    user_timezone,
    instance,
    ...same
  } = response;
  return {
    ...same,
    kind: user_kind as Caller['kind'],
    record_scopes: record_scopes as Caller['record_scopes'],
    ...(team.length > 0 && { team }),
    ...(session_id && { session_id }),
    ...(api_key_id && { api_key_id }),
    ...(purpose === 'tracker' && { purpose }),
    ...(user_timezone && { user_timezone }),
    ...(instance && { instance: { id: instance.id, mode: instance.mode === 'live' ? 'live' : 'test' } }),
    ...limitsOf(limits),
  };
}
