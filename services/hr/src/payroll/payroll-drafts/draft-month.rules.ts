/** Months that are due for an automatic draft. */
import { daysAfter } from '@suite/time-zones';

/** Maximum number of missed months to draft after long downtime. */
const MONTHS_MAX = 12;

const lastDayOf = (day: string): string => {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
};

/** Returns the draft day of a month: `payroll_day`, or the last day of a shorter month. */
const draftDay = (month_end: string, payroll_day: number): string => {
  const day = Math.min(payroll_day, Number(month_end.slice(8)));
  return `${month_end.slice(0, 8)}${String(day).padStart(2, '0')}`;
};

/**
 * Returns the last days of the months whose draft is due, oldest first. Chosen: an automatic draft covers the month in
 * which it is created.
 * Months before the first draft were paid elsewhere. Later missed months are drafted.
 * @param through last day of the last drafted month. Null before the first draft
 */
export function monthsDue(day: string, payroll_day: number, through: string | null): string[] {
  const present = lastDayOf(day);
  const months = [];
  for (let end = through === null ? present : lastDayOf(daysAfter(through, 1)); end <= present; ) {
    if (draftDay(end, payroll_day) <= day) months.push(end);
    end = lastDayOf(daysAfter(end, 1));
  }
  return months.slice(-MONTHS_MAX);
}
