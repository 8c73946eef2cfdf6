/** Sending time of the daily e-mail. */
import { dayAt, daysAfter, localTimesAt } from '@suite/time-zones';

/** Returns the time when the clocks of a zone show 07:00 on a day. */
const morningOf = (day: string, zone: string): Date => new Date(localTimesAt(day, '07:00', zone).first);

/** Returns the first 07:00 in a zone after a given time. */
export function nextMorning(after: Date, zone: string): Date {
  const day = dayAt(after.getTime(), zone);
  const today = morningOf(day, zone);
  return today > after ? today : morningOf(daysAfter(day, 1), zone);
}
