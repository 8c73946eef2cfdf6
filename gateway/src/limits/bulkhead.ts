/** A bulkhead: so many at once inside, so many waiting, the rest turned away at once; and nobody fills it alone. */
import { type Account, shares } from './fair-share.ts';

export interface Places<T> {
  /** Lets somebody in, now or later; false when there is no room to wait either. @param accounts whose share it takes */
  take(one: T, accounts: readonly Account[]): boolean;
  /** Whether there is room for one more, inside or to wait. */
  hasRoom(accounts: readonly Account[]): boolean;
  /** Somebody who was inside or waiting goes; who has least inside enters next. */
  leave(one: T): void;
  isWaiting(one: T): boolean;
}

/** Makes the places. @param enter runs when somebody has got in */
export function places<T>(size: number, queue: number, enter: (one: T) => void): Places<T> {
  const inside = new Map<T, readonly Account[]>();
  const waiting = new Map<T, readonly Account[]>();
  const room = shares(size);
  const queued = shares(queue);

  const letIn = (one: T, accounts: readonly Account[]) => {
    inside.set(one, accounts);
    room.take(accounts);
    enter(one);
  };
  const next = () => {
    let found: { one: T; accounts: readonly Account[]; has: number } | undefined;
    for (const [one, accounts] of waiting) {
      if (!room.admit(accounts)) continue;
      const has = room.pressure(accounts);
      if (!found || has < found.has) found = { one, accounts, has };
      if (has === 0) break;
    }
    return found;
  };

  return {
    hasRoom: (accounts) => room.admit(accounts) || queued.admit(accounts),
    isWaiting: (one) => waiting.has(one),
    take(one, accounts) {
      if (room.admit(accounts)) {
        letIn(one, accounts);
        return true;
      }
      if (!queued.admit(accounts)) return false;
      waiting.set(one, accounts);
      queued.take(accounts);
      return true;
    },
    leave(one) {
      const waited = waiting.get(one);
      if (waited) {
        waiting.delete(one);
        queued.giveBack(waited);
        return;
      }
      const accounts = inside.get(one);
      if (!accounts) return;
      inside.delete(one);
      room.giveBack(accounts);
      for (let entering = next(); entering; entering = next()) {
        waiting.delete(entering.one);
        queued.giveBack(entering.accounts);
        letIn(entering.one, entering.accounts);
      }
    },
  };
}
