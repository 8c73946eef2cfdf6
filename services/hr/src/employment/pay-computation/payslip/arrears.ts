/**
 * Arrears: the differences of a past payslip to what is known today. A payslip is never edited. The next one
 * compensates for the difference.
 */
import type { PeriodFacts, OneOff, SettledLeave } from '../facts/input.ts';
import { leaveNames } from './leave.ts';
import type { PayLine } from './payslip.ts';
import { calculatePayslip } from './payslip.ts';
import { formatFixed, rational, total, ZERO } from '../arithmetic/rational.ts';
import { minorUnits } from '@suite/money';

/**
 * A past payslip. @property earnings as paid @property settled lines of later payslips that correct this one @property
 * leave settled leave, with today's facts
 */
export interface PastPayslip {
  readonly id: string;
  readonly earnings: readonly PayLine[];
  readonly settled: readonly PayLine[];
  readonly leave: readonly SettledLeave[];
}

const sumOf = (lines: readonly PayLine[], code: string, isOwn: (line: PayLine) => boolean) =>
  total(lines.filter((line) => line.code === code && isOwn(line)).map(({ amount }) => rational(amount)));

/**
 * Returns the differences between a past payslip and the result of today's facts for its period, as one-offs of the
 * next payslip. Chosen: arrears contain earnings only, in the order of their codes. Contributions and taxes belong to
 * the period that pays.
 * @param facts facts of its period, with its own settings
 * @throws FormulaFailed if a formula has no value for today's facts
 */
export function arrearsOf(past: PastPayslip, facts: PeriodFacts): OneOff[] {
  const tax_year = { periods_left: 1, taxable: '0', paid: {} };
  const carried = { one_offs: [], leave: past.leave, tax_year, recoveries: [], loans: [] };
  const now = calculatePayslip({ facts, carried }).earnings;
  const places = minorUnits(facts.currency);
  // Excludes one-off payments and corrections of other payslips, which are not calculated from facts.
  const isLeave = ({ code, of_payroll_entry_id }: PayLine) =>
    Object.hasOwn(leaveNames, code) && of_payroll_entry_id === undefined;
  const isComputed = (line: PayLine) => (line.of === undefined && line.code !== 'carried_over') || isLeave(line);
  const codes = [...new Set([...now, ...past.earnings].filter(isComputed).map(({ code }) => code))].toSorted();
  return codes.flatMap((code) => {
    const [is, was] = [sumOf(now, code, isComputed), sumOf(past.earnings, code, isComputed)];
    const settled = sumOf(past.settled, code, ({ of_payroll_entry_id }) => of_payroll_entry_id === past.id);
    const amount = is.sub(was).sub(settled);
    if (amount.equals(ZERO)) return [];
    const money = (value: typeof amount) => formatFixed(value, places);
    const arrears = { of_payroll_entry_id: past.id, now: money(is), before: money(was), settled: money(settled) };
    return [{ id: `${past.id} ${code}`, code, amount: money(amount), arrears }];
  });
}
