/**
 * Caches platform's introspection of credentials for up to five seconds. A platform event about a session, key, user or
 * workspace evicts its entries earlier.
 */
import type { Caller } from '@suite/chassis/gateway';
import { LRUCache } from 'lru-cache';
import type { RequestSession } from '../request/request-context.ts';

/** Result for a credential that platform rejected. */
export const REFUSED = Symbol('refused');
/** Platform's introspection result for a credential. */
export type Introspection = RequestSession | typeof REFUSED;

export interface CallerCache {
  /** Returns the cached result for a credential. Undefined if platform must be called. */
  get(key: string): Introspection | undefined;
  /** Loads the caller from platform. Concurrent requests share one call. */
  load(key: string, introspect: () => Promise<Introspection>): Promise<Introspection>;
  /** Removes every entry about a session, key, user or workspace. */
  evict(subject: CacheSubject, id: string): void;
  clear(): void;
}

export type CacheSubject = 'session' | 'api_key' | 'user' | 'workspace';

const TTL_MS = 5_000;
const SWEEP_MS = 10_000;

/** Creates a cache by credential, with an index by session, key, user and workspace. */
function taggedCache() {
  const keysByTag = new Map<string, Set<string>>();
  const entries = new LRUCache<string, Introspection>({
    max: 10_000,
    ttl: TTL_MS,
    // A stale entry is never served, but an unchanged caller reuses its service tokens.
    noDeleteOnStaleGet: true,
    dispose: (introspection, key) => {
      for (const tag of tagsOf(introspection)) {
        const keys = keysByTag.get(tag);
        if (keys?.delete(key) && keys.size === 0) keysByTag.delete(tag);
      }
    },
  });
  setInterval(() => entries.purgeStale(), SWEEP_MS).unref();

  return {
    get: (key: string) => entries.get(key),
    set(key: string, introspection: Introspection, start: number) {
      const before = entries.peek(key, { allowStale: true });
      if (introspection !== REFUSED && before && before !== REFUSED && isSame(before.caller, introspection.caller)) {
        introspection.service_tokens = before.service_tokens;
      }
      entries.set(key, introspection, { start });
      for (const tag of tagsOf(introspection)) {
        const keys = keysByTag.get(tag);
        if (keys) keys.add(key);
        else keysByTag.set(tag, new Set([key]));
      }
    },
    deleteTagged(tag: string) {
      for (const key of Array.from(keysByTag.get(tag) ?? [])) entries.delete(key);
    },
    clear: () => entries.clear(),
  };
}

/** Creates the cache. An entry expires by the monotonic clock, counted from the start of the call to platform. */
export function callerCache(): CallerCache {
  const entries = taggedCache();
  const calls = new Map<string, Promise<Introspection>>();
  let evictions = 0;

  /** A call that began before an eviction may return old data. Its result is neither cached nor shared. */
  function discardRunningCalls(): void {
    evictions += 1;
    calls.clear();
  }

  return {
    get: (key) => entries.get(key),
    load(key, introspect) {
      const running = calls.get(key);
      if (running) return running;
      const start = performance.now();
      const before = evictions;
      const call = introspect()
        .then((introspection) => {
          if (evictions === before) entries.set(key, introspection, start);
          return introspection;
        })
        .finally(() => {
          if (calls.get(key) === call) calls.delete(key);
        });
      calls.set(key, call);
      return call;
    },
    evict(subject, id) {
      discardRunningCalls();
      entries.deleteTagged(`${subject} ${id}`);
    },
    clear() {
      discardRunningCalls();
      entries.clear();
    },
  };
}

function tagsOf(introspection: Introspection): string[] {
  if (introspection === REFUSED) return [];
  const { caller } = introspection;
  if (caller.instance) return [`user ${caller.user_id}`];
  const own = caller.session_id ? `session ${caller.session_id}` : `api_key ${caller.api_key_id}`;
  return [own, `user ${caller.user_id}`, `workspace ${caller.workspace_id}`];
}

function isSame(one: Caller, other: Caller): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
