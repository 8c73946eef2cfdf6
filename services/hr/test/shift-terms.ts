/** Shift terms for tests of rules. */
import type { ShiftTerms } from '../src/time/days/day.rules.ts';

/**
 * Returns a shift on all seven days, without grace, with a break of 30 minutes after 6 hours. Overtime counts from 15
 * minutes. Less than 4 hours is half a day, and less than 2 hours an absence.
 */
export const terms = (start: string, end: string, timezone: string, more: Partial<ShiftTerms> = {}): ShiftTerms => ({
  start,
  end,
  timezone,
  break_minutes: 30,
  grace_late_minutes: 0,
  grace_early_minutes: 0,
  half_day_below_minutes: 240,
  absent_below_minutes: 120,
  days: [1, 2, 3, 4, 5, 6, 7],
  early_window_minutes: 120,
  late_window_minutes: 240,
  break_after_minutes: 360,
  overtime_after_minutes: 15,
  ...more,
});

/** Night shift in Berlin, 22:00 to 06:00. */
export const berlin = terms('22:00', '06:00', 'Europe/Berlin');
