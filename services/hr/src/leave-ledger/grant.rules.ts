/** Grants: how many days of a type somebody has a right to, and when they come. */
import { daysBetween, earlier, firstOf, later, lastOf, plusDays, yearOf } from './calendar.rules.ts';

/** The policy of a type of leave, in hundredths of a day. */
export interface Policy {
  days_per_year: number;
  accrual: 'upfront' | 'monthly';
  carry_forward_max: number;
  carry_expires_after_days: number | null;
  /** MM-DD; it wins over the days. */
  carry_expires_on: string | null;
  allow_negative_to: number;
  plan_ahead: boolean;
  active: boolean;
}

/** The time for which days are granted to somebody. */
export interface Term {
  /** The first day: that of the employment, or later where nobody kept an account before. */
  from: string;
  /** The day since when the type is for him, where it was not when he joined: days granted before are for another time. */
  since?: string;
  /** The last day, where it is known. */
  to: string | null;
  /** The step that shares of a year are rounded to. */
  step: number;
}

const monthFirst = (year: number, month: number): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`;

/** Half up to whole units, of a fraction of whole numbers. */
const rounded = (over: number, under: number): number => Math.floor((2 * over + under) / (2 * under));

/** Days granted at once for a year: all of them, or by the days of the year on which he is employed. */
export function shareOfYear(
  { days_per_year }: Pick<Policy, 'days_per_year'>,
  { from, to, step }: Term,
  year: number,
): number {
  const first = later(from, firstOf(year));
  const last = earlier(to ?? lastOf(year), lastOf(year));
  if (first > last) return 0;
  const whole = daysBetween(firstOf(year), firstOf(year + 1));
  const employed = daysBetween(first, last) + 1;
  return employed === whole ? days_per_year : rounded(days_per_year * employed, whole * step) * step;
}

/** Days granted by the first of a month of those months that begin while somebody is employed. */
function shareOfMonths({ days_per_year }: Policy, { from }: Term, year: number, month: number): number {
  const share = (months: number) => rounded(days_per_year * months, 12);
  let before = 0;
  while (before < 12 && monthFirst(year, before + 1) < from) before += 1;
  return share(month) - share(before);
}

/** A grant that falls due on a day. */
export interface Due {
  /** The part of the year, by which a job knows it again: 0 for all of it, else the month. */
  part: number;
  /** Days of the year that shall have been granted by then. */
  target: number;
}

/** The grant of a day, if it is one on which something is granted. */
export function dueOn(policy: Policy, term: Term, day: string): Due | undefined {
  if (!policy.active || day < term.from || (term.to !== null && day > term.to)) return undefined;
  const year = yearOf(day);
  if (policy.accrual === 'upfront')
    return day === later(firstOf(year), term.from) ? { part: 0, target: shareOfYear(policy, term, year) } : undefined;
  if (!day.endsWith('-01')) return undefined;
  const month = Number(day.slice(5, 7));
  return { part: month, target: shareOfMonths(policy, term, year, month) };
}

/**
 * The last day of what is carried into a year.
 * Chosen: without a rule it lasts as long as that year, and what is left of it then counts as that year's own.
 */
export function carryEnd({ carry_expires_on, carry_expires_after_days }: Policy, year: number): string {
  if (carry_expires_on) return `${firstOf(year).slice(0, 4)}-${carry_expires_on}`;
  if (carry_expires_after_days) return earlier(plusDays(firstOf(year), carry_expires_after_days - 1), lastOf(year));
  return lastOf(year);
}

/** Whether what is carried ends for good at the end of its window. */
export const carryEnds = ({ carry_expires_on, carry_expires_after_days }: Policy): boolean =>
  carry_expires_on !== null || carry_expires_after_days !== null;
