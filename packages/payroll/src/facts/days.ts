/** The days of a period: how many are to be worked, and how many are paid. */
import { Fraction } from 'fraction.js';
import { ONE, type Rational, total, ZERO } from '../arithmetic/rational.ts';

/** The facts of a calendar day. Causes are in halves of the day, 0, 1 or 2: who has leave for one half can miss the other one. */
export interface Day {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly employed: boolean;
  /** No day of his shift. */
  readonly weekly_off: boolean;
  readonly holiday: 'none' | 'paid' | 'unpaid';
  readonly unpaid_leave: 0 | 1 | 2;
  readonly absent: 0 | 1 | 2;
  /** Paid by an hourly salary; overtime is not among it. */
  readonly worked_minutes: number;
  /** Paid as overtime. */
  readonly overtime_minutes: number;
}

export const workingDaysBases = ['weekdays_less_holidays', 'weekdays', 'calendar', 'fixed_30'] as const;
export type WorkingDaysBasis = (typeof workingDaysBases)[number];

const lastOfMonth = (date: string): number => {
  const [year = 0, month = 0] = date.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
};

/**
 * The weight of a day in a month of thirty: its 31st counts nothing, the last day of February makes up what is missing.
 * Chosen: so that a month is paid whole whatever its length, and any split of it adds up.
 */
function ofThirty(date: string): number {
  const day = Number(date.slice(8));
  if (day === 31) return 0;
  return day === lastOfMonth(date) && day < 30 ? 31 - day : 1;
}

/** How much of a working day a day is. */
function weightOf({ date, weekly_off, holiday }: Day, basis: WorkingDaysBasis): number {
  if (basis === 'calendar') return 1;
  if (basis === 'fixed_30') return ofThirty(date);
  if (weekly_off) return 0;
  // An unpaid holiday is a working day that is not paid.
  return basis === 'weekdays_less_holidays' && holiday === 'paid' ? 0 : 1;
}

/** The halves of a day that somebody missed without leave, beside those of which he has unpaid leave. */
const missedHalves = ({ unpaid_leave, absent }: Day): number => Math.min(absent, 2 - unpaid_leave);

/** The halves of a day that are not paid. Two causes of one half count once. */
function unpaidHalves(day: Day): number {
  if (!day.employed || day.holiday === 'unpaid') return 2;
  return day.unpaid_leave + missedHalves(day);
}

/** A day as it counts. */
export interface CountedDay {
  readonly day: Day;
  readonly weight: number;
  /** The part of its weight that is paid. */
  readonly paid: Rational;
}

/** The days of a period, counted. Days are in the unit of working days: 18.5. */
export interface DayCount {
  readonly days: readonly CountedDay[];
  readonly working_days: Rational;
  readonly payment_days: Rational;
  /** Not paid for unpaid leave. */
  readonly lop_days: Rational;
  readonly absent_days: Rational;
}

const halves = (weight: number, count: number): Rational => new Fraction(weight * count, 2);

/**
 * Pays the 31st of a month of thirty days where nothing else of the month is paid: who joined then has worked a day.
 * Chosen: one day and not more, so that every other split of a month still adds up.
 */
function payAtLeastTheLastDay(counted: CountedDay[]): void {
  if (counted.some(({ paid }) => !paid.equals(ZERO))) return;
  const at = counted.findIndex(({ day, weight }) => weight === 0 && unpaidHalves(day) < 2);
  const found = counted[at];
  if (found) counted[at] = { ...found, paid: halves(1, 2 - unpaidHalves(found.day)) };
}

/**
 * Counts the days of a whole period.
 * Chosen: a period in which nobody works (a week of holidays) is counted by its calendar days, so that it is paid.
 * @param days each calendar day of the period once
 */
export function countDays(days: readonly Day[], basis: WorkingDaysBasis): DayCount {
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

/** Minutes as hours, exactly. */
export const hoursOf = (minutes: number): Rational => (minutes === 0 ? ZERO : new Fraction(minutes, 60));
