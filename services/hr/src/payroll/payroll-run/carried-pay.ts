/** Amounts of a payslip from other periods: year-to-date totals, arrears, and debts. */
import { sum } from '@suite/money';
import {
  type CarriedPay,
  type PeriodFacts,
  factsFingerprint,
  type OneOff,
  type OpenLoan,
  type SettledLeave,
} from '../../employment/pay-computation/facts/input.ts';
import { arrearsOf } from '../../employment/pay-computation/payslip/arrears.ts';
import type { FieldCipher } from '@suite/field-encryption';
import type { EmployeeSchedule } from '../../time/days/day.rules.ts';
import { decryptPart, type YearToDate } from '../payslips/payslip-encryption.ts';
import { type BatchInputs, factsOf, type EmployeePeriod, salariesInPeriod } from './inputs.ts';
import type { EarlierPayslip } from '../payroll-facts/money-rows.ts';
import type { DatedSalary, PaidPerson } from '../payroll-facts/people-rows.ts';
import { paymentsLeft, type TaxYear, taxYearOf } from '../payroll-facts/tax-year.rules.ts';

/**
 * Period of a payslip that settles leave. @property entry_id ID of a final payslip, or null while it is being
 * calculated
 */
type LeavePeriod = Pick<EmployeePeriod, 'start' | 'end' | 'currency'> & { entry_id: string | null };

const add = (currency: string, amounts: readonly string[]): string => sum(amounts, currency);

/** Adds amounts by code. */
function addByCode(currency: string, parts: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const entries = Map.groupBy(
    parts.flatMap((part) => Object.entries(part)),
    ([code]) => code,
  );
  return Object.fromEntries(
    [...entries].map(([code, all]) => [
      code,
      add(
        currency,
        all.map(([, amount]) => amount),
      ),
    ]),
  );
}

const isInYear = ({ from, to }: TaxYear, day: string): boolean => from <= day && day <= to;

/** Returns the code of the tax that an opening amount belongs to: the first annual tax. */
const yearlyTax = ({ components }: PeriodFacts): string | undefined =>
  components.find(({ annual, calc, kind, pre_tax }) => annual && calc === 'slab' && kind === 'deduction' && !pre_tax)
    ?.code;

/** Returns the totals of the tax year before this payslip, including earnings from earlier employers. */
export function yearSoFar(batch: BatchInputs, facts: PeriodFacts, paid: PaidPerson): YearToDate {
  const { pay_date, currency, settings } = batch.run;
  const year = taxYearOf(pay_date, settings.tax_year_start);
  const payslips = (batch.earlier.get(paid.id) ?? []).filter(
    (payslip) => isInYear(year, payslip.pay_date) && payslip.currency === currency,
  );
  const amounts = payslips.map((payslip) => payslip.figures);
  const opening = paid.ytd_opening && isInYear(year, paid.joining_date) ? paid.ytd_opening : null;
  const tax_code = yearlyTax(facts);
  return {
    gross: add(
      currency,
      amounts.map(({ gross }) => gross),
    ),
    net: add(
      currency,
      amounts.map(({ net }) => net),
    ),
    tax: add(currency, [...amounts.map(({ tax }) => tax), ...(opening ? [opening.tax] : [])]),
    taxable: add(currency, [...amounts.map(({ taxable }) => taxable), ...(opening ? [opening.taxable] : [])]),
    tax_by_code: addByCode(currency, [
      ...amounts.map(({ tax_by_code }) => tax_by_code),
      ...(opening && tax_code ? [{ [tax_code]: opening.tax }] : []),
    ]),
  };
}

/** Returns the remaining payments of the tax year. An off-cycle run counts the remaining regular ones. */
function periodsLeft({ run, earlier }: BatchInputs, employee_id: string): number {
  const year = taxYearOf(run.pay_date, run.settings.tax_year_start);
  const left = paymentsLeft(run.pay_date, year, run.frequency);
  if (run.type === 'regular') return left;
  const isPaid = earlier.get(employee_id)?.some(({ regular, period_end }) => regular && period_end >= run.period_end);
  return isPaid ? left - 1 : left;
}

