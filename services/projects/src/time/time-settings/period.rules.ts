/** Locked periods: their time entries cannot change. */
import { daysAfter, weekdayOf } from '@suite/time-zones';
import { fault } from '@suite/chassis/faults';

export const PeriodLocked = fault(
  409,
  'period_locked',
  'This period is locked. Only approvers can change its time entries. They must enter a reason.',
);

/** Period settings of a workspace. */
export interface PeriodSettings {
  /** Last day that was locked manually. Null if there is none. */
  locked_through: string | null;
  lock_period: string;
  grace_days: number;
}

/**
 * Returns the last day of the automatically locked periods. A week or a month is locked some days after its end.
 * Chosen: weeks start on Monday (ISO 8601), because callers do not state the week start of their workspace.
 */
function closedThrough({ lock_period, grace_days }: PeriodSettings, today: string): string | null {
  const reached = daysAfter(today, -grace_days);
  if (lock_period === 'week') return daysAfter(reached, -weekdayOf(reached));
  return lock_period === 'month' ? daysAfter(`${reached.slice(0, 8)}01`, -1) : null;
}

/** Returns the last locked day, or null. @param today in the workspace's time zone */
export function lockedThrough(settings: PeriodSettings, today: string): string | null {
  const closed = closedThrough(settings, today);
  const { locked_through: locked } = settings;
  return closed === null || (locked !== null && locked > closed) ? locked : closed;
}

/** Rejects days in locked periods. @throws PeriodLocked with the last locked day */
export function assertPeriodUnlocked(days: readonly string[], settings: PeriodSettings, today: string): void {
  const locked_through = lockedThrough(settings, today);
  if (locked_through !== null && days.some((day) => day <= locked_through)) throw PeriodLocked({ locked_through });
}
