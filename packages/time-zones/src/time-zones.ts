/**
 * Time-zone conversion, safe across DST changes. Timestamps are milliseconds since 1970, days `YYYY-MM-DD`, times of
 * day `HH:MM`.
 */
import { LRUCache } from 'lru-cache';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Cached formatters. Creating one costs a hundred times as much as formatting. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({
  max: 500,
  memoMethod: (timeZone) => new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }),
});

/** Returns the offset of a zone from UTC at a timestamp, in milliseconds. @param zone IANA name */
export function offsetAt(instant: number, zone: string): number {
  const written = formats.memo(zone).format(instant);
  const [, sign, hours, minutes, seconds = '0'] = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(written) ?? [];
  if (!sign) return 0;
  const ms = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS + Number(seconds) * 1_000;
  return sign === '-' ? -ms : ms;
}

/** Returns the local time of a zone at a timestamp: `YYYY-MM-DDTHH:MM:SS`. */
export const wallClockAt = (instant: number, zone: string): string =>
  new Date(instant + offsetAt(instant, zone)).toISOString().slice(0, 19);

/** Returns the calendar day of a timestamp in a zone. */
export const dayAt = (instant: number, zone: string): string => wallClockAt(instant, zone).slice(0, 10);

/** Returns the day and time of a timestamp in a zone for readers, such as `2026-03-10 09:30`. */
export const minuteAt = (instant: number, zone: string): string =>
  wallClockAt(instant, zone).slice(0, 16).replace('T', ' ');

/** The times at which the clocks of a zone show a local time. */
export interface LocalTimes {
  /**
   * Timestamp of the local time. If clocks are set back, the first of two. If clocks are set forward, clocks show the
   * time plus the gap.
   */
  first: number;
  /** Second of two timestamps. The same as `first` if there is only one. */
  last: number;
  /** `skipped`: the local time does not occur on that day. `twice`: it occurs two times. */
  is: 'once' | 'skipped' | 'twice';
}

/** Returns when the clocks of a zone show a local time. @param time `HH:MM`, with or without seconds */
export function localTimesAt(day: string, time: string, zone: string): LocalTimes {
  const wall = Date.parse(`${day}T${time}Z`);
  // The offsets one day before and one day after cover any clock change on this day.
  const offsets = [offsetAt(wall - DAY_MS, zone), offsetAt(wall + DAY_MS, zone)];
  const [before, after] = offsets.map((offset) => wall - offset) as [number, number];
  const right = [before, after].filter((instant) => instant + offsetAt(instant, zone) === wall);
  if (right.length === 0) return { first: before, last: before, is: 'skipped' };
  const [first, last] = [Math.min(...right), Math.max(...right)];
  return { first, last, is: first === last ? 'once' : 'twice' };
}

/** Returns the ISO weekday: 1 for Monday, 7 for Sunday. */
export const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7;

/** Adds a number of days to a date. */
export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** Returns the number of days from one day to another. */
export const daysFrom = (from: string, to: string): number =>
  (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS;

/** Returns the days of a range, both ends included. Empty if `to` is before `from`. */
export const daysOf = (from: string, to: string): string[] =>
  Array.from({ length: Math.max(0, daysFrom(from, to) + 1) }, (_, at) => daysAfter(from, at));