const NO_SALARY = { basis: 'monthly', amount: '0', weekly_hours: '40' } as const;

/**
 * Returns an employee's leave that a payslip settles, with the salary of its day. Chosen: if the salary of that day is
 * missing or in another currency, the last salary of the period applies.
 */
function leaveOf(batch: BatchInputs, employee_id: string, { entry_id, ...period }: LeavePeriod): SettledLeave[] {
  const rows = (batch.leave.get(employee_id) ?? []).filter((row) => row.entry_id === entry_id);
  if (rows.length === 0) return [];
  const isPaid = ({ salary }: DatedSalary) => salary?.currency === period.currency;
  const last = salariesInPeriod(batch, employee_id, period).findLast(isPaid)?.salary;
  return rows.map(({ id, on, days }) => {
    const then = batch.salaries.get(employee_id)?.findLast(({ from }) => from <= on);
    const { basis, amount, weekly_hours } = (then && isPaid(then) ? then.salary : last) ?? NO_SALARY;
    return { id, on, days, salary: { basis, amount, weekly_hours } };
  });
}

/** Returns the differences between earlier payslips and their recalculation with current data. @throws FormulaFailed */
function arrearsIn(batch: BatchInputs, cipher: Pick<FieldCipher, 'open'>, employee_id: string): OneOff[] {
  const payslips = batch.earlier.get(employee_id) ?? [];
  const past = batch.compared.get(employee_id) ?? [];
  const linesOf = (payslip: EarlierPayslip) => decryptPart(cipher, payslip, 'lines')!;
  return past.flatMap((payslip) => {
    const { period_start: start, period_end: end, frequency, currency, settings, figures: amounts } = payslip;
    const facts = factsOf(batch, employee_id, { start, end, frequency, regular: true, currency, settings });
    const leave = leaveOf(batch, employee_id, { start, end, currency, entry_id: payslip.id });
    // The facts of a period do not include earlier salaries, which paid-out leave may depend on.
    if (leave.length === 0 && factsFingerprint(facts) === amounts.facts_hash) return [];
    const settled = payslips.flatMap((later) =>
      linesOf(later).earnings.filter(({ of_payroll_entry_id }) => of_payroll_entry_id === payslip.id),
    );
    return arrearsOf({ id: payslip.id, earnings: linesOf(payslip).earnings, settled, leave }, facts);
  });
}

/** Checks if an employee has left by the end of a period, so that its run is their last one. */
const hasLeft = ({ employments }: Pick<EmployeeSchedule, 'employments'>, end: string): boolean =>
  employments.length > 0 && employments.every(({ exit_date }) => exit_date !== null && exit_date <= end);

/** Returns the loans that a payslip repays. The last payslip deducts the entire balance, because no other follows. */
function loansOf({ loans, people, run }: BatchInputs, employee_id: string): OpenLoan[] {
  const open = loans.get(employee_id) ?? [];
  if (hasLeft(people.get(employee_id)!, run.period_end))
    return open.map((loan) => ({ ...loan, instalment: loan.left }));
  return open.filter(({ since }) => since <= run.period_end);
}

/** Returns an employee's amounts from other periods. @throws FormulaFailed */
export function carriedPayOf(
  batch: BatchInputs,
  cipher: Pick<FieldCipher, 'open'>,
  { employee_id, year }: { employee_id: string; year: YearToDate },
): CarriedPay {
  const { run } = batch;
  const isRegular = run.type === 'regular';
  const period = { start: run.period_start, end: run.period_end, currency: run.currency, entry_id: null };
  const once = (batch.one_offs.get(employee_id) ?? []).map(({ id, code, amount }) => ({ id, code, amount }));
  return {
    one_offs: [...once, ...(isRegular ? arrearsIn(batch, cipher, employee_id) : [])],
    // Chosen: regular runs settle leave, as they settle arrears. An off-cycle run pays only the specified amounts.
    leave: isRegular ? leaveOf(batch, employee_id, period) : [],
    tax_year: { periods_left: periodsLeft(batch, employee_id), taxable: year.taxable, paid: year.tax_by_code },
    recoveries: batch.recoveries.get(employee_id) ?? [],
    loans: loansOf(batch, employee_id),
  };
}
