/**
 * Bulkheads: limits on running and on waiting requests. Further requests are rejected immediately. Both limits are
 * shared fairly.
 */
import { type CapacityConsumer, type FairShare, fairShare } from './fair-share.ts';

/** Request in the bulkhead. */
export interface BulkheadSlot {
  isWaiting(): boolean;
  /** Frees the slot. The waiting request whose consumers have the lowest usage runs next. */
  leave(): void;
}

export interface Bulkhead<T> {
  /**
   * Runs a request now or queues it. @returns undefined if the queue is full @param consumers consumers that the
   * request counts for
   */
  enter(request: T, consumers: readonly CapacityConsumer[]): BulkheadSlot | undefined;
  /** True if one more request could run or wait. */
  hasRoom(consumers: readonly CapacityConsumer[]): boolean;
}

interface QueuedRequest<T> extends BulkheadSlot {
  request: T;
  consumers: readonly CapacityConsumer[];
  state: 'waiting' | 'running' | 'left';
}

/** Returns the next request to run: the oldest among the requests whose consumers use least. */
function nextOf<T>(waiting: readonly QueuedRequest<T>[], slots: FairShare): QueuedRequest<T> | undefined {
  let found: { entered: QueuedRequest<T>; usage: number } | undefined;
  for (const entered of waiting) {
    if (!slots.admits(entered.consumers)) continue;
    const usage = slots.usage(entered.consumers);
    if (!found || usage < found.usage) found = { entered, usage };
    if (usage === 0) break;
  }
  return found?.entered;
}

/** Creates a bulkhead. @param run called when a request can run */
export function bulkhead<T>(
  max_running: number,
  max_waiting: number,
  run: (request: T, place: BulkheadSlot) => void,
): Bulkhead<T> {
  // Running requests are in no collection. A `Map` with an entry per request is reallocated every few requests. Old
  // copies, once promoted, keep all later requests in memory until a full garbage collection.
  const waiting: QueuedRequest<T>[] = [];
  const slots = fairShare(max_running);
  const queue = fairShare(max_waiting);

  const start = (entered: QueuedRequest<T>) => {
    entered.state = 'running';
    slots.acquire(entered.consumers);
    run(entered.request, entered);
  };
  const wait = (entered: QueuedRequest<T>) => {
    waiting.push(entered);
    queue.acquire(entered.consumers);
  };
  const stopWaiting = (entered: QueuedRequest<T>) => {
    waiting.splice(waiting.indexOf(entered), 1);
    queue.release(entered.consumers);
  };
  const leave = (leaving: QueuedRequest<T>) => {
    const { state, consumers } = leaving;
    leaving.state = 'left';
    if (state === 'waiting') stopWaiting(leaving);
    if (state !== 'running') return;
    slots.release(consumers);
    for (let entering = nextOf(waiting, slots); entering; entering = nextOf(waiting, slots)) {
      stopWaiting(entering);
      start(entering);
    }
  };

  return {
    hasRoom: (consumers) => slots.admits(consumers) || queue.admits(consumers),
    enter(request, consumers) {
      const isFree = slots.admits(consumers);
      if (!isFree && !queue.admits(consumers)) return undefined;
      const entered: QueuedRequest<T> = {
        request,
        consumers,
        state: 'waiting',
        isWaiting: () => entered.state === 'waiting',
        leave: () => leave(entered),
      };
      if (isFree) start(entered);
      else wait(entered);
      return entered;
    },
  };
}
