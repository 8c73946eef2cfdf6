/** Leave that is settled with money: days to pay out, and excess days that an employee who left has to repay. */
import type { SettledLeave } from '../facts/input.ts';
import type { PayslipLine, PayBasis } from './pay.ts';
import { rational, formatNumber, ZERO } from '../arithmetic/rational.ts';
import { type Calculation, startCalculation } from '../formula/calculation.ts';

/** Names of leave lines, by code. */
export const leaveNames = { leave_encashment: 'Leave paid out', leave_owed: 'Leave owed' } as const;

/** Weeks per period, for the weekly hours of an hourly salary. */
const WEEKS = { monthly: ' * 52 / 12', fortnightly: ' * 2', weekly: '' } as const;

/** Returns the basic salary of a full period: `3000`, or `20 * 40 * 52 / 12`. */
function fullSalaryText(
  { per_month, input }: PayBasis,
  { basis, amount, weekly_hours }: SettledLeave['salary'],
): string {
  if (basis === 'monthly') return `${amount}${per_month.text}`;
  return `${amount} * ${weekly_hours}${WEEKS[input.facts.period.frequency]}`;
}

/**
 * Calculates the settlement of leave days. Chosen: a day is paid like a day of the paying period: the basic salary, as
 * of the date of the leave days, divided by the working days. Components are not paid out. Chosen: excess days are
 * deducted from the gross pay. They reverse pay that was taxed, so contributions and tax decrease. Negative earnings
 * are carried over as a recovery.
 */
export function leaveCalculation(
  pay: PayBasis,
  { id, days, salary }: SettledLeave,
): { line: Omit<PayslipLine, 'amount'>; figure: Calculation } {
  const { working_days } = pay.count;
  const isOwed = rational(days).lt(ZERO);
  const count = rational(days).abs();
  const code = isOwed ? 'leave_owed' : 'leave_encashment';
  const figure = startCalculation(code, {
    salary: rational(salary.amount),
    ...(salary.basis === 'hourly' && { weekly_hours: rational(salary.weekly_hours) }),
    days: count,
    working_days,
  });
  const text = `${fullSalaryText(pay, salary)} * ${formatNumber(count)} / ${formatNumber(working_days)}`;
  figure.step(`round(${isOwed ? '0 - ' : ''}${text}, ${pay.places})`);
  return { line: { code, name: leaveNames[code], taxable: true, of: id, days: formatNumber(count) }, figure };
}
