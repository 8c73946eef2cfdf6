import { randomUUID } from 'node:crypto';
import type { Caller, Keys } from '@suite/chassis/identity';
import { operationsOf, everyPermissionOf, type Service } from '@suite/chassis/declarations';
import { call, type HttpCaller, httpCaller, type Reply } from './http.ts';
import { isTooBusy, retryPostponed } from './waiting.ts';
import type { RejectionCheck } from './refusals.ts';

/** The options for a caller. Defaults to a staff user of a new workspace. */
export interface CallerOptions {
  can?: readonly string[];
  modules?: readonly string[];
  limits?: Caller['limits'];
  kind?: Caller['kind'];
  workspace?: string;
  user_id?: string;
  name?: string;
  role?: string;
  record_scopes?: Caller['record_scopes'];
  team?: Caller['team'];
  session_id?: string;
  purpose?: Caller['purpose'];
  api_key_id?: string;
  timezone?: string;
  /** White-label instance, which has no user. */
  instance?: { id: string; mode: 'live' | 'test' };
}

/**
 * Returns every permission that the operations of a service require, and every permission that only its code checks.
 */
export const allPermissionsOf = (service: Service, ...more: string[]): string[] => [
  ...new Set([...[...operationsOf(service).values()].flatMap(everyPermissionOf), ...more]),
];

/**
 * Member with chosen rights, who calls a service as the gateway would on their behalf. Calls are repeated while the
 * service is too busy, as clients should do: the load on the machine must not affect a test.
 */
export interface Member extends HttpCaller {
  caller: Caller;
}

/** The latest rights of each user that a test has created, as the fake of platform reports them. */
export const latestCallers = new Map<string, Caller>();

/** Returns a caller with these rights. */
export function makeCaller(rights: CallerOptions): Caller {
  const caller = callerWith(rights);
  latestCallers.set(caller.user_id, caller);
  return caller;
}

function callerWith(rights: CallerOptions): Caller {
  const { instance } = rights;
  return {
    ...(instance && { instance }),
    user_id: instance?.id ?? rights.user_id ?? randomUUID(),
    user_name: rights.name ?? 'Kim Example',
    kind: rights.kind ?? 'staff',
    workspace_id: instance?.id ?? rights.workspace ?? randomUUID(),
    role: rights.role ?? 'manager',
    permissions: rights.can ?? [],
    record_scopes: rights.record_scopes ?? {},
    ...(rights.team && { team: rights.team }),
    modules: rights.modules ?? ['crm', 'sales', 'proposals'],
    timezone: rights.timezone ?? 'Europe/Berlin',
    currency: 'EUR',
    ...(rights.limits && { limits: rights.limits }),
    ...(rights.purpose && { purpose: rights.purpose }),
    ...(rights.api_key_id ? { api_key_id: rights.api_key_id } : { session_id: rights.session_id ?? randomUUID() }),
  };
}

/** How long the gateway uses a token again (gateway/src/upstream/service-token.ts). */
const REUSED_MS = 30_000;

/** Returns a function that signs a caller's token, and returns the same one until it is old or the caller has changed. */
function signer({ name, gateway }: { name: string; gateway: Keys }, caller: Caller | null): () => string {
  let signed = { token: '', rights: '', at: 0 };
  return () => {
    const [now, rights] = [Date.now(), JSON.stringify(caller)];
    const age_ms = now - signed.at;
    if (signed.rights !== rights || age_ms < 0 || age_ms > REUSED_MS)
      signed = { token: gateway.sign(name, caller), rights, at: now };
    return signed.token;
  };
}

/**
 * Creates a member who calls the service at `url`. Without a caller, the member is not signed in.
 * @param check assertion for every answer
 */
export function memberOf(
  service: { name: string; url: string; gateway: Keys },
  caller: Caller | null,
  check?: RejectionCheck,
): Member {
  const token = signer(service, caller);
  const ask: HttpCaller['send'] = (method, path, body, headers) =>
    call(service.url, path, {
      method,
      body,
      headers: {
        authorization: `Bearer ${token()}`,
        'x-request-id': randomUUID(),
        'x-client-address': '127.0.0.1',
        ...headers,
      },
    });
  const member: Member = {
    caller: caller as Caller,
    ...httpCaller(async (...asked) => {
      const reply = await retryPostponed(() => ask(...asked), isTooBusy);
      await check?.(member, asked[0], asked[1], reply);
      return reply;
    }),
  };
  return member;
}

/** Returns the statuses of replies, in ascending order. */
export const sortedStatuses = (replies: readonly Reply[]): number[] =>
  replies.map(({ status }) => status).toSorted((a, b) => a - b);
