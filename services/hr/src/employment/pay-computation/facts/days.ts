/** Working days and payment days of a period. */
import { Fraction } from 'fraction.js';
import { ONE, type Rational, total, ZERO } from '../arithmetic/rational.ts';

/**
 * The facts of a calendar day. Causes count in half days: 0, 1 or 2. An employee with leave for one half can be absent
 * for the other.
 */
export interface PayDay {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly employed: boolean;
  /** Not a day of the employee's shift. */
  readonly weekly_off: boolean;
  readonly holiday: 'none' | 'paid' | 'unpaid';
  readonly unpaid_leave: 0 | 1 | 2;
  readonly absent: 0 | 1 | 2;
  /** Minutes paid by an hourly salary, without overtime. */
  readonly worked_minutes: number;
  /** Minutes paid as overtime. */
  readonly overtime_minutes: number;
}

export const workingDaysBases = ['weekdays_less_holidays', 'weekdays', 'calendar', 'fixed_30'] as const;
export type WorkingDaysBasis = (typeof workingDaysBases)[number];

const lastOfMonth = (date: string): number => {
  const [year = 0, month = 0] = date.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
};

/**
 * Returns the weight of a day in a month of thirty days. The 31st has no weight, and the last day of February fills the
 * gap. Chosen: a month of any length is paid in full, and any split of a month adds up.
 */
function weightOfThirty(date: string): number {
  const day = Number(date.slice(8));
  if (day === 31) return 0;
  return day === lastOfMonth(date) && day < 30 ? 31 - day : 1;
}

/** Returns the fraction of a working day that a day counts. */
function weightOf({ date, weekly_off, holiday }: PayDay, basis: WorkingDaysBasis): number {
  if (basis === 'calendar') return 1;
  if (basis === 'fixed_30') return weightOfThirty(date);
  if (weekly_off) return 0;
  // An unpaid holiday counts as an unpaid working day.
  return basis === 'weekdays_less_holidays' && holiday === 'paid' ? 0 : 1;
}

/** Returns the half days that an employee missed without leave, in addition to their unpaid leave. */
const missedHalves = ({ unpaid_leave, absent }: PayDay): number => Math.min(absent, 2 - unpaid_leave);

/** Returns the number of unpaid halves of a day. Two causes for one half count once. */
function unpaidHalves(day: PayDay): number {
  if (!day.employed || day.holiday === 'unpaid') return 2;
  return day.unpaid_leave + missedHalves(day);
}

/** A day with its weight in the period. */
export interface CountedPayDay {
  readonly day: PayDay;
  readonly weight: number;
  /** Paid part of the weight. */
  readonly paid: Rational;
}

/** The day counts of a period, in working days, such as 18.5. */
export interface DayCount {
  readonly days: readonly CountedPayDay[];
  readonly working_days: Rational;
  readonly payment_days: Rational;
  /** Days unpaid because of unpaid leave. */
  readonly lop_days: Rational;
  readonly absent_days: Rational;
}

const halves = (weight: number, count: number): Rational => new Fraction(weight * count, 2);

/**
 * Pays the 31st in a thirty-day calculation if no other day of the month is paid: an employee who joined then has
 * worked a day. Chosen: an employee is paid for at least one day, so that every other split of a month still adds up.
 */
function payAtLeastTheLastDay(counted: CountedPayDay[]): void {
  if (counted.some(({ paid }) => !paid.equals(ZERO))) return;
  const at = counted.findIndex(({ day, weight }) => weight === 0 && unpaidHalves(day) < 2);
  const found = counted[at];
  if (found) counted[at] = { ...found, paid: halves(1, 2 - unpaidHalves(found.day)) };
}

/**
 * Counts the days of a whole period. Chosen: a period without working days (a week of holidays) is counted by its
 * calendar days, so that it is paid.
 * @param days each calendar day of the period once
 */
export function countDays(days: readonly PayDay[], basis: WorkingDaysBasis): DayCount {
  const weights = days.map((day) => weightOf(day, basis));
  const isEmpty = weights.every((weight) => weight === 0);
  const counted = days.map((day, at) => {
    const weight = isEmpty ? 1 : weights[at]!;
    return { day, weight, paid: halves(weight, 2 - unpaidHalves(day)) };
  });
  if (basis === 'fixed_30') payAtLeastTheLastDay(counted);
  const employed = counted.filter(({ day }) => day.employed && day.holiday !== 'unpaid');
  return {
    days: counted,
    working_days: total(counted.map(({ weight }) => ONE.mul(weight))),
    payment_days: total(counted.map(({ paid }) => paid)),
    lop_days: total(employed.map(({ day, weight }) => halves(weight, day.unpaid_leave))),
    absent_days: total(employed.map(({ day, weight }) => halves(weight, missedHalves(day)))),
  };
}

/** Converts minutes to hours, exactly. */
export const hoursOfMinutes = (minutes: number): Rational => (minutes === 0 ? ZERO : new Fraction(minutes, 60));
