/** Grants: the number of days of a leave type for an employee, and when they are granted. */
import { daysBetween, earlierOf, firstOf, laterOf, lastDayOfYear, plusDays, yearOf } from './calendar.rules.ts';

/** Policy of a leave type, in hundredths of a day. */
export interface GrantPolicy {
  days_per_year: number;
  accrual: 'upfront' | 'monthly';
  carry_forward_max: number;
  carry_expires_after_days: number | null;
  /** MM-DD; takes precedence over the number of days. */
  carry_expires_on: string | null;
  allow_negative_to: number;
  plan_ahead: boolean;
  active: boolean;
}

/** Period in which days are granted to an employee. */
export interface GrantPeriod {
  /** First day: the start of the employment, or later if no account existed before. */
  from: string;
  /** First day on which the type applies to the employee, if after joining. Earlier grants belong to another period. */
  since?: string;
  /** Last day, if known. */
  to: string | null;
  /** Rounding step for parts of a year. */
  step: number;
}

const monthFirst = (year: number, month: number): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`;

/** Rounds a fraction of two integers to an integer, half up. */
const divideRounded = (over: number, under: number): number => Math.floor((2 * over + under) / (2 * under));

/** Returns the days granted upfront for a year, in proportion to the employed days of that year. */
export function shareOfYear(
  { days_per_year }: Pick<GrantPolicy, 'days_per_year'>,
  { from, to, step }: GrantPeriod,
  year: number,
): number {
  const first = laterOf(from, firstOf(year));
  const last = earlierOf(to ?? lastDayOfYear(year), lastDayOfYear(year));
  if (first > last) return 0;
  const whole = daysBetween(firstOf(year), firstOf(year + 1));
  const employed = daysBetween(first, last) + 1;
  return employed === whole ? days_per_year : divideRounded(days_per_year * employed, whole * step) * step;
}

/** Returns the days granted by the first of a month, for months that begin during the employment. */
function shareOfMonths({ days_per_year }: GrantPolicy, { from }: GrantPeriod, year: number, month: number): number {
  const shareOfMonthCount = (months: number) => divideRounded(days_per_year * months, 12);
  let before = 0;
  while (before < 12 && monthFirst(year, before + 1) < from) before += 1;
  return shareOfMonthCount(month) - shareOfMonthCount(before);
}

/** Grant that is due on a day. */
export interface DueGrant {
  /** Part of the year, which identifies the grant: 0 for the whole year, else the month. */
  part: number;
  /** Total days of the year that must be granted by then. */
  target: number;
}

/** Returns the grant of a day, or undefined if none is due. */
export function dueOn(policy: GrantPolicy, term: GrantPeriod, day: string): DueGrant | undefined {
  if (!policy.active || day < term.from || (term.to !== null && day > term.to)) return undefined;
  const year = yearOf(day);
  if (policy.accrual === 'upfront')
    return day === laterOf(firstOf(year), term.from) ? { part: 0, target: shareOfYear(policy, term, year) } : undefined;
  if (!day.endsWith('-01')) return undefined;
  const month = Number(day.slice(5, 7));
  return { part: month, target: shareOfMonths(policy, term, year, month) };
}

/**
 * Returns the last day of days carried into a year. Chosen: without an expiry rule, carried days last until the end of
 * that year. The remainder then counts as that year's own.
 */
export function carryEnd({ carry_expires_on, carry_expires_after_days }: GrantPolicy, year: number): string {
  if (carry_expires_on) return `${firstOf(year).slice(0, 4)}-${carry_expires_on}`;
  if (carry_expires_after_days)
    return earlierOf(plusDays(firstOf(year), carry_expires_after_days - 1), lastDayOfYear(year));
  return lastDayOfYear(year);
}

/** Checks if carried days expire for good at the end of their validity. */
export const carryEnds = ({ carry_expires_on, carry_expires_after_days }: GrantPolicy): boolean =>
  carry_expires_on !== null || carry_expires_after_days !== null;
