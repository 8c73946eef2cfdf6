/** Instants as the clocks of a zone show them. Instants are milliseconds since 1970, days `YYYY-MM-DD`, times of day `HH:MM`. */
import { LRUCache } from 'lru-cache';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Making one costs a hundred times what formatting does. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({
  max: 500,
  memoMethod: (timeZone) => new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }),
});

/** How far the clocks of a zone are ahead of UTC at an instant, in milliseconds. @param zone an IANA name */
export function offsetAt(instant: number, zone: string): number {
  const written = formats.memo(zone).format(instant);
  const [, sign, hours, minutes, seconds = '0'] = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(written) ?? [];
  if (!sign) return 0;
  const ms = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS + Number(seconds) * 1_000;
  return sign === '-' ? -ms : ms;
}

/** The reading of the clocks of a zone at an instant: `YYYY-MM-DDTHH:MM:SS`. */
export const wallClockAt = (instant: number, zone: string): string =>
  new Date(instant + offsetAt(instant, zone)).toISOString().slice(0, 19);

/** The calendar day of an instant in a zone. */
export const dayAt = (instant: number, zone: string): string => wallClockAt(instant, zone).slice(0, 10);

/** When the clocks of a zone show a time. */
export interface Shown {
  /** The instant; the first of two where clocks are set back, and where they are set forward what they show is the time plus the gap. */
  first: number;
  /** The second of two instants, else the same. */
  last: number;
  /** `skipped`: no clock shows that time on that day. `twice`: they show it two times. */
  is: 'once' | 'skipped' | 'twice';
}

/** When the clocks of a zone show a time of a day. @param time `HH:MM`, with seconds or without */
export function whenShown(day: string, time: string, zone: string): Shown {
  const wall = Date.parse(`${day}T${time}Z`);
  // A day apart on either side lie the offsets of before and after whatever happens to the clocks on this day.
  const offsets = [offsetAt(wall - DAY_MS, zone), offsetAt(wall + DAY_MS, zone)];
  const [before, after] = offsets.map((offset) => wall - offset) as [number, number];
  const right = [before, after].filter((instant) => instant + offsetAt(instant, zone) === wall);
  if (right.length === 0) return { first: before, last: before, is: 'skipped' };
  const [first, last] = [Math.min(...right), Math.max(...right)];
  return { first, last, is: first === last ? 'once' : 'twice' };
}

/** 1 is Monday, 7 Sunday. */
export const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7;

/** The day so many days after another one. */
export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** How many days one day is after another one. */
export const daysFrom = (from: string, to: string): number =>
  (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS;

/** The days from one to another, both included; none when the second is earlier. */
export const daysOf = (from: string, to: string): string[] =>
  Array.from({ length: Math.max(0, daysFrom(from, to) + 1) }, (_, at) => daysAfter(from, at));
