/** The days of somebody as payroll counts them. */
import type { Day } from '@suite/payroll';
import type { WorkDay } from '../days/day.rules.ts';

/** A day of attendance, as far as it is paid otherwise than a usual one. */
export interface AttendedDay {
  status: string | null;
  worked_minutes: number;
  overtime_minutes: number;
  overtime_approved: boolean | null;
  leave: 'none' | 'half' | 'full';
  leave_paid: boolean;
}

/** How the hours of a day are paid. */
export interface HourlyTerms {
  basis: 'monthly' | 'hourly';
  hourly_source: 'attendance' | 'projects' | null;
}

const LEAVE_HALVES = { none: 0, half: 1, full: 2 } as const;

/** Halves of a working day on which somebody was absent. Half a day of leave leaves the other half to be worked. */
function absentHalves({ status, leave }: AttendedDay): 0 | 1 | 2 {
  if (status === 'absent') return 2;
  if (leave === 'half') return status === 'on_leave' ? 1 : 0;
  return leave === 'none' && status === 'half_day' ? 1 : 0;
}

const holidayOf = ({ holiday }: WorkDay): Day['holiday'] => (holiday ? (holiday.paid ? 'paid' : 'unpaid') : 'none');

interface Given {
  attended: AttendedDay | undefined;
  /** Approved in projects. */
  project_seconds: number;
  terms: HourlyTerms | undefined;
  overtime_pay: 'approved' | 'all';
}

/** Overtime that is paid. Overtime that was refused is not, even where all of it is. */
function overtimeOf({ attended, terms, overtime_pay }: Given): number {
  if (!attended || terms?.hourly_source === 'projects') return 0;
  const isPaid = overtime_pay === 'all' ? attended.overtime_approved !== false : attended.overtime_approved === true;
  return isPaid ? attended.overtime_minutes : 0;
}

/** Minutes that an hourly salary pays: of attendance or of projects, never of both. Overtime is apart. */
function workedOf({ attended, project_seconds, terms }: Given): number {
  if (terms?.basis !== 'hourly') return 0;
  if (terms.hourly_source === 'projects') return Math.floor(project_seconds / 60);
  return attended ? Math.max(attended.worked_minutes - attended.overtime_minutes, 0) : 0;
}

/** A day as payroll counts it. Chosen: a day without a record is paid; who stays away is marked absent. */
export function payDay(day: WorkDay, given: Given): Day {
  const { attended } = given;
  const employed = day.kind !== 'not_employed';
  const isUnpaid = attended !== undefined && !attended.leave_paid;
  return {
    date: day.day,
    employed,
    weekly_off: day.is_weekly_off,
    holiday: holidayOf(day),
    unpaid_leave: employed && isUnpaid ? LEAVE_HALVES[attended.leave] : 0,
    absent: attended && day.kind === 'work' ? absentHalves(attended) : 0,
    worked_minutes: employed ? workedOf(given) : 0,
    overtime_minutes: employed ? overtimeOf(given) : 0,
  };
}
