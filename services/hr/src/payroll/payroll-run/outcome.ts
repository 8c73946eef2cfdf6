/** Result for one employee in a run: a payslip, or the reason why there is none. */
import type { Component } from '../../employment/pay-computation/facts/component.ts';
import {
  type Facts,
  factsFingerprint,
  fingerprint,
  type PayInput,
} from '../../employment/pay-computation/facts/input.ts';
import { FormulaFailed } from '../../employment/pay-computation/formula/evaluate.ts';
import { payslip } from '../../employment/pay-computation/slip/payslip.ts';
import type { FieldCipher } from '@suite/field-encryption';
import { sum } from '@suite/money';
import type { LeaveTaken, PayslipParts, YearToDate } from '../payslips/payslip-seals.ts';
import { carriedOf, yearSoFar } from './carried.ts';
import { type Batch, factsOf, salariesInPeriod } from './inputs.ts';

/** Reason for a missing payslip. */
export interface PayslipFailure {
  code: 'salary_missing' | 'other_currency' | 'formula_failed';
  message: string;
}

/** Payslip to store, with the hash of its inputs, or a failure. */
export type PayslipOutcome =
  | { parts: PayslipParts; inputs_hash: string; failure?: undefined }
  | { failure: PayslipFailure; parts?: undefined };

/** Returns the leave of an employee in the period, by type. */
function leaveTaken({ taken, run }: Batch, employee_id: string): LeaveTaken[] {
  const parts = [...(taken.get(employee_id) ?? [])].flatMap(([day, those]) =>
    run.period_start <= day && day <= run.period_end ? those : [],
  );
  return [...Map.groupBy(parts, ({ leave_type_id }) => leave_type_id)]
    .map(([leave_type_id, rows]) => ({
      leave_type_id,
      name: rows[0]!.name,
      days: String(rows.reduce((all, { part }) => all + (part === 'full' ? 1 : 0.5), 0)),
      paid: rows[0]!.paid,
    }))
    .toSorted((one, other) => (one.leave_type_id < other.leave_type_id ? -1 : 1));
}

/** Returns why this run cannot pay the salary of a period, or undefined. */
function refusalOf(batch: Batch, employee_id: string): PayslipFailure | undefined {
  const { run } = batch;
  if (run.type !== 'regular') return undefined;
  const salaries = salariesInPeriod(batch, employee_id, { start: run.period_start, end: run.period_end });
  if (salaries.every(({ salary }) => salary === null))
    return { code: 'salary_missing', message: 'This employee has no salary in the period. Add a salary.' };
  const other = salaries.find(({ salary }) => salary && salary.currency !== run.currency)?.salary;
  if (!other) return undefined;
  const message = `This employee is paid in ${other.currency}, but the run pays in ${run.currency}.`;
  return { code: 'other_currency', message };
}

/** Returns the facts with the components of one-off payments, which no salary includes. */
function withPaidOnce({ components, run }: Batch, facts: Facts, codes: ReadonlySet<string>): Facts {
  const held = new Set(facts.components.map(({ code }) => code));
  const more = components.on(run.period_end).map(({ component }): Component => component);
  return {
    ...facts,
    components: [...facts.components, ...more.filter(({ code }) => codes.has(code) && !held.has(code))],
  };
}

/** Returns the totals of the year including a payslip. */
function withSlip(year: YearToDate, slip: ReturnType<typeof payslip>, currency: string): YearToDate {
  const add = (one: string, other: string) => sum([one, other], currency);
  const codes = new Set([...Object.keys(year.tax_by_code), ...Object.keys(slip.tax_by_code)]);
  return {
    gross: add(year.gross, slip.gross),
    tax: add(year.tax, slip.tax),
    net: add(year.net, slip.net),
    taxable: add(year.taxable, slip.taxable),
    tax_by_code: Object.fromEntries(
      [...codes].map((code) => [code, add(year.tax_by_code[code] ?? '0', slip.tax_by_code[code] ?? '0')]),
    ),
  };
}

/** Returns the input of an employee's payslip and its year-to-date totals. @throws FormulaFailed */
export function inputOf(batch: Batch, sealed: Pick<FieldCipher, 'open'>, employee_id: string) {
  const { run } = batch;
  const { period_start: start, period_end: end, frequency, currency, settings } = run;
  const regular = run.type === 'regular';
  const facts = factsOf(batch, employee_id, { start, end, frequency, regular, currency, settings });
  const year = yearSoFar(batch, facts, batch.paid.get(employee_id)!);
  const carried = carriedOf(batch, sealed, { employee_id, year });
  const codes = new Set(carried.one_offs.map(({ code }) => code));
  const input: PayInput = { facts: withPaidOnce(batch, facts, codes), carried };
  return { input, facts, year };
}

/** Returns a keyed hash of an input. The key prevents guessing amounts from the stored hash. */
export const inputsHash = (sealed: Pick<FieldCipher, 'index'>, input: PayInput): string =>
  sealed.index('inputs', fingerprint(input)).toString('hex');

/** Calculates the payslip of an employee. */
export function outcomeOf(batch: Batch, sealed: FieldCipher, employee_id: string): PayslipOutcome {
  const failure = refusalOf(batch, employee_id);
  if (failure) return { failure };
  try {
    const { input, facts, year } = inputOf(batch, sealed, employee_id);
    const slip = payslip(input);
    const { earnings, deductions, employer, explain, ...figures } = slip;
    const parts = {
      inputs: input,
      figures: { ...figures, leave: leaveTaken(batch, employee_id), facts_hash: factsFingerprint(facts) },
      lines: { earnings, deductions, employer },
      ytd: withSlip(year, slip, batch.run.currency),
      bank: batch.paid.get(employee_id)!.bank,
      explain,
    };
    return { parts, inputs_hash: inputsHash(sealed, input) };
  } catch (error) {
    if (error instanceof FormulaFailed) return { failure: { code: 'formula_failed', message: error.message } };
    throw error;
  }
}
