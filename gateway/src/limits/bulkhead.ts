/** Bulkheads: so many requests run at once, so many wait, all others are refused at once. Both are shared fairly. */
import { type Consumer, type FairShare, fairShare } from './fair-share.ts';

/** A request in the bulkhead. */
export interface Place {
  isWaiting(): boolean;
  /** Makes room. The waiting request whose consumers use least runs next. */
  leave(): void;
}

export interface Bulkhead<T> {
  /** Runs a request now or queues it. @returns undefined when the queue is full @param consumers whose shares it uses */
  enter(request: T, consumers: readonly Consumer[]): Place | undefined;
  /** True when one more request could run or wait. */
  hasRoom(consumers: readonly Consumer[]): boolean;
}

interface Entered<T> extends Place {
  request: T;
  consumers: readonly Consumer[];
  state: 'waiting' | 'running' | 'left';
}

/** The request that may run next: of those whose consumers use least the one that came first. */
function nextOf<T>(waiting: readonly Entered<T>[], slots: FairShare): Entered<T> | undefined {
  let found: { entered: Entered<T>; usage: number } | undefined;
  for (const entered of waiting) {
    if (!slots.admits(entered.consumers)) continue;
    const usage = slots.usage(entered.consumers);
    if (!found || usage < found.usage) found = { entered, usage };
    if (usage === 0) break;
  }
  return found?.entered;
}

/** Makes a bulkhead. @param run is called when a request may run */
export function bulkhead<T>(
  max_running: number,
  max_waiting: number,
  run: (request: T, place: Place) => void,
): Bulkhead<T> {
  // A request that runs stands in no collection. A Map that each request enters and leaves is made anew every few of them,
  // and the old ones, once they are old enough, keep all later requests in memory until everything is collected.
  const waiting: Entered<T>[] = [];
  const slots = fairShare(max_running);
  const queue = fairShare(max_waiting);

  const start = (entered: Entered<T>) => {
    entered.state = 'running';
    slots.acquire(entered.consumers);
    run(entered.request, entered);
  };
  const wait = (entered: Entered<T>) => {
    waiting.push(entered);
    queue.acquire(entered.consumers);
  };
  const stopWaiting = (entered: Entered<T>) => {
    waiting.splice(waiting.indexOf(entered), 1);
    queue.release(entered.consumers);
  };
  const leave = (leaving: Entered<T>) => {
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
      const entered: Entered<T> = {
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
