/** The months of which drafts are made by themselves. */
import { daysAfter } from '@suite/wall-clock';

/** Months that are made up for after a long stop. */
const MONTHS_MAX = 12;

const lastDayOf = (day: string): string => {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
};

/** The day of a month on which its draft is made; the last one where the month is too short. */
const draftDay = (month_end: string, payroll_day: number): string => {
  const day = Math.min(payroll_day, Number(month_end.slice(8)));
  return `${month_end.slice(0, 8)}${String(day).padStart(2, '0')}`;
};

/**
 * The last days of the months whose draft is due, the oldest first.
 * Chosen: the draft is of the month in which its day lies. Those before the first one were paid otherwise; what was missed after
 * that is made up for.
 * @param through the last day of the last month that was drafted; none before the first one
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
