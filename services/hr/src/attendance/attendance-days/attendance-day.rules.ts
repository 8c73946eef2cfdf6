/**
 * Derives an attendance day from its punches, schedule and kind of day. The rules use no database and no clock.
 */
import type { ShiftTerms, WorkDay } from '../../time/days/day.rules.ts';
import type { WorkSchedule } from './schedule.rules.ts';
import {
  endAttendanceSessions,
  MINUTE_MS,
  minuteOf,
  minutesOf,
  type Punch,
  sessionsOf,
  unpairedOf,
} from './sessions.rules.ts';

/** Delay after the window before a day without an out is closed. A later out is a late one. */
export const CLOSING_MS = 5 * MINUTE_MS;

export type AttendanceStatus =
  | 'present'
  | 'absent'
  | 'half_day'
  | 'on_leave'
  | 'holiday'
  | 'weekly_off'
  | 'work_from_home';
export type AttendanceFlag =
  | 'missing_out'
  | 'late_out'
  | 'outside_shift'
  | 'on_holiday'
  | 'auto_break'
  | 'open_break'
  | 'missing_in'
  | 'corrected'
  | 'double_source';

/** Part of a day covered by approved leave. Leave for both halves is leave for the full day. */
export type LeaveDayPart = 'none' | 'first' | 'second' | 'full';

/** Input for deriving a day. */
export interface DayFacts {
  /** Punches in order. */
  punches: readonly Punch[];
  schedule: WorkSchedule;
  terms: ShiftTerms;
  kind: WorkDay['kind'];
  leave: LeaveDayPart;
  /** True once the window and the minutes after it have passed. A session without an out then ends automatically. */
  is_over: boolean;
  /** Flags known beforehand: the day began outside its window, or was corrected. */
  given_flags: readonly AttendanceFlag[];
}

/** Derived day. Minutes are whole numbers. Times are kept as punched, seconds included. */
export interface DerivedDay {
  state: 'open' | 'closed';
  status: AttendanceStatus;
  first_in: number | null;
  last_out: number | null;
  worked_minutes: number;
  break_minutes: number;
  expected_minutes: number;
  late_minutes: number;
  early_minutes: number;
  overtime_minutes: number;
  flags: AttendanceFlag[];
}

/** Returns the status of a day. @param worked minutes; `Infinity` for an employee who is still clocked in */
function statusOf(worked: number, { terms, kind, leave, punches, is_over }: DayFacts): AttendanceStatus {
  if (leave === 'full') return 'on_leave';
  // Upcoming half-day leave counts as a half day. Afterwards the status shows if the other half was worked.
  const isToCome = punches.length === 0 && !is_over;
  const hasWorkedHalf = worked > 0 && worked >= terms.half_day_below_minutes / 2;
  if (leave !== 'none') return isToCome || hasWorkedHalf ? 'half_day' : 'on_leave';
  const isFree = kind === 'holiday' || kind === 'weekly_off';
  // Chosen: an employee is never absent on a day off, and a very short presence leaves it a day off.
  if (isFree && (punches.length === 0 || worked < Math.max(terms.absent_below_minutes, 1))) return kind;
  if (punches.length === 0 || worked < terms.absent_below_minutes) return 'absent';
  if (worked < terms.half_day_below_minutes) return 'half_day';
  return punches[0]?.work_from_home ? 'work_from_home' : 'present';
}

const isFreeDay = (kind: WorkDay['kind']): boolean => kind === 'holiday' || kind === 'weekly_off';

/** Expected part of a day: its start, its end and its minutes of work. */
interface ExpectedHours {
  start: number;
  end: number;
  minutes: number;
}

/**
 * Returns the part of a day that an employee is expected to work. Half a day of leave leaves half of the minutes: the
 * first or the last ones of the shift. The shift's break falls between the halves.
 */
export function expectedPart({
  schedule,
  terms,
  kind,
  leave,
}: Pick<DayFacts, 'schedule' | 'terms' | 'kind' | 'leave'>): ExpectedHours {
  const { start, end } = schedule;
  const whole = Math.max(0, minuteOf(end) - minuteOf(start) - terms.break_minutes);
  if (isFreeDay(kind) || leave === 'full') return { start, end, minutes: 0 };
  if (leave === 'none') return { start, end, minutes: whole };
  const morning = Math.floor(whole / 2);
  const afternoon = whole - morning;
  if (leave === 'first') return { start: end - afternoon * MINUTE_MS, end, minutes: afternoon };
  return { start, end: start + morning * MINUTE_MS, minutes: morning };
}

