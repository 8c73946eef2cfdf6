/**
 * Exact working time. A time counts if its wall-clock time is in an interval of its weekday. Its day must not be a
 * holiday. Both use the zone of the calendar. A repeated hour counts twice, and a skipped hour does not count. The
 * working time since a fixed day is whole weeks plus a partial week, less the holidays in between. Long and short
 * targets therefore take the same time: only offset changes add work, two a year. Times and lengths are in
 * milliseconds.
 */
import { stretchesFrom } from './zone-offsets.rules.ts';

/** Weekdays by the number of JavaScript, which begins with Sunday: 1 for Monday to 7 for Sunday. */
export const WEEKDAYS = ['7', '1', '2', '3', '4', '5', '6'] as const;
type Weekday = (typeof WEEKDAYS)[number];
type Hours = Readonly<Partial<Record<Weekday, readonly (readonly [string, string])[]>>>;

/** Weekly working time: intervals of wall-clock time by weekday in a zone. The ends are exclusive. */
export interface WorkingHours {
  timezone: string;
  hours: Hours;
  holidays: readonly { date: string }[];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** 1970-01-04, the first Sunday. Weeks begin on Sundays in this calculation. */
const FIRST_SUNDAY = 3;
/** Chosen: a target of more than a century is never due. Policies with such targets are rejected when saved. */
const LONGEST_TARGET_MS = 100 * 365.25 * DAY_MS;

/** Converts a time of day, including `24:00`, to milliseconds since midnight. */
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

/** Returns the working time of a day up to a time of day. */
const workingTimeOfDay = (spans: readonly (readonly [number, number])[], until: number): number =>
  spans.reduce((sum, [opens, closes]) => sum + Math.max(0, Math.min(closes, until) - opens), 0);

/** Calendar prepared for calculations, independent of its zone. */
class Schedule {
  readonly #days: readonly (readonly (readonly [number, number])[])[];
  /** Working time of a week before each of its days, and of the whole week. */
  readonly #week: readonly number[];
  /** Sorted holidays as days since 1970, with running sums of the working time that they remove. */
  readonly #holidays: readonly number[];
  readonly #lost: readonly number[];

  constructor({ hours, holidays }: Pick<WorkingHours, 'hours' | 'holidays'>) {
    this.#days = WEEKDAYS.map((day) => (hours[day] ?? []).map(([from, until]) => [timeOfDay(from), timeOfDay(until)]));
    this.#week = runningSums(this.#days.map((spans) => workingTimeOfDay(spans, DAY_MS)));
    const days = new Set(holidays.map(({ date }) => Date.parse(`${date}T00:00:00Z`) / DAY_MS));
    this.#holidays = [...days].toSorted((one, other) => one - other);
    this.#lost = runningSums(this.#holidays.map((day) => workingTimeOfDay(this.#spansOf(day), DAY_MS)));
  }

  #spansOf(day: number) {
    return this.#days[(((day - FIRST_SUNDAY) % 7) + 7) % 7]!;
  }

  /** Returns the working time from the first Sunday to a local time. Negative for an earlier time. */
  until(local: number): number {
    const day = Math.floor(local / DAY_MS);
    const week = Math.floor((day - FIRST_SUNDAY) / 7);
    const weekday = day - FIRST_SUNDAY - week * 7;
    const past = countBelow(this.#holidays, day);
    const today = this.#holidays[past] === day ? 0 : workingTimeOfDay(this.#days[weekday]!, local - day * DAY_MS);
    return week * this.#week[7]! + this.#week[weekday]! + today - this.#lost[past]!;
  }
}

/** Schedules by their hours object, so that the tickets of a policy share one. */
const schedules = new WeakMap<Hours, { holidays: WorkingHours['holidays']; schedule: Schedule }>();

function scheduleOf({ hours, holidays }: WorkingHours): Schedule {
  const cached = schedules.get(hours);
  if (cached?.holidays === holidays) return cached.schedule;
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

/** Returns the earliest local time when a schedule reaches an amount of working time since 1970. */
function timeWhenReached(schedule: Schedule, amount: number, from: number, until: number): number {
  let [before, after] = [from, until];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (schedule.until(middle) < amount) before = middle;
    else after = middle;
  }
  return after;
}

/**
 * Returns the earliest time when an amount has been worked since `from`, possibly the end of an interval. Null if that
 * takes more than a century.
 */
export function dueAfter(calendar: WorkingHours, from: number, length: number): number | null {
  if (length <= 0) return from;
  const schedule = scheduleOf(calendar);
  let remaining = length;
  for (const { start, end, offset } of stretchesFrom(calendar.timezone, from)) {
    if (start - from > LONGEST_TARGET_MS) break;
    const before = schedule.until(start + offset);
    const worked = schedule.until(end + offset) - before;
    if (worked >= remaining)
      return timeWhenReached(schedule, before + remaining, start + offset, end + offset) - offset;
    remaining -= worked;
  }
  return null;
}
