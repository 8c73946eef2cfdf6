/**
 * Work days of an employee, by their shift, branch and calendar on each day. Current values do not matter. Days are
 * `YYYY-MM-DD`. A day is the local date on which a shift begins.
 */
import { daysOf, weekdayOf } from '@suite/time-zones';

/** Value that applies from a day on. Of two values for one day, the one with the higher `seq` applies. */
export interface DatedValue<Value> {
  effective_from: string;
  seq: number;
  value: Value;
}

/**
 * Returns the value on a day, from the last row up to that day. Rows can be in any order. @returns undefined before the
 * first one
 */
export function valueOn<Value>(rows: readonly DatedValue<Value>[], day: string): Value | undefined {
  let found: DatedValue<Value> | undefined;
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

/** Pay of a working day without punches: paid (`leave`) or an unpaid absence (`attendance`). */
export const payrollBases = ['leave', 'attendance'] as const;
export type PayrollBasis = (typeof payrollBases)[number];

/** Terms of a shift. Durations are in minutes; `start` and `end` are wall-clock times in its zone. */
export interface ShiftTerms {
  start: string;
  end: string;
  break_minutes: number;
  grace_late_minutes: number;
  grace_early_minutes: number;
  half_day_below_minutes: number;
  absent_below_minutes: number;
  /** Weekdays on which the shift begins: 1 is Monday. */
  days: number[];
  timezone: string;
  early_window_minutes: number;
  late_window_minutes: number;
  break_after_minutes: number;
  overtime_after_minutes: number;
  /** Overrides the basis of the workspace. Null or missing in versions older than this field. */
  payroll_basis?: PayrollBasis | null;
}

/** Holiday of a calendar. The last day is inclusive. */
export interface CalendarHoliday {
  id: string;
  name: string;
  from: string;
  to: string;
  paid: boolean;
}

/** Workspace data shared by all employees: shifts, calendars and holidays. */
export interface WorkspaceCalendar {
  /** Versions of the terms of each shift. */
  shifts: ReadonlyMap<string, readonly DatedValue<ShiftTerms>[]>;
  /** Default shift for employees without an assigned shift. */
  default_shift_id: string | null;
  /** Active calendar of each branch that has one. */
  calendar_of_branch: ReadonlyMap<string, string>;
  default_calendar_id: string | null;
  holidays: ReadonlyMap<string, readonly CalendarHoliday[]>;
  payroll_basis: PayrollBasis;
  /** Creation time of the workspace, in milliseconds since 1970. */
  founded_at: number;
}

/** Period of employment. Without an `exit_date` it has not ended. */
export interface Employment {
  joining_date: string;
  exit_date: string | null;
  /** Creation time of the record, in milliseconds since 1970. */
  recorded_at: number;
}

/** Data of one employee. */
export interface EmployeeSchedule {
  employments: readonly Employment[];
  shifts: readonly DatedValue<string | null>[];
  branches: readonly DatedValue<string | null>[];
  calendars: readonly DatedValue<string | null>[];
  payroll_bases: readonly DatedValue<PayrollBasis | null>[];
}

/** Work day of an employee. */
export interface WorkDay {
  day: string;
  /**
   * Chosen: a holiday on a weekly off counts as a holiday. Both flags are available to callers that count differently.
   */
  kind: 'work' | 'weekly_off' | 'holiday' | 'not_employed';
  is_weekly_off: boolean;
  holiday: CalendarHoliday | null;
  shift_id: string | null;
  /** Shift terms. Null without a shift; such a day is not a working day. */
  terms: ShiftTerms | null;
  calendar_id: string | null;
  /** Basis of the employee or the shift, which overrides the workspace setting. */
  payroll_basis: PayrollBasis | null;
}

/** Checks if an employee is employed on a day. */
export const isEmployed = (
  { employments }: { employments: readonly Pick<Employment, 'joining_date' | 'exit_date'>[] },
  day: string,
): boolean =>
  employments.some(({ joining_date, exit_date }) => joining_date <= day && (exit_date === null || day <= exit_date));

/**
 * Returns the day whose terms apply to a day. Before joining and after leaving, it is the nearest day of employment. A
 * period is divided by all working days, including days without employment.
 */
function termsDay({ employments }: Pick<EmployeeSchedule, 'employments'>, day: string): string {
  const before = employments.filter(({ joining_date }) => joining_date <= day);
  if (before.length === 0) return employments.map(({ joining_date }) => joining_date).toSorted()[0] ?? day;
  const ends = before.map(({ exit_date }) => exit_date ?? day);
  const last = ends.toSorted().at(-1)!;
  return last < day ? last : day;
}

/** Returns the calendar on a day: the employee's own, else the branch's, else the default. */
function calendarOn(company: WorkspaceCalendar, { calendars, branches }: EmployeeSchedule, day: string): string | null {
  const branch_id = valueOn(branches, day);
  const ofBranch = branch_id ? company.calendar_of_branch.get(branch_id) : undefined;
  return valueOn(calendars, day) ?? ofBranch ?? company.default_calendar_id;
}

/** Returns an employee's work day for a date. */
export function workDay(company: WorkspaceCalendar, person: EmployeeSchedule, day: string): WorkDay {
  const of = termsDay(person, day);
  const shift_id = valueOn(person.shifts, of) ?? company.default_shift_id;
  const terms = (shift_id && valueOn(company.shifts.get(shift_id) ?? [], of)) || null;
  const calendar_id = calendarOn(company, person, of);
  const holidays = (calendar_id && company.holidays.get(calendar_id)) || [];
  const on = holidays.filter(({ from, to }) => from <= day && day <= to);
  // If two holidays share a day, the paid one takes precedence.
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

/** Returns an employee's work days from one day to another, inclusive. */
export const workDays = (company: WorkspaceCalendar, person: EmployeeSchedule, from: string, to: string): WorkDay[] =>
  daysOf(from, to).map((day) => workDay(company, person, day));

/** Counts the working days among some days. */
export const countWorking = (days: readonly WorkDay[]): number => days.filter(({ kind }) => kind === 'work').length;
