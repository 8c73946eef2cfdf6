/** Attendance history of the caller. */
import { fault, invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { type Page, pageFrom } from '@suite/chassis/lists';
import { today } from '@suite/chassis/runtime';
import { daysFrom } from '@suite/time-zones';
import { attendanceDays, spanOfMonth, summaryOf } from '../attendance/calendar.ts';
import type { Db } from '../../operations.ts';
import { currentEmployee } from '../../employment/employee-users/current-employee.ts';
import type { HistoryInput } from './clocking.schema.ts';

export const RangeTooLong = fault(422, 'range_too_long', 'The period is too long. Choose at most 366 days.');

const DAYS_MAX = 366;

/** Returns the requested days: a month or a range. Defaults to the current month. @throws RangeTooLong */
export function requestedSpan(
  { month, from, to }: Pick<HistoryInput, 'month' | 'from' | 'to'>,
  present: string,
): { from: string; to: string } {
  if (month !== undefined && (from !== undefined || to !== undefined))
    throw invalid('month', 'Enter either a month or a range of days.');
  const usual = spanOfMonth(month ?? present.slice(0, 7));
  if (from === undefined && to === undefined) return usual;
  const span = { from: from ?? spanOfMonth(to!.slice(0, 7)).from, to: to ?? spanOfMonth(from!.slice(0, 7)).to };
  if (span.to < span.from) throw invalid('to', 'The last day must not be before the first day.');
  if (daysFrom(span.from, span.to) >= DAYS_MAX) throw RangeTooLong({ field: 'to' });
  return span;
}

/** Returns the caller's days, with a summary of the whole range. @throws NotAnEmployee, RangeTooLong */
export async function ownHistory(
  db: Db,
  caller: Caller,
  { status, page, per_page, ...asked }: HistoryInput,
): Promise<Page> {
  const { id } = await currentEmployee(db, caller);
  const { from, to } = requestedSpan(asked, today(caller.timezone));
  const days = await attendanceDays(db, id, from, to);
  const found = status ? days.filter((day) => day.status === status) : days;
  const history = { ...pageFrom(found, { page, per_page }), summary: summaryOf(days) };
  return history;
}
