import { TooManyRequests } from './fault.ts';

const RETRY_AFTER_S = 1;

/**
 * Lets so many pieces of work run at once and so many wait; more are refused at once, so that a flood of logins
 * can neither exhaust the memory nor make everybody wait.
 */
export function bounded(at_once: number, waiting: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const queue: (() => void)[] = [];
  return async (work) => {
    if (running >= at_once) {
      if (queue.length >= waiting) throw TooManyRequests({ retry_after_s: RETRY_AFTER_S });
      // The one who leaves hands its place over, so that nobody can slip in between.
      await new Promise<void>((resolve) => queue.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
