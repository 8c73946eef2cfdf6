/**
 * Working time, exactly: an instant is working when its wall clock in the calendar's zone lies in an interval of its local
 * weekday, and its local day is no holiday. So an hour that a zone repeats counts twice, and one that it skips not at all.
 * Instants and lengths are in milliseconds.
 */
import { offsetAt } from '@suite/wall-clock';

export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
type Weekday = (typeof WEEKDAYS)[number];

/** When people work: intervals of wall-clock time by weekday, each without its end, in a zone. */
export interface WorkingHours {
  timezone: string;
  hours: Readonly<Partial<Record<Weekday, readonly (readonly [string, string])[]>>>;
  holidays: readonly { date: string }[];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/**
 * The days that a calculation examines. Chosen: five years. A target that a sparse calendar does not reach by then is due after so
 * many days. The offsets of these days fit into the memory of offsets, so that a calculation takes less than a millisecond.
 */
const HORIZON_DAYS = 1_830;

/** A time of day, `24:00` included, since midnight. */
export function timeOfDay(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * HOUR_MS + minutes * MINUTE_MS;
}

/** Remembers what a key leads to; everything is forgotten when that becomes too much. */
function remembering<Value>(most: number, make: (key: string) => Value): (key: string) => Value {
  const known = new Map<string, Value>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    if (known.size >= most) known.clear();
    const value = make(key);
    known.set(key, value);
    return value;
  };
}

/** The offset at the beginning of a UTC day. */
const offsetOfDay = remembering(20_000, (key) => {
  const [zone = '', day] = key.split(' ');
  return offsetAt(Number(day) * DAY_MS, zone);
});

/** The first second of `(from, until]` at which the offset is no longer what it was at `from`. */
function changeBetween(zone: string, from: number, until: number, offset: number): number {
  let [before, after] = [from / 1000, until / 1000];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(middle * 1000, zone) === offset) before = middle;
    else after = middle;
  }
  return after * 1000;
}

interface Stretch {
  start: number;
  end: number;
  offset: number;
}

/** A UTC day as stretches in which the wall clock runs evenly: one, or two where it is set forward or back. */
function stretchesOf(zone: string, day: number): Stretch[] {
  const [start, end] = [day * DAY_MS, (day + 1) * DAY_MS];
  const [offset, next] = [offsetOfDay(`${zone} ${day}`), offsetOfDay(`${zone} ${day + 1}`)];
  if (offset === next) return [{ start, end, offset }];
  const change = changeBetween(zone, start, end, offset);
  const first = { start, end: change, offset };
  return change < end ? [first, { start: change, end, offset: next }] : [first];
}

/** The spans of working time in which nothing else lies, from an instant on, in their order. */
function* workingSpans({ timezone, hours, holidays }: WorkingHours, from: number): Generator<[number, number]> {
  const spans = WEEKDAYS.map((weekday) =>
    (hours[weekday] ?? []).map((span) => span.map(timeOfDay) as [number, number]),
  );
  for (const weekday of spans) weekday.sort(([one], [other]) => one - other);
  const free = new Set(holidays.map(({ date }) => Date.parse(`${date}T00:00:00Z`) / DAY_MS));
  const first = Math.floor(from / DAY_MS);
  for (let utcDay = first; utcDay < first + HORIZON_DAYS; utcDay += 1) {
    for (const { start, end, offset } of stretchesOf(timezone, utcDay)) {
      for (let day = Math.floor((start + offset) / DAY_MS); day * DAY_MS - offset < end; day += 1) {
        if (free.has(day)) continue;
        for (const [opens, closes] of spans[(((day + 4) % 7) + 7) % 7]!) {
          const midnight = day * DAY_MS - offset;
          const span: [number, number] = [Math.max(start, from, midnight + opens), Math.min(end, midnight + closes)];
          if (span[0] < span[1]) yield span;
        }
      }
    }
  }
}

/** The working time in `[from, until)`. */
export function workingTime(calendar: WorkingHours, from: number, until: number): number {
  let sum = 0;
  if (until <= from) return sum;
  for (const [opens, closes] of workingSpans(calendar, from)) {
    if (opens >= until) break;
    sum += Math.min(closes, until) - opens;
  }
  return sum;
}

/** The earliest instant at which so much has been worked since `from`: it may be the end of an interval. */
export function dueAfter(calendar: WorkingHours, from: number, length: number): number {
  let left = length;
  if (left <= 0) return from;
  for (const [opens, closes] of workingSpans(calendar, from)) {
    if (closes - opens >= left) return opens + left;
    left -= closes - opens;
  }
  return from + HORIZON_DAYS * DAY_MS;
}
