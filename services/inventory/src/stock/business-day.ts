import { invalid } from '@suite/chassis/faults';
import { today } from '@suite/chassis/runtime';

/** Returns the business date of a movement: today or the given earlier day. @throws a 422 fault for a future day */
export function businessDay(day: string | undefined, timezone: string, field: string): string {
  const now = today(timezone);
  if (day !== undefined && day > now) throw invalid(field, 'This day is in the future. Choose an earlier day.');
  return day ?? now;
}
