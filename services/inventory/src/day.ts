import { invalid, today } from '@suite/chassis';

/** The day that goods move on: today, or an earlier one that is named. @throws a 422 for a day that has not come yet */
export function businessDay(day: string | undefined, timezone: string, field: string): string {
  const now = today(timezone);
  if (day !== undefined && day > now) throw invalid(field, 'This day is in the future.');
  return day ?? now;
}
