/** When the daily mail goes out. */
import { dayIn, daysAfter, offsetOf } from '../time-settings/wall-clock.rules.ts';

const HOUR = 7;

/** The instant at which the clocks of a zone show 07:00 on a day, at the offset that they have then. */
function morningOf(day: string, zone: string): Date {
  const wall = Date.parse(`${day}T0${HOUR}:00:00Z`);
  const about = new Date(wall - offsetOf(new Date(wall), zone));
  return new Date(wall - offsetOf(about, zone));
}

/** The first 07:00 in a zone after an instant. */
export function nextMorning(after: Date, zone: string): Date {
  const day = dayIn(after, zone);
  const today = morningOf(day, zone);
  return today > after ? today : morningOf(daysAfter(day, 1), zone);
}
