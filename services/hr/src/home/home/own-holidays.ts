/** Holidays of the caller, from their calendar on each day. */
import { invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { today } from '@suite/chassis/runtime';
import { daysFrom, weekdayOf } from '@suite/time-zones';
import { RangeTooLong } from '../../attendance/clocking/history.ts';
import { type WorkspaceCalendar, type EmployeeSchedule, workDays } from '../../time/days/day.rules.ts';
import { readCompanyAndPeople } from '../../time/days/days.ts';
import type { Db } from '../../operations.ts';
import { currentEmployee } from '../../employment/employee-users/current-employee.ts';

/** Holiday of an employee with its first and last day. */
interface Holiday {
  id: string;
  name: string;
  from: string;
  to: string;
  paid: boolean;
  weekday: number;
}

/** Returns the holidays among an employee's work days, each as one uninterrupted span. */
export function holidaysAmong(
  company: WorkspaceCalendar,
  person: EmployeeSchedule,
  from: string,
  to: string,
): Holiday[] {
  const found: Holiday[] = [];
  for (const { day, kind, holiday } of workDays(company, person, from, to)) {
    if (kind !== 'holiday' || !holiday) continue;
    const last = found.at(-1);
    if (last?.id === holiday.id && daysFrom(last.to, day) === 1) last.to = day;
    else {
      const { id, name, paid } = holiday;
      found.push({ id, name, from: day, to: day, paid, weekday: weekdayOf(day) });
    }
  }
  return found;
}

/** Returns the holidays of an employee between two days, both inclusive. */
export async function holidaysBetween(db: Db, employee_id: string, from: string, to: string): Promise<Holiday[]> {
  const { company, people } = await readCompanyAndPeople(db, { from, to }, [employee_id]);
  const person = people.get(employee_id);
  return person ? holidaysAmong(company, person, from, to) : [];
}

const DAYS_MAX = 366;

/**
 * Returns the requested days: a year or a range. Defaults to the current year. @throws RangeTooLong, a 422 that names
 * the field
 */
function spanOf(
  { year, from, to }: { year?: number | undefined; from?: string | undefined; to?: string | undefined },
  present: string,
) {
  if (year !== undefined && (from ?? to) !== undefined)
    throw invalid('year', 'Enter either a year or a range of days.');
  const requestedYear = String(year ?? (from ?? to ?? present).slice(0, 4)).padStart(4, '0');
  const span = { from: from ?? `${requestedYear}-01-01`, to: to ?? `${requestedYear}-12-31` };
  if (span.to < span.from) throw invalid('to', 'The last day must not be before the first day.');
  if (daysFrom(span.from, span.to) >= DAYS_MAX) throw RangeTooLong({ field: 'to' });
  return span;
}

/** Returns the caller's own holidays. @throws NotAnEmployee, RangeTooLong */
export async function ownHolidays(db: Db, caller: Caller, request: Parameters<typeof spanOf>[0]): Promise<Holiday[]> {
  const { id } = await currentEmployee(db, caller);
  const { from, to } = spanOf(request, today(caller.timezone));
  return await holidaysBetween(db, id, from, to);
}
