/** Announcements of an SLA timer: one when it is nearly breached, and one when it is breached. */
import { type SlaTimer, timerDueAt, timerValues, warnAt } from './timer.rules.ts';

export type AnnouncementKind = 'near_breach' | 'breached';

export interface Announcement {
  kind: AnnouncementKind;
  /** Time at which it occurred, regardless of the time of the announcement. */
  at: number;
}

/** Returns the due announcements of a timer. Excludes a warning whose breach is also due. */
export function dueAnnouncements(clock: SlaTimer, earlier: readonly AnnouncementKind[], now: number): Announcement[] {
  const { breached_at } = timerValues(clock, now);
  if (breached_at !== null) return earlier.includes('breached') ? [] : [{ kind: 'breached', at: breached_at }];
  const warning_at = warnAt(clock);
  return warning_at !== null && now >= warning_at && !earlier.includes('near_breach')
    ? [{ kind: 'near_breach', at: warning_at }]
    : [];
}

/**
 * Returns the next time at which an SLA timer has something to announce, if nothing else happens. The schedule finds
 * timers by this time.
 */
export function nextAnnouncementAt(clock: SlaTimer, earlier: readonly AnnouncementKind[]): number | null {
  if (earlier.includes('breached')) return null;
  if (clock.breached_at !== null) return clock.breached_at;
  const due = timerDueAt(clock);
  const warning_at = warnAt(clock);
  if (due === null) return null;
  // A target is breached after its due time, not at that time.
  return warning_at !== null && warning_at < due && !earlier.includes('near_breach') ? warning_at : due + 1;
}

/** Ticket columns that lists use for SLA timers. */
export interface SlaColumns {
  first_response_due: number | null;
  resolution_due: number | null;
  /** Earliest due time of the running SLA timers, and earliest time of a warning. */
  next_due_at: number | null;
  next_warning_at: number | null;
  /** First known breach. A later breach of a running timer follows from `next_due_at`. */
  breached_at: number | null;
  paused_seconds: number;
}

const earliest = (moments: readonly (number | null)[]): number | null =>
  moments.reduce((first, moment) => (moment !== null && (first === null || moment < first) ? moment : first), null);

/** Returns the columns of a ticket that depend on its SLA timers, after a change at a given time. */
export function columnsOf(clocks: readonly SlaTimer[], at: number): SlaColumns {
  const dueOfLast = (target: SlaTimer['target']) => {
    const clock = clocks.findLast((one) => one.target === target);
    return clock ? timerDueAt(clock) : null;
  };
  const paused = clocks
    .filter(({ target }) => target === 'resolution')
    .reduce((sum, clock) => sum + timerValues(clock, at).paused, 0);
  return {
    first_response_due: dueOfLast('first_response'),
    resolution_due: dueOfLast('resolution'),
    next_due_at: earliest(clocks.map(timerDueAt)),
    next_warning_at: earliest(clocks.map(warnAt)),
    breached_at: earliest(clocks.map((clock) => timerValues(clock, at).breached_at)),
    paused_seconds: Math.floor(paused / 1000),
  };
}
