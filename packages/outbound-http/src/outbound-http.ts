/**
 * Calls to external servers, at addresses that users of a workspace have set. They use https and public addresses only
 * (checked at the connection itself, at each attempt). They follow no redirect, respect limits of time and size, and
 * are at most four concurrent calls per workspace. Do not await them inside a transaction.
 */
import type { LookupFunction } from 'node:net';
import { lookup } from 'node:dns';
import { assertPublicHost, guardedLookup, hostOf, type Resolve, systemResolve } from './address.ts';
import type { CallLimits, OutgoingResponse, OutgoingRequest } from './call.ts';
import { OutgoingFailure } from './failure.ts';

export { type FailureCode, OutgoingFailure } from './failure.ts';
export type { OutgoingResponse, OutgoingRequest } from './call.ts';
export { pauseAfter, isTransient, retryDelay, retryAfterOf } from './retries.ts';

/** The client for requests to external servers. */
export interface Outgoing {
  /** Sends a request once, within the workspace's share. @throws OutgoingFailure if there is no response */
  call(workspace_id: string, request: OutgoingRequest): Promise<OutgoingResponse>;
}

interface Options extends Partial<CallLimits> {
  /**
   * Hosts in the operator's own networks, written like in addresses. They may be called although their address is
   * private, and without TLS.
   */
  trusted_hosts?: readonly string[];
  /** Resolves the addresses of untrusted hosts. */
  resolve?: Resolve;
}

const LIMITS: CallLimits = { connect_ms: 3_000, whole_ms: 10_000, max_bytes: 1_048_576 };
const AT_ONCE = 4;
const WAITING = 64;
/** Number of calls of maximum duration that a waiting call waits for. */
const PATIENCE = 3;

/**
 * Limits the concurrent calls of a workspace. Others wait in order. Calls beyond the limit of the queue, and calls that
 * waited too long, are rejected: after that time, their work may have started again elsewhere.
 */
function shares() {
  const turn = (waiting: (() => void)[], wait_ms: number) =>
    new Promise<void>((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const giveUp = () => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(new OutgoingFailure('busy'));
      };
      const timer = setTimeout(giveUp, wait_ms);
      waiting.push(begin);
    });
  const lanes = new Map<string, { running: number; waiting: (() => void)[] }>();
  return async <T>(workspace_id: string, wait_ms: number, work: () => Promise<T>): Promise<T> => {
    const lane = lanes.get(workspace_id) ?? { running: 0, waiting: [] };
    lanes.set(workspace_id, lane);
    if (lane.running < AT_ONCE) lane.running += 1;
    else if (lane.waiting.length >= WAITING) throw new OutgoingFailure('busy');
    // A finished call passes its place on directly, so that no new call gets in between.
    else await turn(lane.waiting, wait_ms);
    try {
      return await work();
    } finally {
      const next = lane.waiting.shift();
      if (next) next();
      else lane.running -= 1;
      if (lane.running === 0) lanes.delete(workspace_id);
    }
  };
}

function parsed(text: string): URL {
  if (!URL.canParse(text)) throw new OutgoingFailure('invalid_url');
  const url = new URL(text);
  // Passwords in URLs end up in logs. Credentials belong in headers.
  if (url.username || url.password) throw new OutgoingFailure('invalid_url');
  return url;
}

/** Limits the total time of several calls. Later calls fail with a timeout. */
export function limitTotalTime(outgoing: Outgoing, ms: number): Outgoing {
  const until = performance.now() + ms;
  return {
    async call(workspace_id, request) {
      const within_ms = Math.ceil(until - performance.now());
      if (within_ms <= 0) throw new OutgoingFailure('timeout');
      return await outgoing.call(workspace_id, { ...request, within_ms });
    },
  };
}

/** Opens a client for external servers. */
export function openOutgoing({ trusted_hosts = [], resolve = systemResolve, ...limits }: Options = {}): Outgoing {
  const inTurn = shares();
  const all = { ...LIMITS, ...limits };
  const guarded = guardedLookup(resolve);
  /** Returns the DNS lookup for a permitted URL. */
  const admit = (url: URL): LookupFunction => {
    if (trusted_hosts.includes(hostOf(url)) && /^https?:$/.test(url.protocol)) return lookup;
    if (url.protocol !== 'https:') throw new OutgoingFailure('not_https');
    assertPublicHost(url);
    return guarded;
  };
  return {
    async call(workspace_id, request) {
      const url = parsed(request.url);
      const find = admit(url);
      // Loaded on first use: a process without calls does not need these Node modules.
      const { callOnce } = await import('./call.ts');
      const { within_ms = Infinity } = request;
      const own = { ...all, whole_ms: Math.min(all.whole_ms, within_ms) };
      const wait_ms = Math.min(PATIENCE * all.whole_ms, within_ms);
      return await inTurn(workspace_id, wait_ms, () => callOnce(url, request, find, own));
    },
  };
}
