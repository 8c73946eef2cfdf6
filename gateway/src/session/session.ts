/**
 * Bearer token → caller. The token is checked here, then platform says over gRPC whether it still counts and what its
 * bearer may do. That answer is kept for five seconds, less when platform announces a change on NATS. When platform
 * does not answer, what is known lives out its five seconds; then the answer is 503, never a guess.
 */
import { type Bus, type Caller, Fault, type Log } from '@suite/chassis/gateway';
import type { IntrospectRequest, IntrospectResponse } from '@suite/proto/platform/v1/platform';
import type { Session } from '../request/request-context.ts';
import { type Answer, type CallerCache, callerCache, REFUSED, type Subject } from './caller-cache.ts';
import type { Credential, ReadCredential } from './credential.ts';
import { ServiceUnavailable, TokenMissing, TokenRefused, TokenWithoutBearer } from '../request/faults.ts';

/** Asks platform who is behind a credential. @throws the Fault that platform answers with */
export type Introspect = (request: IntrospectRequest, request_id: string) => Promise<IntrospectResponse>;

export interface Sessions {
  /** Whose request this is; at once when it is known. @throws 401, 403 and 503 */
  identify(
    authorization: string | undefined,
    from: { address: string; request_id: string },
  ): Session | Promise<Session>;
  /** Forgets a caller who may just have changed what is known, and everybody whom the path of the change names. */
  forget(session: Session, path: string): void;
}

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;
const NAMED_IN_PATHS = ['session', 'api_key', 'user'] as const;
const SCHEME = /^bearer(?: |$)/i;
const BEARER = /^bearer +([\w.~+/=-]+)$/i;

/** Joins the parts: the reader of tokens, platform, and the messages that tell of changes. */
export function sessions(parts: { read: ReadCredential; introspect: Introspect; bus: Bus; log: Log }): Sessions {
  const cache = callerCache();
  evictOnNews(parts.bus, cache, parts.log);

  return {
    identify(authorization, { address, request_id }) {
      if (authorization === undefined) throw TokenMissing();
      if (!SCHEME.test(authorization)) throw TokenWithoutBearer();
      const token = BEARER.exec(authorization)?.[1];
      const credential = token && parts.read(token);
      if (!credential) throw TokenRefused();
      // A key may be bound to addresses, so what platform says of it holds for one address.
      const key = credential.kind === 'session' ? credential.session_id : `${credential.hash} ${address}`;
      const known = cache.known(key);
      if (known) return accepted(known, credential);
      return cache
        .ask(key, () => ask(parts.introspect, credential, address, request_id))
        .then((answer) => accepted(answer, credential));
    },
    forget({ caller }, path) {
      cache.evict('user', caller.user_id);
      for (const [id] of path.matchAll(UUID)) {
        for (const subject of NAMED_IN_PATHS) cache.evict(subject, id.toLowerCase());
      }
      // What a role may do concerns everybody who has it, and who is in a team everybody in it.
      if (/^\/api\/(?:roles|teams)\//.test(path)) cache.evict('workspace', caller.workspace_id);
    },
  };
}

function accepted(answer: Answer, credential: Credential): Session {
  if (answer === REFUSED) throw TokenRefused();
  // Platform's word counts, and it must be about the one whom the token names.
  if (credential.kind === 'session' && answer.caller.user_id !== credential.user_id) throw TokenRefused();
  return answer;
}

async function ask(
  introspect: Introspect,
  credential: Credential,
  address: string,
  request_id: string,
): Promise<Answer> {
  const asked: IntrospectRequest['credential'] =
    credential.kind === 'session'
      ? { $case: 'session_id', value: credential.session_id }
      : { $case: 'api_key', value: credential.api_key };
  try {
    const caller = callerOf(await introspect({ credential: asked, address }, request_id));
    const name = credential.kind === 'session' ? credential.session_id : credential.hash;
    return { caller, name, inward: new Map() };
  } catch (error) {
    if (error instanceof Fault && error.status === 401) return REFUSED;
    if (error instanceof Fault && error.status === 403) throw error;
    throw Object.assign(ServiceUnavailable(), { cause: error });
  }
}

function callerOf(response: IntrospectResponse): Caller {
  const { user_kind, record_scopes, team, session_id, api_key_id, expires_at: _, ...same } = response;
  return {
    ...same,
    kind: user_kind as Caller['kind'],
    record_scopes: record_scopes as Caller['record_scopes'],
    ...(team.length > 0 && { team }),
    ...(session_id && { session_id }),
    ...(api_key_id && { api_key_id }),
  };
}

/** What of an event's envelope says whom it is about: `data.user_id` in `platform.user.disabled`. */
interface News {
  workspace_id?: string;
  data?: Partial<Record<`${Subject}_id`, string>>;
}

const NEWS = /^platform\.(session|api_key|user|workspace)\./;

/** Whatever happens to a session, key, user or workspace: what we know of it may be wrong now. */
function evictOnNews(bus: Bus, cache: CallerCache, log: Log): void {
  bus.listen('platform.>', (payload, type) => {
    const subject = NEWS.exec(type)?.[1] as Subject | undefined;
    if (!subject) return;
    try {
      const { workspace_id, data } = JSON.parse(payload) as News;
      const id = subject === 'workspace' ? workspace_id : data?.[`${subject}_id`];
      if (id) cache.evict(subject, id);
      else cache.clear();
    } catch (error) {
      log.error({ err: error, type }, 'A message of platform cannot be read. Every caller is asked for again.');
      cache.clear();
    }
  });
  // What was announced while nobody listened is not known here.
  bus.onConnect(() => cache.clear());
}
