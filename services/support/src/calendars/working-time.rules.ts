/**
 * Working time, exactly. A time is working time if its wall clock in the calendar's zone is in an interval of its local weekday
 * and its local day is no holiday. An hour that a zone repeats counts twice, and an hour that it skips does not count.
 * The working time since a fixed day is a sum of whole weeks, a part of a week and the holidays in between. So a calculation
 * costs the same for a target of hours and of years: its work grows only with the changes of the zone's offset, two a year.
 * Times and lengths are in milliseconds.
 */
import { stretchesFrom } from './zone-offsets.rules.ts';

export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
type Weekday = (typeof WEEKDAYS)[number];
type Hours = Readonly<Partial<Record<Weekday, readonly (readonly [string, string])[]>>>;

/** The working time of a week: intervals of wall-clock time by weekday, each without its end, in a zone. */
export interface WorkingHours {
  timezone: string;
  hours: Hours;
  holidays: readonly { date: string }[];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** 1970-01-04, the first Sunday: the weeks of the calculation begin on Sundays. */
const FIRST_SUNDAY = 3;
/** Chosen: a target that takes more than a century is never due. Policies with such targets are rejected when they are saved. */
const LONGEST_MS = 100 * 365.25 * DAY_MS;

/** A time of day, `24:00` included, since midnight. */
export function timeOfDay(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * HOUR_MS + minutes * MINUTE_MS;
}

/** Returns the number of elements of a sorted list that are less than a value. */
function countBelow(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the sums of the first 0, 1, 2 … values. */
function runningSums(values: readonly number[]): number[] {
  const sums = [0];
  for (const value of values) sums.push(sums.at(-1)! + value);
  return sums;
}

/** The working time of a day up to a time of day. */
const workedOf = (spans: readonly (readonly [number, number])[], until: number): number =>
  spans.reduce((sum, [opens, closes]) => sum + Math.max(0, Math.min(closes, until) - opens), 0);

/** A calendar prepared for calculations, regardless of its zone. */
class Schedule {
  readonly #days: readonly (readonly (readonly [number, number])[])[];
  /** The working time of a week before each of its days, and of the whole week. */
  readonly #week: readonly number[];
  /** The holidays as days since 1970, in their order, with the working time that the first 0, 1, 2 … of them take. */
  readonly #holidays: readonly number[];
  readonly #lost: readonly number[];

  constructor({ hours, holidays }: Pick<WorkingHours, 'hours' | 'holidays'>) {
    this.#days = WEEKDAYS.map((day) => (hours[day] ?? []).map(([from, until]) => [timeOfDay(from), timeOfDay(until)]));
    this.#week = runningSums(this.#days.map((spans) => workedOf(spans, DAY_MS)));
    const days = new Set(holidays.map(({ date }) => Date.parse(`${date}T00:00:00Z`) / DAY_MS));
    this.#holidays = [...days].toSorted((one, other) => one - other);
    this.#lost = runningSums(this.#holidays.map((day) => workedOf(this.#spansOf(day), DAY_MS)));
  }

  #spansOf(day: number) {
    return this.#days[(((day - FIRST_SUNDAY) % 7) + 7) % 7]!;
  }

  /** The working time between the first Sunday and a local time. It is negative before. */
  until(local: number): number {
    const day = Math.floor(local / DAY_MS);
    const week = Math.floor((day - FIRST_SUNDAY) / 7);
    const weekday = day - FIRST_SUNDAY - week * 7;
    const past = countBelow(this.#holidays, day);
    const today = this.#holidays[past] === day ? 0 : workedOf(this.#days[weekday]!, local - day * DAY_MS);
    return week * this.#week[7]! + this.#week[weekday]! + today - this.#lost[past]!;
  }
}

/** The schedules by the object of their hours: the tickets of a policy share one. */
const schedules = new WeakMap<Hours, { holidays: WorkingHours['holidays']; schedule: Schedule }>();

function scheduleOf({ hours, holidays }: WorkingHours): Schedule {
  const known = schedules.get(hours);
  if (known?.holidays === holidays) return known.schedule;
  const schedule = new Schedule({ hours, holidays });
  schedules.set(hours, { holidays, schedule });
  return schedule;
}

/** Returns the working time in `[from, until)`. */
export function workingTime(calendar: WorkingHours, from: number, until: number): number {
  let sum = 0;
  if (until <= from) return sum;
  const schedule = scheduleOf(calendar);
  for (const { start, end, offset } of stretchesFrom(calendar.timezone, from)) {
    if (start >= until) break;
    sum += schedule.until(Math.min(end, until) + offset) - schedule.until(start + offset);
  }
  return sum;
}

/** Returns the earliest local time up to which a schedule has an amount of working time since 1970. */
function reach(schedule: Schedule, amount: number, from: number, until: number): number {
  let [before, after] = [from, until];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (schedule.until(middle) < amount) before = middle;
    else after = middle;
  }
  return after;
}

/**
 * Returns the earliest time at which an amount has been worked since `from`. It may be the end of an interval.
 * Null if that takes more than a century.
 */
export function dueAfter(calendar: WorkingHours, from: number, length: number): number | null {
  if (length <= 0) return from;
  const schedule = scheduleOf(calendar);
  let remaining = length;
  for (const { start, end, offset } of stretchesFrom(calendar.timezone, from)) {
    if (start - from > LONGEST_MS) break;
    const before = schedule.until(start + offset);
    const worked = schedule.until(end + offset) - before;
    if (worked >= remaining) return reach(schedule, before + remaining, start + offset, end + offset) - offset;
    remaining -= worked;
  }
  return null;
}
