/** Public holidays of the demo workspace: the nationwide holidays of Germany. */
import { daysAfter, daysOf, weekdayOf } from '@suite/time-zones';
import { addHolidays } from '../time/holidays/holiday.ts';
import { leaveToday } from '../employment/leave-ledger/accounts.ts';
import { yearOf } from '../employment/leave-ledger/calendar.rules.ts';
import type { Db } from '../operations.ts';
import { ATTENDED_DAYS } from './attendance.ts';

/** Returns Easter Sunday of a year in the Gregorian calendar, by the Meeus/Jones/Butcher algorithm. */
export function easterOf(year: number): string {
  const century = Math.floor(year / 100);
  const golden = year % 19;
  const corrections = century - Math.floor(century / 4) - Math.floor((century - Math.floor((century - 17) / 25)) / 3);
  const epact = (corrections + 19 * golden + 15) % 30;
  const late = Math.floor(epact / 28) * (1 - Math.floor(29 / (epact + 1)) * Math.floor((21 - golden) / 11));
  const moon = epact - late;
  const weekday = (year + Math.floor(year / 4) + moon + 2 - century + Math.floor(century / 4)) % 7;
  return daysAfter(`${year}-03-28`, moon - weekday);
}

/** Returns the public holidays of a year. */
function publicHolidaysOf(year: number): { name: string; day: string }[] {
  const easter = easterOf(year);
  return [
    { name: "New Year's Day", day: `${year}-01-01` },
    { name: 'Good Friday', day: daysAfter(easter, -2) },
    { name: 'Easter Monday', day: daysAfter(easter, 1) },
    { name: 'Labour Day', day: `${year}-05-01` },
    { name: 'Ascension Day', day: daysAfter(easter, 39) },
    { name: 'Whit Monday', day: daysAfter(easter, 50) },
    { name: 'Day of German Unity', day: `${year}-10-03` },
    { name: 'Christmas Day', day: `${year}-12-25` },
    { name: 'Second Day of Christmas', day: `${year}-12-26` },
  ];
}

const holidays = new Map<number, ReadonlySet<string>>();

function isHoliday(day: string): boolean {
  const year = yearOf(day);
  const known = holidays.get(year) ?? new Set(publicHolidaysOf(year).map((holiday) => holiday.day));
  holidays.set(year, known);
  return known.has(day);
}

/** Checks if a span has a day on which the offices are open. Every leave has at least one such day. */
export const hasWorkingDay = (from: string, to: string): boolean =>
  daysOf(from, to).some((day) => weekdayOf(day) <= 5 && !isHoliday(day));

/** Adds the holidays of this year and the next. Adds last year's if the demo attendance begins in it. */
export async function provideHolidays(db: Db): Promise<void> {
  const calendar = await db.holidayCalendar.findFirstOrThrow({ where: { is_default: true } });
  const today = await leaveToday(db);
  const [first, last] = [yearOf(daysAfter(today, -ATTENDED_DAYS)), yearOf(today) + 1];
  const years = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const days = years.flatMap(publicHolidaysOf).map(({ name, day }) => ({ name, from: day, to: day }));
  // Demo attendance and leave are created later and include these holidays. An event would only recount them.
  await addHolidays({ db, emit: () => undefined }, calendar.id, days);
}
