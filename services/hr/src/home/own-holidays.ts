/** The caller's own holidays: those of the calendar that he has on each day. */
import { invalid, type Caller, today } from '@suite/chassis';
import { daysFrom, weekdayOf } from '@suite/wall-clock';
import { RangeTooLong } from '../clocking/history.ts';
import { type Company, type Person, workDays } from '../days/day.rules.ts';
import { readCompanyAndPeople } from '../days/days.ts';
import type { Db } from '../operations.ts';
import { selfOf } from '../self/self.ts';

/** A holiday of somebody, with its first and its last day. */
interface Holiday {
  id: string;
  name: string;
  from: string;
  to: string;
  paid: boolean;
  weekday: number;
}

/** The holidays among the days of somebody, each as long as it is one for him without a break. */
export function holidaysAmong(company: Company, person: Person, from: string, to: string): Holiday[] {
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

/** The holidays of an employee between two days, both included. */
export async function holidaysBetween(db: Db, employee_id: string, from: string, to: string): Promise<Holiday[]> {
  const { company, people } = await readCompanyAndPeople(db, { from, to }, [employee_id]);
  const person = people.get(employee_id);
  return person ? holidaysAmong(company, person, from, to) : [];
}

const DAYS_MAX = 366;

/** The days that are asked for: a year, this one if nothing is said, or some days. @throws RangeTooLong, a 422 that names the field */
function spanOf(
  { year, from, to }: { year?: number | undefined; from?: string | undefined; to?: string | undefined },
  present: string,
) {
  if (year !== undefined && (from ?? to) !== undefined) throw invalid('year', 'Enter either a year or days.');
  const named = String(year ?? (from ?? to ?? present).slice(0, 4)).padStart(4, '0');
  const span = { from: from ?? `${named}-01-01`, to: to ?? `${named}-12-31` };
  if (span.to < span.from) throw invalid('to', 'The last day must not be before the first day.');
  if (daysFrom(span.from, span.to) >= DAYS_MAX) throw RangeTooLong({ field: 'to' });
  return span;
}

/** The caller's own holidays. @throws NotAnEmployee, RangeTooLong */
export async function ownHolidays(db: Db, caller: Caller, asked: Parameters<typeof spanOf>[0]): Promise<Holiday[]> {
  const { id } = await selfOf(db, caller);
  const { from, to } = spanOf(asked, today(caller.timezone));
  return await holidaysBetween(db, id, from, to);
}
