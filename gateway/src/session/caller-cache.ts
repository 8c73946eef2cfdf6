/**
 * Who is behind a credential, as platform last said. An answer is good for five seconds at most, and for less when
 * platform announces that something about it changed.
 */
import type { Caller } from '@suite/chassis/gateway';
import { LRUCache } from 'lru-cache';
import type { Session } from '../request/request-context.ts';

/** Platform's word that a credential does not count (any more). */
export const REFUSED = Symbol('refused');
export type Answer = Session | typeof REFUSED;

export interface CallerCache {
  /** The answer for a credential, or undefined when platform must be asked. */
  known(key: string): Answer | undefined;
  /** Asks platform, once for all who want to know at the same time. */
  ask(key: string, fetch: () => Promise<Answer>): Promise<Answer>;
  /** Forgets everything about a session, key, user or workspace. */
  evict(subject: Subject, id: string): void;
  clear(): void;
}

export type Subject = 'session' | 'api_key' | 'user' | 'workspace';

const LIFE_MS = 5_000;
const SWEEP_MS = 10_000;

/** The answers by their credentials, and the credentials by everything that can change about them. */
function answerBook() {
  const keysOf = new Map<string, Set<string>>();
  const answers = new LRUCache<string, Answer>({
    max: 10_000,
    ttl: LIFE_MS,
    // A stale answer is never served, but the tokens made for an unchanged caller are taken over from it.
    noDeleteOnStaleGet: true,
    dispose: (answer, key) => {
      for (const tag of tagsOf(answer)) {
        const keys = keysOf.get(tag);
        if (keys?.delete(key) && keys.size === 0) keysOf.delete(tag);
      }
    },
  });
  setInterval(() => answers.purgeStale(), SWEEP_MS).unref();

  return {
    get: (key: string) => answers.get(key),
    set(key: string, answer: Answer, start: number) {
      const before = answers.peek(key, { allowStale: true });
      if (answer !== REFUSED && before && before !== REFUSED && isSame(before.caller, answer.caller)) {
        answer.inward = before.inward;
      }
      answers.set(key, answer, { start });
      for (const tag of tagsOf(answer)) {
        const keys = keysOf.get(tag);
        if (keys) keys.add(key);
        else keysOf.set(tag, new Set([key]));
      }
    },
    deleteTagged(tag: string) {
      for (const key of [...(keysOf.get(tag) ?? [])]) answers.delete(key);
    },
    clear: () => answers.clear(),
  };
}

/** Makes the cache; answers live on the monotonic clock, counted from when the question was asked. */
export function callerCache(): CallerCache {
  const answers = answerBook();
  const flights = new Map<string, Promise<Answer>>();
  let evictions = 0;

  /** What was asked before something changed may be answered from before the change: it is not kept, nor shared on. */
  function overtake(): void {
    evictions += 1;
    flights.clear();
  }

  return {
    known: (key) => answers.get(key),
    ask(key, fetch) {
      const flight = flights.get(key);
      if (flight) return flight;
      const start = performance.now();
      const before = evictions;
      const asking = fetch()
        .then((answer) => {
          if (evictions === before) answers.set(key, answer, start);
          return answer;
        })
        .finally(() => {
          if (flights.get(key) === asking) flights.delete(key);
        });
      flights.set(key, asking);
      return asking;
    },
    evict(subject, id) {
      overtake();
      answers.deleteTagged(`${subject} ${id}`);
    },
    clear() {
      overtake();
      answers.clear();
    },
  };
}

function tagsOf(answer: Answer): string[] {
  if (answer === REFUSED) return [];
  const { caller } = answer;
  const own = caller.session_id ? `session ${caller.session_id}` : `api_key ${caller.api_key_id}`;
  return [own, `user ${caller.user_id}`, `workspace ${caller.workspace_id}`];
}

function isSame(one: Caller, other: Caller): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
