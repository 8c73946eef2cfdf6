/** The announcements of a clock: that it is near its breach, and that it was breached; each once. */
import { type Clock, dueOf, figuresOf, warnAt } from './clock.rules.ts';

export type Announced = 'near_breach' | 'breached';

export interface Announcement {
  kind: Announced;
  /** When it came about, however late it is announced. */
  at: number;
}

/** The announcements of a clock that are due now. A warning whose breach is past as well is left out. */
export function dueAnnouncements(clock: Clock, before: readonly Announced[], now: number): Announcement[] {
  const { breached_at } = figuresOf(clock, now);
  if (breached_at !== null) return before.includes('breached') ? [] : [{ kind: 'breached', at: breached_at }];
  const warned = warnAt(clock);
  return warned !== null && now >= warned && !before.includes('near_breach')
    ? [{ kind: 'near_breach', at: warned }]
    : [];
}

/** The next instant at which a clock has something to announce, if nothing happens to it: what a sweep finds it by. */
export function nextMoment(clock: Clock, before: readonly Announced[]): number | null {
  if (before.includes('breached')) return null;
  if (clock.breached_at !== null) return clock.breached_at;
  const due = dueOf(clock);
  const warned = warnAt(clock);
  if (due === null) return null;
  // A promise is broken after the instant at which it is due.
  return warned !== null && warned < due && !before.includes('near_breach') ? warned : due + 1;
}

/** The columns for a ticket's clocks in lists. */
export interface SlaColumns {
  first_response_due: number | null;
  resolution_due: number | null;
  /** The least due of the running clocks, and the least instant at which one of them is warned of. */
  next_due_at: number | null;
  next_warning_at: number | null;
  /** The first breach that is known; a running clock that is late since then is known by `next_due_at`. */
  breached_at: number | null;
  paused_seconds: number;
}

const least = (moments: readonly (number | null)[]): number | null =>
  moments.reduce((first, moment) => (moment !== null && (first === null || moment < first) ? moment : first), null);

/** The columns of a ticket that follow from its clocks, after a change at an instant. */
export function columnsOf(clocks: readonly Clock[], at: number): SlaColumns {
  const dueOfLast = (target: Clock['target']) => {
    const clock = clocks.findLast((one) => one.target === target);
    return clock ? dueOf(clock) : null;
  };
  const paused = clocks
    .filter(({ target }) => target === 'resolution')
    .reduce((sum, clock) => sum + figuresOf(clock, at).paused, 0);
  return {
    first_response_due: dueOfLast('first_response'),
    resolution_due: dueOfLast('resolution'),
    next_due_at: least(clocks.map(dueOf)),
    next_warning_at: least(clocks.map(warnAt)),
    breached_at: least(clocks.map((clock) => figuresOf(clock, at).breached_at)),
    paused_seconds: Math.floor(paused / 1000),
  };
}
