/** Result for one employee in a run: a payslip, or the reason why there is none. */
import type { PayComponent } from '../../employment/pay-computation/facts/component.ts';
import {
  type PeriodFacts,
  factsFingerprint,
  fingerprint,
  type PayInput,
} from '../../employment/pay-computation/facts/input.ts';
import { FormulaFailed } from '../../employment/pay-computation/formula/evaluate.ts';
import { calculatePayslip } from '../../employment/pay-computation/payslip/payslip.ts';
import type { FieldCipher } from '@suite/field-encryption';
import { sum } from '@suite/money';
import type { LeaveUsage, PayslipParts, YearToDate } from '../payslips/payslip-encryption.ts';
import { carriedPayOf, yearSoFar } from './carried-pay.ts';
import { type BatchInputs, factsOf, salariesInPeriod } from './inputs.ts';

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
function leaveTaken({ taken, run }: BatchInputs, employee_id: string): LeaveUsage[] {
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
function failureOf(batch: BatchInputs, employee_id: string): PayslipFailure | undefined {
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
function addOneOffComponents(
  { components, run }: BatchInputs,
  facts: PeriodFacts,
  codes: ReadonlySet<string>,
): PeriodFacts {
  const assignedCodes = new Set(facts.components.map(({ code }) => code));
  const more = components.on(run.period_end).map(({ component }): PayComponent => component);
  return {
    ...facts,
    components: [...facts.components, ...more.filter(({ code }) => codes.has(code) && !assignedCodes.has(code))],
  };
}

/** Returns the totals of the year including a payslip. */
function addToYear(year: YearToDate, calculated: ReturnType<typeof calculatePayslip>, currency: string): YearToDate {
  const add = (one: string, other: string) => sum([one, other], currency);
  const codes = new Set([...Object.keys(year.tax_by_code), ...Object.keys(calculated.tax_by_code)]);
  return {
    gross: add(year.gross, calculated.gross),
    tax: add(year.tax, calculated.tax),
    net: add(year.net, calculated.net),
    taxable: add(year.taxable, calculated.taxable),
    tax_by_code: Object.fromEntries(
      [...codes].map((code) => [code, add(year.tax_by_code[code] ?? '0', calculated.tax_by_code[code] ?? '0')]),
    ),
  };
}

/** Returns the input of an employee's payslip and its year-to-date totals. @throws FormulaFailed */
export function inputOf(batch: BatchInputs, cipher: Pick<FieldCipher, 'open'>, employee_id: string) {
  const { run } = batch;
  const { period_start: start, period_end: end, frequency, currency, settings } = run;
  const regular = run.type === 'regular';
  const facts = factsOf(batch, employee_id, { start, end, frequency, regular, currency, settings });
  const year = yearSoFar(batch, facts, batch.paid.get(employee_id)!);
  const carried = carriedPayOf(batch, cipher, { employee_id, year });
  const codes = new Set(carried.one_offs.map(({ code }) => code));
  const input: PayInput = { facts: addOneOffComponents(batch, facts, codes), carried };
  return { input, facts, year };
}

/** Returns a keyed hash of an input. The key prevents guessing amounts from the stored hash. */
export const inputsHash = (cipher: Pick<FieldCipher, 'index'>, input: PayInput): string =>
  cipher.index('inputs', fingerprint(input)).toString('hex');

/** Calculates the payslip of an employee. */
export function outcomeOf(batch: BatchInputs, cipher: FieldCipher, employee_id: string): PayslipOutcome {
  const failure = failureOf(batch, employee_id);
  if (failure) return { failure };
  try {
    const { input, facts, year } = inputOf(batch, cipher, employee_id);
    const calculated = calculatePayslip(input);
    const { earnings, deductions, employer, explain, ...amounts } = calculated;
    const parts = {
      inputs: input,
      figures: { ...amounts, leave: leaveTaken(batch, employee_id), facts_hash: factsFingerprint(facts) },
      lines: { earnings, deductions, employer },
      ytd: addToYear(year, calculated, batch.run.currency),
      bank: batch.paid.get(employee_id)!.bank,
      explain,
    };
    return { parts, inputs_hash: inputsHash(cipher, input) };
  } catch (error) {
    if (error instanceof FormulaFailed) return { failure: { code: 'formula_failed', message: error.message } };
    throw error;
  }
}
