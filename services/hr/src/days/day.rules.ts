/**
 * Which days somebody works: by the shift, the branch and the calendar that he has on each day, whatever they are today.
 * Days are `YYYY-MM-DD`; a day is the local date on which a shift begins.
 */
import { daysOf, weekdayOf } from '@suite/wall-clock';

/** A value that holds from a day on. Of two of the same day the one with the higher `seq` holds. */
export interface Dated<Value> {
  effective_from: string;
  seq: number;
  value: Value;
}

/** The value of a day: that of the last row until then, whatever the order of rows. @returns undefined before the first one */
export function valueOn<Value>(rows: readonly Dated<Value>[], day: string): Value | undefined {
  let found: Dated<Value> | undefined;
  for (const row of rows) {
    if (row.effective_from > day) continue;
    const isLater =
      !found ||
      row.effective_from > found.effective_from ||
      (row.effective_from === found.effective_from && row.seq >= found.seq);
    if (isLater) found = row;
  }
  return found?.value;
}

/** Whether a working day without punches is paid (`leave`) or an absence (`attendance`). */
export const payrollBases = ['leave', 'attendance'] as const;
export type PayrollBasis = (typeof payrollBases)[number];

/** The terms of a shift. Minutes unless said otherwise; `start` and `end` are times on the wall clock of its zone. */
export interface ShiftTerms {
  start: string;
  end: string;
  break_minutes: number;
  grace_late: number;
  grace_early: number;
  half_day_below: number;
  absent_below: number;
  /** The weekdays on which it begins: 1 is Monday. */
  days: number[];
  timezone: string;
  early_window_minutes: number;
  late_window_minutes: number;
  break_after_minutes: number;
  overtime_after_minutes: number;
  /** Replaces the basis of the workspace. Versions from before this choice existed have none. */
  payroll_basis?: PayrollBasis | null;
}

/** A holiday of a calendar, its last day included. */
export interface CalendarHoliday {
  id: string;
  name: string;
  from: string;
  to: string;
  paid: boolean;
}

/** Facts that all people of a company share: shifts, calendars and holidays. */
export interface Company {
  /** The versions of each shift's terms. */
  shifts: ReadonlyMap<string, readonly Dated<ShiftTerms>[]>;
  /** The shift of somebody for whom none is named. */
  default_shift_id: string | null;
  /** The active calendar of each branch that has one. */
  calendar_of_branch: ReadonlyMap<string, string>;
  default_calendar_id: string | null;
  holidays: ReadonlyMap<string, readonly CalendarHoliday[]>;
  payroll_basis: PayrollBasis;
  /** When the workspace began, in milliseconds since 1970. */
  founded_at: number;
}

/** An employment. Without an `exit_date` it goes on. */
export interface Employment {
  joining_date: string;
  exit_date: string | null;
  /** When it was entered, in milliseconds since 1970. */
  recorded_at: number;
}

/** Facts that belong to one person. */
export interface Person {
  employments: readonly Employment[];
  shifts: readonly Dated<string | null>[];
  branches: readonly Dated<string | null>[];
  calendars: readonly Dated<string | null>[];
  payroll_bases: readonly Dated<PayrollBasis | null>[];
}

/** A day of somebody. */
export interface WorkDay {
  day: string;
  /** Chosen: a holiday on a weekly off is a holiday, as people say of it. Both flags are there for whoever counts otherwise. */
  kind: 'work' | 'weekly_off' | 'holiday' | 'not_employed';
  is_weekly_off: boolean;
  holiday: CalendarHoliday | null;
  shift_id: string | null;
  /** None where he has no shift: such a day is none to work on. */
  terms: ShiftTerms | null;
  calendar_id: string | null;
  /** The basis that the employee or the shift has instead of that of the workspace. */
  payroll_basis: PayrollBasis | null;
}

/** Whether somebody is employed on a day. */
export const isEmployed = (
  { employments }: { employments: readonly Pick<Employment, 'joining_date' | 'exit_date'>[] },
  day: string,
): boolean =>
  employments.some(({ joining_date, exit_date }) => joining_date <= day && (exit_date === null || day <= exit_date));

/**
 * The day whose terms count for a day. Before joining and after leaving it is the nearest day of employment: a period is
 * divided by the working days that the person has, also in the part of it in which they are not employed.
 */
function termsDay({ employments }: Pick<Person, 'employments'>, day: string): string {
  const before = employments.filter(({ joining_date }) => joining_date <= day);
  if (before.length === 0) return employments.map(({ joining_date }) => joining_date).toSorted()[0] ?? day;
  const ends = before.map(({ exit_date }) => exit_date ?? day);
  const last = ends.toSorted().at(-1)!;
  return last < day ? last : day;
}

/** The calendar of a day: his own, else that of his branch, else the default one. */
function calendarOn(company: Company, { calendars, branches }: Person, day: string): string | null {
  const branch_id = valueOn(branches, day);
  const ofBranch = branch_id ? company.calendar_of_branch.get(branch_id) : undefined;
  return valueOn(calendars, day) ?? ofBranch ?? company.default_calendar_id;
}

/** Tells one day of somebody. */
export function workDay(company: Company, person: Person, day: string): WorkDay {
  const of = termsDay(person, day);
  const shift_id = valueOn(person.shifts, of) ?? company.default_shift_id;
  const terms = (shift_id && valueOn(company.shifts.get(shift_id) ?? [], of)) || null;
  const calendar_id = calendarOn(company, person, of);
  const holidays = (calendar_id && company.holidays.get(calendar_id)) || [];
  const on = holidays.filter(({ from, to }) => from <= day && day <= to);
  // Of two holidays on one day an unpaid one takes nothing from a paid one.
  const holiday = on.find(({ paid }) => paid) ?? on[0] ?? null;
  const is_weekly_off = !terms?.days.includes(weekdayOf(day));
  const usual = holiday ? 'holiday' : is_weekly_off ? 'weekly_off' : 'work';
  return {
    day,
    kind: isEmployed(person, day) ? usual : 'not_employed',
    is_weekly_off,
    holiday,
    shift_id,
    terms,
    calendar_id,
    payroll_basis: valueOn(person.payroll_bases, of) ?? terms?.payroll_basis ?? null,
  };
}

/** Tells the days of somebody from one to another, both included. */
export const workDays = (company: Company, person: Person, from: string, to: string): WorkDay[] =>
  daysOf(from, to).map((day) => workDay(company, person, day));

/** How many of some days somebody works. */
export const countWorking = (days: readonly WorkDay[]): number => days.filter(({ kind }) => kind === 'work').length;
