/** A bulkhead: so many at once inside, so many waiting, the rest turned away at once. */
export interface Places<T> {
  /** Lets somebody in, now or later; false when even the queue is full. */
  take(one: T): boolean;
  /** Somebody who was inside or waiting goes; the next one enters. */
  leave(one: T): void;
  isWaiting(one: T): boolean;
}

/** Makes the places. @param enter runs when somebody has got in */
export function places<T>(size: number, queue: number, enter: (one: T) => void): Places<T> {
  const inside = new Set<T>();
  const waiting = new Set<T>();

  return {
    isWaiting: (one) => waiting.has(one),
    take(one) {
      const free = inside.size < size;
      if (!free && waiting.size >= queue) return false;
      (free ? inside : waiting).add(one);
      if (free) enter(one);
      return true;
    },
    leave(one) {
      if (waiting.delete(one) || !inside.delete(one)) return;
      const [next] = waiting;
      if (next === undefined) return;
      waiting.delete(next);
      inside.add(next);
      enter(next);
    },
  };
}
