/** Bulkheads: so many requests run at once, so many wait, all others are refused at once. Both are shared fairly. */
import { type Consumer, fairShare } from './fair-share.ts';

export interface Bulkhead<T> {
  /** Runs a request now or queues it. @returns false when the queue is full @param consumers whose shares it uses */
  enter(request: T, consumers: readonly Consumer[]): boolean;
  /** True when one more request could run or wait. */
  hasRoom(consumers: readonly Consumer[]): boolean;
  /** Removes a request that runs or waits. The waiting request whose consumers use least runs next. */
  leave(request: T): void;
  isWaiting(request: T): boolean;
}

/** Makes a bulkhead. @param run is called when a request may run */
export function bulkhead<T>(max_running: number, max_waiting: number, run: (request: T) => void): Bulkhead<T> {
  const running = new Map<T, readonly Consumer[]>();
  const waiting = new Map<T, readonly Consumer[]>();
  const slots = fairShare(max_running);
  const queue = fairShare(max_waiting);

  const start = (request: T, consumers: readonly Consumer[]) => {
    running.set(request, consumers);
    slots.acquire(consumers);
    run(request);
  };
  const next = () => {
    let found: { request: T; consumers: readonly Consumer[]; usage: number } | undefined;
    for (const [request, consumers] of waiting) {
      if (!slots.admits(consumers)) continue;
      const usage = slots.usage(consumers);
      if (!found || usage < found.usage) found = { request, consumers, usage };
      if (usage === 0) break;
    }
    return found;
  };

  return {
    hasRoom: (consumers) => slots.admits(consumers) || queue.admits(consumers),
    isWaiting: (request) => waiting.has(request),
    enter(request, consumers) {
      if (slots.admits(consumers)) {
        start(request, consumers);
        return true;
      }
      if (!queue.admits(consumers)) return false;
      waiting.set(request, consumers);
      queue.acquire(consumers);
      return true;
    },
    leave(request) {
      const waited = waiting.get(request);
      if (waited) {
        waiting.delete(request);
        queue.release(waited);
        return;
      }
      const consumers = running.get(request);
      if (!consumers) return;
      running.delete(request);
      slots.release(consumers);
      for (let entering = next(); entering; entering = next()) {
        waiting.delete(entering.request);
        queue.release(entering.consumers);
        start(entering.request, entering.consumers);
      }
    },
  };
}
