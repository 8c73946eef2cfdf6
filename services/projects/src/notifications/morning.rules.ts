/** When the daily mail goes out. */
import { dayAt, daysAfter, whenShown } from '@suite/wall-clock';

/** The instant at which the clocks of a zone show 07:00 on a day. */
const morningOf = (day: string, zone: string): Date => new Date(whenShown(day, '07:00', zone).first);

/** The first 07:00 in a zone after an instant. */
export function nextMorning(after: Date, zone: string): Date {
  const day = dayAt(after.getTime(), zone);
  const today = morningOf(day, zone);
  return today > after ? today : morningOf(daysAfter(day, 1), zone);
}
