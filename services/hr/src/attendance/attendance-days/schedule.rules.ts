/**
 * Start and end of a work day, and the day that a punch belongs to. A day is the local date on which its shift begins,
 * in the shift's zone. A night shift is one day. Times are milliseconds since 1970.
 */
import { dayAt, daysAfter, localTimesAt } from '@suite/time-zones';
import type { ShiftTerms } from '../../time/days/day.rules.ts';

const MINUTE_MS = 60_000;

/** Start, end and window of a shift on a day, in milliseconds since 1970. */
export interface WorkSchedule {
  day: string;
  /** Start and end of the shift. */
  start: number;
  end: number;
  /** Punches at or after `opens` and before `closes` belong to the day. */
  opens: number;
  closes: number;
  /** Start of the next day's window. */
  next_opens: number;
}

/** Returns the shift terms on a day, or null if the employee has no shift. */
export type ShiftTermsLookup = (day: string) => ShiftTerms | null;

interface DayHours {
  start: number;
  end: number;
}

/**
 * Returns the hours of a shift on a day. A time that the clocks skip moves forward by the gap. If a time occurs twice,
 * the start is the first occurrence and the end the last. Chosen: a shift entirely within the gap lasts one minute.
 */
export function hoursOn(terms: ShiftTerms, day: string): DayHours {
  const { start, end, timezone } = terms;
  const begins = localTimesAt(day, start, timezone).first;
  const ends = localTimesAt(end <= start ? daysAfter(day, 1) : day, end, timezone).last;
  return { start: begins, end: Math.max(ends, begins + MINUTE_MS) };
}

/** Returns the minutes of work of a shift on a day. */
export function scheduledMinutes(terms: ShiftTerms, day: string): number {
  const { start, end } = hoursOn(terms, day);
  return Math.max(0, Math.floor(end / MINUTE_MS) - Math.floor(start / MINUTE_MS) - terms.break_minutes);
}

/**
 * Returns the border between the windows of two consecutive days. If the windows overlap, the border is halfway between
 * the hours.
 */
function boundaryBetween(
  before: DayHours & { late: number },
  after: DayHours & { early: number },
): { closes: number; opens: number } {
  const [closes, opens] = [before.end + before.late, after.start - after.early];
  if (closes <= opens) return { closes, opens };
  const middle = Math.floor((before.end + after.start) / 2);
  return { closes: middle, opens: middle };
}

const withWindow = (terms: ShiftTerms, day: string) => ({
  ...hoursOn(terms, day),
  early: terms.early_window_minutes * MINUTE_MS,
  late: terms.late_window_minutes * MINUTE_MS,
});

/** Returns the schedule of a day. @returns null on a day without a shift */
export function scheduleOn(termsOn: ShiftTermsLookup, day: string): WorkSchedule | null {
  const terms = termsOn(day);
  if (!terms) return null;
  const here = withWindow(terms, day);
  const [before, after] = [-1, 1].map((step) => {
    const other = daysAfter(day, step);
    // If the adjacent day has no shift, this day's shift determines where the window ends.
    return withWindow(termsOn(other) ?? terms, other);
  });
  const { opens } = boundaryBetween(before!, here);
  const { closes, opens: next_opens } = boundaryBetween(here, after!);
  return { day, start: here.start, end: here.end, opens, closes, next_opens };
}

/** Day that a punch begins, with its schedule. */
export interface PunchDay {
  schedule: WorkSchedule;
  terms: ShiftTerms;
  /** True if the punch is in no window. The day is then the calendar day. */
  outside_shift: boolean;
}

/**
 * Returns the day of a punch that begins a session: the day whose window contains it. Outside all windows it is the
 * calendar day in the shift's zone. If that day is already over, it lasts until the next window opens.
 * @returns null if the employee has no shift
 */
export function dayOfPunch(termsOn: ShiftTermsLookup, at: number, zone: string): PunchDay | null {
  const today = dayAt(at, zone);
  const near = [0, -1, 1].flatMap((step) => {
    const day = daysAfter(today, step);
    const [schedule, terms] = [scheduleOn(termsOn, day), termsOn(day)];
    return schedule && terms ? [{ schedule, terms }] : [];
  });
  const inside = near.find(({ schedule }) => schedule.opens <= at && at < schedule.closes);
  if (inside) return { ...inside, outside_shift: false };
  const own = near.find(({ terms, schedule }) => dayAt(at, terms.timezone) === schedule.day);
  if (!own) return null;
  const { schedule } = own;
  const closes = at < schedule.closes ? schedule.closes : Math.max(schedule.next_opens, at + MINUTE_MS);
  return { ...own, schedule: { ...schedule, opens: Math.min(schedule.opens, at), closes }, outside_shift: true };
}
