/**
 * When a day of work begins and ends, and which day a tap belongs to. A day is the local date on which its shift begins, in
 * the shift's zone: a night shift is one day. Instants are milliseconds since 1970.
 */
import { dayAt, daysAfter, whenShown } from '@suite/wall-clock';
import type { ShiftTerms } from '../days/day.rules.ts';

const MINUTE_MS = 60_000;

/** The moments that the terms of a shift mean on a day. */
export interface Schedule {
  day: string;
  /** The shift's start and end. */
  start: number;
  end: number;
  /** Taps from `opens` until before `closes` belong to the day. */
  opens: number;
  closes: number;
  /** When the window of the next day opens. */
  next_opens: number;
}

/** The terms that hold on a day; none on a day on which somebody has no shift. */
export type TermsOn = (day: string) => ShiftTerms | null;

interface Hours {
  start: number;
  end: number;
}

/**
 * The hours of a shift on a day. A time that clocks skip is moved forward by the gap; of one that they show twice the start is
 * the first and the end the last. Chosen: a shift that lies in the gap as a whole has a minute.
 */
export function hoursOn(terms: ShiftTerms, day: string): Hours {
  const { start, end, timezone } = terms;
  const begins = whenShown(day, start, timezone).first;
  const ends = whenShown(end <= start ? daysAfter(day, 1) : day, end, timezone).last;
  return { start: begins, end: Math.max(ends, begins + MINUTE_MS) };
}

/** The minutes of work that a shift has on a day. */
export function scheduledMinutes(terms: ShiftTerms, day: string): number {
  const { start, end } = hoursOn(terms, day);
  return Math.max(0, Math.floor(end / MINUTE_MS) - Math.floor(start / MINUTE_MS) - terms.break_minutes);
}

/** The border between the windows of two days in a row: halfway between the hours where the windows overlap. */
function border(before: Hours & { late: number }, after: Hours & { early: number }): { closes: number; opens: number } {
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

/** The schedule of a day. @returns null on a day without a shift */
export function scheduleOn(termsOn: TermsOn, day: string): Schedule | null {
  const terms = termsOn(day);
  if (!terms) return null;
  const here = withWindow(terms, day);
  const [before, after] = [-1, 1].map((step) => {
    const other = daysAfter(day, step);
    // Without a shift on the day beside it, an employee has this one all the same, to tell where the window ends.
    return withWindow(termsOn(other) ?? terms, other);
  });
  const { opens } = border(before!, here);
  const { closes, opens: next_opens } = border(here, after!);
  return { day, start: here.start, end: here.end, opens, closes, next_opens };
}

/** The day that a tap begins, with its schedule. */
export interface TapDay {
  schedule: Schedule;
  terms: ShiftTerms;
  /** The tap lies in no window: the day is that of the calendar. */
  outside_shift: boolean;
}

/**
 * The day of a tap that begins a session: the one in whose window it lies, else its calendar day in the shift's zone, which
 * then lasts until the next window opens if its own is over.
 * @returns null where somebody has no shift
 */
export function dayOfTap(termsOn: TermsOn, at: number, zone: string): TapDay | null {
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