/**
 * Returns how many minutes late an employee came and how many minutes early they left. A day off or a full day of leave
 * has no expected time.
 */
function deviations(first: number, last: number | null, facts: DayFacts) {
  const { start, end } = expectedPart(facts);
  const { terms, kind, leave } = facts;
  if (isFreeDay(kind) || leave === 'full') return { late_minutes: 0, early_minutes: 0 };
  const late = minuteOf(first) - minuteOf(start);
  const early = last === null ? 0 : minuteOf(end) - minuteOf(last);
  return {
    late_minutes: late > terms.grace_late_minutes ? Math.max(late, 0) : 0,
    early_minutes: early > terms.grace_early_minutes ? Math.max(early, 0) : 0,
  };
}

/** Returns the minutes that an employee is expected to work on a day. */
export const expectedOn = (facts: Pick<DayFacts, 'schedule' | 'terms' | 'kind' | 'leave'>): number =>
  expectedPart(facts).minutes;

function overtimeOf(worked: number, expected: number, facts: DayFacts, is_missing: boolean): number {
  if (is_missing) return 0;
  if (isFreeDay(facts.kind)) return worked;
  const over = worked - expected;
  return over > 0 && over >= facts.terms.overtime_after_minutes ? over : 0;
}

/** Checks if a device log and the employee's own punches record the same presence. */
function isDouble(punches: readonly Punch[]): boolean {
  const sources = new Set(punches.map(({ source }) => source));
  return sources.has('device') && (sources.has('web') || sources.has('mobile'));
}

function flagsOf(
  facts: DayFacts,
  { is_missing, is_auto, is_cut, worked }: Record<'is_missing' | 'is_auto' | 'is_cut', boolean> & { worked: number },
): AttendanceFlag[] {
  const { punches, schedule, kind, given_flags } = facts;
  const lastOut = punches.findLast(({ type }) => type === 'out');
  const { is_without_in, is_without_out } = unpairedOf(punches);
  const conditions: [AttendanceFlag, boolean][] = [
    ['missing_out', is_missing || is_without_out],
    ['late_out', lastOut !== undefined && lastOut.at >= schedule.closes + CLOSING_MS],
    ['outside_shift', given_flags.includes('outside_shift')],
    ['on_holiday', kind === 'holiday' && worked > 0],
    ['auto_break', is_auto],
    ['open_break', is_cut],
    ['missing_in', is_without_in],
    ['corrected', given_flags.includes('corrected')],
    ['double_source', isDouble(punches)],
  ];
  return conditions.flatMap(([flag, holds]) => (holds ? [flag] : []));
}

/** Derives a day from its punches, in order of time. */
export function deriveDay(facts: DayFacts): DerivedDay {
  const { punches, schedule, terms, is_over } = facts;
  const break_ms = terms.break_minutes * MINUTE_MS;
  const began = sessionsOf(punches, break_ms);
  const is_going_on = began.some(({ until }) => until === null);
  const is_missing = is_going_on && is_over;
  const sessions = is_missing ? endAttendanceSessions(began, schedule.end, break_ms) : began;
  const is_open = is_going_on && !is_over;
  const { worked, taken, is_auto } = minutesOf(sessions, terms);
  const expected_minutes = expectedOn(facts);
  const first = sessions[0]?.from ?? null;
  const last = is_open ? null : (sessions.at(-1)?.until ?? null);
  const is_cut = sessions.some(({ breaks }) => breaks.some((pause) => pause.is_cut));
  return {
    state: is_open ? 'open' : 'closed',
    status: statusOf(is_open ? Number.POSITIVE_INFINITY : worked, facts),
    first_in: first,
    last_out: last,
    worked_minutes: worked,
    break_minutes: taken,
    expected_minutes,
    ...(first === null ? { late_minutes: 0, early_minutes: 0 } : deviations(first, last, facts)),
    overtime_minutes: is_open ? 0 : overtimeOf(worked, expected_minutes, facts, is_missing),
    flags: flagsOf(facts, { is_missing, is_auto, is_cut, worked }),
  };
}
