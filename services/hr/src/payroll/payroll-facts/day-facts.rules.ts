/** Days of employees, as payroll counts them. */
import type { PayDay } from '../../employment/pay-computation/facts/days.ts';
import { scheduledMinutes } from '../../attendance/attendance-days/schedule.rules.ts';
import type { PayrollBasis, WorkDay } from '../../time/days/day.rules.ts';

/** Attendance day with the fields that change its pay. */
export interface AttendedDay {
  status: string | null;
  /** True if the status was entered manually. */
  manual: boolean;
  worked_minutes: number;
  overtime_minutes: number;
  overtime_approved: boolean | null;
}

/** Part of a day covered by approved leave. */
export interface PaidLeavePart {
  part: 'first' | 'second' | 'full';
  paid: boolean;
}

/** Terms for paying the hours of a day. */
export interface HourlyTerms {
  basis: 'monthly' | 'hourly';
  hourly_source: 'attendance' | 'projects' | null;
}

const HALVES_OF_DAY = 2;
type HalfDays = 0 | 1 | 2;
const halvesOf = (parts: readonly PaidLeavePart[]): HalfDays =>
  Math.min(
    parts.reduce((all, { part }) => all + (part === 'full' ? HALVES_OF_DAY : 1), 0),
    HALVES_OF_DAY,
  ) as HalfDays;

/**
 * Returns the halves of a working day on which an employee was absent. On a day with half a day of leave, only a
 * manually entered absence counts for the other half. If pay follows leave, this also applies to days without leave.
 */
function absentHalves({ status, manual }: AttendedDay, leave: HalfDays, basis: PayrollBasis): HalfDays {
  const counts = manual || (basis === 'attendance' && leave === 0);
  const missed = status === 'absent' ? HALVES_OF_DAY : status === 'half_day' && leave === 0 ? 1 : 0;
  return (counts ? Math.min(missed, HALVES_OF_DAY - leave) : 0) as HalfDays;
}

const holidayOf = ({ holiday }: WorkDay): PayDay['holiday'] => (holiday ? (holiday.paid ? 'paid' : 'unpaid') : 'none');

interface DayInput {
  attended: AttendedDay | undefined;
  leave: readonly PaidLeavePart[];
  /** Approved project time, in seconds. */
  project_seconds: number;
  terms: HourlyTerms | undefined;
  overtime_pay: 'approved' | 'all';
  /** Basis of the run, used if neither the employee nor the shift has one. */
  payroll_basis: PayrollBasis;
  /** Day off between days of unpaid leave, under a basis that pays days off. */
  inside_unpaid_leave: boolean;
}

/** Returns the paid overtime. Rejected overtime is never paid, even if all overtime is paid by default. */
function overtimeOf({ attended, terms, overtime_pay }: DayInput): number {
  if (!attended || terms?.hourly_source === 'projects') return 0;
  const isPaid = overtime_pay === 'all' ? attended.overtime_approved !== false : attended.overtime_approved === true;
  return isPaid ? attended.overtime_minutes : 0;
}

/** Returns the halves of a day that are unpaid leave. A rest day inside unpaid leave is unpaid, a holiday too. */
const unpaidHalves = ({ inside_unpaid_leave, leave }: DayInput): HalfDays =>
  inside_unpaid_leave ? HALVES_OF_DAY : halvesOf(leave.filter(({ paid }) => !paid));

/** Returns the scheduled minutes of a paid holiday or paid leave, which an hourly salary pays. */
function awayMinutes(day: WorkDay, input: DayInput): number {
  const { leave } = input;
  if (day.is_weekly_off || !day.terms || (day.holiday && !day.holiday.paid)) return 0;
  const scheduled = scheduledMinutes(day.terms, day.day);
  const paid = day.holiday ? HALVES_OF_DAY - unpaidHalves(input) : halvesOf(leave.filter((part) => part.paid));
  return Math.floor((scheduled * paid) / HALVES_OF_DAY);
}

/** Returns the minutes that an hourly salary pays: attendance or project time, and paid leave. Overtime is separate. */
function paidMinutes(day: WorkDay, input: DayInput): number {
  const { attended, project_seconds, terms } = input;
  if (terms?.basis !== 'hourly') return 0;
  const away = awayMinutes(day, input);
  if (terms.hourly_source === 'projects') return Math.floor(project_seconds / 60) + away;
  return (attended ? Math.max(attended.worked_minutes - attended.overtime_minutes, 0) : 0) + away;
}

/**
 * Returns a day as payroll counts it. Chosen: a day without a record is paid. Absences are entered manually or marked
 * by attendance.
 */
export function payDay(day: WorkDay, input: DayInput): PayDay {
  const { attended, leave } = input;
  const employed = day.kind !== 'not_employed';
  const basis = day.payroll_basis ?? input.payroll_basis;
  return {
    date: day.day,
    employed,
    weekly_off: day.is_weekly_off,
    holiday: holidayOf(day),
    unpaid_leave: employed ? unpaidHalves(input) : 0,
    absent: attended && day.kind === 'work' ? absentHalves(attended, halvesOf(leave), basis) : 0,
    worked_minutes: employed ? paidMinutes(day, input) : 0,
    overtime_minutes: employed ? overtimeOf(input) : 0,
  };
}

/** Maximum number of rest days between two working days. Longer rests are not searched across. */
export const REST_DAYS_MAX = 14;

/**
 * Returns the days off within unpaid leave, when the working days before and after are unpaid leave. The number of
 * leave requests does not matter.
 * @param days all days of a span, in order, with the days around it
 */
export function daysInsideUnpaidLeave(
  days: readonly WorkDay[],
  leaveOn: (day: string) => readonly PaidLeavePart[],
): Set<string> {
  const isUnpaid = (day: WorkDay | undefined, half: 'first' | 'second') =>
    day !== undefined && leaveOn(day.day).some(({ part, paid }) => !paid && (part === 'full' || part === half));
  const inside = new Set<string>();
  let [before, rest]: [WorkDay | undefined, string[]] = [undefined, []];
  for (const day of days) {
    if (day.kind === 'weekly_off' || day.kind === 'holiday') {
      rest.push(day.day);
      continue;
    }
    if (isUnpaid(before, 'second') && isUnpaid(day, 'first')) for (const one of rest) inside.add(one);
    [before, rest] = [day, []];
  }
  return inside;
}
