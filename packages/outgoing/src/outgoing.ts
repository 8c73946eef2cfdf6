/**
 * Calls to servers outside, at addresses that somebody in a workspace has set. They go by https, to public addresses only
 * (judged at the very connection, at each attempt), follow no redirect, keep to limits of time and size, and are never more than
 * four at once for a workspace. Never to be awaited inside a transaction.
 */
import type { LookupFunction } from 'node:net';
import { lookup } from 'node:dns';
import { assertPublicHost, guardedLookup, hostOf, type Resolve, systemResolve } from './address.ts';
import type { CallLimits, OutgoingAnswer, OutgoingRequest } from './call.ts';
import { OutgoingFailure } from './failure.ts';

export { type FailureCode, OutgoingFailure } from './failure.ts';
export type { OutgoingAnswer, OutgoingRequest } from './call.ts';
export { breakFor, isPassing, nextAttemptIn, retryAfterOf } from './retries.ts';

/** The way to servers outside. */
export interface Outgoing {
  /** Calls once, within the share of a workspace. @throws OutgoingFailure when there is no answer */
  call(workspace_id: string, request: OutgoingRequest): Promise<OutgoingAnswer>;
}

interface Options extends Partial<CallLimits> {
  /**
   * Hosts in networks of the operator's own, as they stand in addresses: they may be called though their address is private,
   * and without TLS.
   */
  trusted_hosts?: readonly string[];
  /** Finds the addresses of hosts that are not trusted. */
  resolve?: Resolve;
}

const LIMITS: CallLimits = { connect_ms: 3_000, whole_ms: 10_000, max_bytes: 1_048_576 };
const AT_ONCE = 4;
const WAITING = 64;
/** So many calls that take as long as they may are waited for. */
const PATIENCE = 3;

/**
 * Lets so many calls of a workspace run at once; others wait in their order. Those beyond are refused, and those that have waited
 * too long: nobody knows by then whether what they were to do was begun again elsewhere.
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
    // A call that ends hands its place over, so that nobody can slip in between.
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
  // A password in an address ends up in logs; what a server is to know goes into headers.
  if (url.username || url.password) throw new OutgoingFailure('invalid_url');
  return url;
}

/** The same way, for several calls that have so much time together: what is called later fails as one that gets no answer. */
export function within(outgoing: Outgoing, ms: number): Outgoing {
  const until = performance.now() + ms;
  return {
    async call(workspace_id, request) {
      const within_ms = Math.ceil(until - performance.now());
      if (within_ms <= 0) throw new OutgoingFailure('timeout');
      return await outgoing.call(workspace_id, { ...request, within_ms });
    },
  };
}

/** Opens the way to servers outside. */
export function openOutgoing({ trusted_hosts = [], resolve = systemResolve, ...limits }: Options = {}): Outgoing {
  const inTurn = shares();
  const all = { ...LIMITS, ...limits };
  const guarded = guardedLookup(resolve);
  /** The look-up for an address that may be called. */
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
      // Loaded when it is needed: a process that calls nobody does without all that Node has for it.
      const { callOnce } = await import('./call.ts');
      const { within_ms = Infinity } = request;
      const own = { ...all, whole_ms: Math.min(all.whole_ms, within_ms) };
      const wait_ms = Math.min(PATIENCE * all.whole_ms, within_ms);
      return await inTurn(workspace_id, wait_ms, () => callOnce(url, request, find, own));
    },
  };
}
