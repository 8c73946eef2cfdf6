/** Instants as the clocks of a zone show them. */

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Making one costs a hundred times what formatting does; there are some hundred zones. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  formats.set(zone, made);
  return made;
}

/** How far the clocks of a zone are ahead of UTC at an instant. */
export function offsetOf(instant: Date, zone: string): number {
  const name = formatOf(zone)
    .formatToParts(instant)
    .find(({ type }) => type === 'timeZoneName')!.value;
  const [, sign, hours, minutes, seconds = '0'] = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name) ?? [];
  if (!sign) return 0;
  const ms = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS + Number(seconds) * 1_000;
  return sign === '-' ? -ms : ms;
}

/** The calendar day of an instant in a zone. */
export const dayIn = (instant: Date, zone: string): string =>
  new Date(instant.getTime() + offsetOf(instant, zone)).toISOString().slice(0, 10);

/** Monday is 1, Sunday 7. */
export const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7;

/** The day so many days after another one. */
export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** How numbers are rounded: down, up, or to the nearest, of which a tie goes down. */
export type Direction = 'down' | 'up' | 'near';

/** Rounds to a multiple of a step. */
export function roundTo(value: number, step: number, direction: Direction): number {
  const over = value % step;
  if (over === 0) return value;
  const isDown = direction === 'down' || (direction === 'near' && over * 2 <= step);
  return isDown ? value - over : value - over + step;
}

/**
 * Rounds an instant on the wall clock of a zone, at the offset that it has itself.
 * Chosen: to minutes counted from local midnight, so that steps which do not divide the hour do not depend on the zone.
 */
export function roundClock(instant: Date, zone: string, minutes: number, direction: Direction): Date {
  if (minutes === 0) return instant;
  const offset = offsetOf(instant, zone);
  const local = instant.getTime() + offset;
  const midnight = Math.floor(local / DAY_MS) * DAY_MS;
  return new Date(midnight + roundTo(local - midnight, minutes * MINUTE_MS, direction) - offset);
}
