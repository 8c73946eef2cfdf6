/** Periods that are closed: time in them stays as it is. */
import { daysAfter, weekdayOf } from '@suite/wall-clock';
import { fault } from '@suite/chassis';

export const PeriodLocked = fault(
  409,
  'period_locked',
  'This period is locked, so its time entries cannot be changed.',
);

/** A workspace's settings for its periods. */
export interface PeriodSettings {
  /** The last day that was locked by hand. */
  locked_through: string | null;
  lock_period: string;
  grace_days: number;
}

/**
 * The last day of the periods that have closed by themselves: a week or a month does so some days after its end.
 * Chosen: weeks begin on Monday, as ISO 8601 has them, since callers do not say how their workspace counts.
 */
function closedThrough({ lock_period, grace_days }: PeriodSettings, today: string): string | null {
  const reached = daysAfter(today, -grace_days);
  if (lock_period === 'week') return daysAfter(reached, -weekdayOf(reached));
  return lock_period === 'month' ? daysAfter(`${reached.slice(0, 8)}01`, -1) : null;
}

/** The last day that is locked, if any is. @param today in the workspace's zone */
export function lockedThrough(settings: PeriodSettings, today: string): string | null {
  const closed = closedThrough(settings, today);
  const { locked_through: locked } = settings;
  return closed === null || (locked !== null && locked > closed) ? locked : closed;
}

/** Refuses days of closed periods. @throws PeriodLocked, with the last day that is locked */
export function assertOpen(days: readonly string[], settings: PeriodSettings, today: string): void {
  const locked_through = lockedThrough(settings, today);
  if (locked_through !== null && days.some((day) => day <= locked_through)) throw PeriodLocked({ locked_through });
}
