/** Arrears: what a payslip of the past would have had by what is known today. It is never edited; the next one makes up for it. */
import type { Facts, OneOff, SettledLeave } from '../facts/input.ts';
import { leaveNames } from './leave.ts';
import type { PayLine } from './payslip.ts';
import { payslip } from './payslip.ts';
import { fixed, rational, total, ZERO } from '../arithmetic/rational.ts';
import { minorUnits } from '@suite/money';

/** A payslip of the past. @property earnings as it paid them @property settled lines of later payslips that made up for it @property leave that it settled, with what is known of it today */
export interface PastSlip {
  readonly id: string;
  readonly earnings: readonly PayLine[];
  readonly settled: readonly PayLine[];
  readonly leave: readonly SettledLeave[];
}

const sumOf = (lines: readonly PayLine[], code: string, isOwn: (line: PayLine) => boolean) =>
  total(lines.filter((line) => line.code === code && isOwn(line)).map(({ amount }) => rational(amount)));

/**
 * The differences that a payslip of the past has to what today's facts of its period give, as one-offs of the next one.
 * Chosen: earnings only, and in the order of their codes; contributions and taxes are those of the period that pays.
 * @param facts of its period, with its own settings
 * @throws FormulaFailed when a formula has no value by today's facts
 */
export function arrearsOf(past: PastSlip, facts: Facts): OneOff[] {
  const tax_year = { periods_left: 1, taxable: '0', paid: {} };
  const carried = { one_offs: [], leave: past.leave, tax_year, recoveries: [], loans: [] };
  const now = payslip({ facts, carried }).earnings;
  const places = minorUnits(facts.currency);
  // Neither what was paid once nor what made up for other payslips is computed from facts.
  const isLeave = ({ code, of_payroll_entry_id }: PayLine) =>
    Object.hasOwn(leaveNames, code) && of_payroll_entry_id === undefined;
  const isComputed = (line: PayLine) => (line.of === undefined && line.code !== 'carried_over') || isLeave(line);
  const codes = [...new Set([...now, ...past.earnings].filter(isComputed).map(({ code }) => code))].toSorted();
  return codes.flatMap((code) => {
    const [is, was] = [sumOf(now, code, isComputed), sumOf(past.earnings, code, isComputed)];
    const settled = sumOf(past.settled, code, ({ of_payroll_entry_id }) => of_payroll_entry_id === past.id);
    const amount = is.sub(was).sub(settled);
    if (amount.equals(ZERO)) return [];
    const money = (value: typeof amount) => fixed(value, places);
    const arrears = { of_payroll_entry_id: past.id, now: money(is), before: money(was), settled: money(settled) };
    return [{ id: `${past.id} ${code}`, code, amount: money(amount), arrears }];
  });
}
