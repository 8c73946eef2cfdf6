/** Leave that is settled with money: days that are paid out, and days that somebody owes who has left. */
import type { SettledLeave } from '../facts/input.ts';
import type { Line, Pay } from './pay.ts';
import { rational, written, ZERO } from '../arithmetic/rational.ts';
import { type Working, working } from '../formula/working.ts';

/** The names of its lines, by their codes. */
export const leaveNames = { leave_encashment: 'Leave paid out', leave_owed: 'Leave owed' } as const;

/** The weeks of a period, in which an hourly salary pays its weekly hours. */
const WEEKS = { monthly: ' * 52 / 12', fortnightly: ' * 2', weekly: '' } as const;

/** The basic salary of a whole period: `3000`, or `20 * 40 * 52 / 12`. */
function wholeText({ per_month, input }: Pay, { basis, amount, weekly_hours }: SettledLeave['salary']): string {
  if (basis === 'monthly') return `${amount}${per_month.text}`;
  return `${amount} * ${weekly_hours}${WEEKS[input.facts.period.frequency]}`;
}

/**
 * The working of days of leave.
 * Chosen: a day is paid as a day of the period that pays it is: the basic salary, as of the day of which the days are, divided by
 * the working days. What components add is not paid out.
 * Chosen: days that are owed are taken of the gross pay. They take back pay that was taxed, so contributions and tax become less
 * with them; earnings below zero are carried over as a recovery.
 */
export function leaveFigure(
  pay: Pay,
  { id, days, salary }: SettledLeave,
): { line: Omit<Line, 'amount'>; figure: Working } {
  const { working_days } = pay.count;
  const isOwed = rational(days).lt(ZERO);
  const count = rational(days).abs();
  const code = isOwed ? 'leave_owed' : 'leave_encashment';
  const figure = working(code, {
    salary: rational(salary.amount),
    ...(salary.basis === 'hourly' && { weekly_hours: rational(salary.weekly_hours) }),
    days: count,
    working_days,
  });
  const text = `${wholeText(pay, salary)} * ${written(count)} / ${written(working_days)}`;
  figure.step(`round(${isOwed ? '0 - ' : ''}${text}, ${pay.places})`);
  return { line: { code, name: leaveNames[code], taxable: true, of: id, days: written(count) }, figure };
}
