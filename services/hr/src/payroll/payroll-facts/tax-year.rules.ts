/** Tax year of a payment, and the number of payments remaining in it. */
import { daysAfter } from '@suite/time-zones';

/** First and last day of a tax year. */
export interface TaxYear {
  from: string;
  to: string;
}

/** Returns the tax year of a day. @param start `MM-DD` */
export function taxYearOf(day: string, start: string): TaxYear {
  const year = Number(day.slice(0, 4)) - Number(day.slice(5) < start);
  const firstDayOf = (of: number): string => `${String(of).padStart(4, '0')}-${start}`;
  return { from: firstDayOf(year), to: daysAfter(firstDayOf(year + 1), -1) };
}

/** Returns the day some months later, or the last day of a shorter month. */
export function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}

const WEEKS = { fortnightly: 14, weekly: 7 } as const;

/** Returns the remaining payments of a frequency in a tax year, including the payment of this day. */
export function paymentsLeft(pay_date: string, { to }: TaxYear, frequency: 'monthly' | keyof typeof WEEKS): number {
  if (frequency !== 'monthly')
    return Math.floor((Date.parse(to) - Date.parse(pay_date)) / 86_400_000 / WEEKS[frequency]) + 1;
  let count = 1;
  while (monthsAfter(pay_date, count) <= to) count += 1;
  return count;
}
