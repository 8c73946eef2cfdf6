/** Payslip: all pay of an employee for a period, the deductions, and the employer's contributions. */
import { contribute, deductAfterTax, type RemainingPay, type DeductionLine, deduct, taxableOf } from './deductions.ts';
import { calculateEarnings } from './earnings.ts';
import { inputInOrder, type OneTimeInput, type PayInput } from '../facts/input.ts';
import {
  componentsOfPhase,
  hasNoEmployedDays,
  type CalculatedValues,
  type PayslipLine,
  openLedger,
  type PayBasis,
  payOf,
} from './pay.ts';
import { formatFixed, greatest, type Rational, total, formatNumber, ZERO } from '../arithmetic/rational.ts';
import { deductRecoveries } from './recoveries.ts';
import { tax, type TaxableAmounts } from './tax.ts';
import { type Explanation, sumText, startCalculation } from '../formula/calculation.ts';

/** Line as stored and shown. Amounts are decimal strings of the currency. */
export interface PayLine {
  readonly code: string;
  readonly name: string;
  readonly amount: string;
  /** Source of the line: the one-off, the line of leave, the loan or the recovery. */
  readonly of?: string;
  /** For arrears: the payslip that is corrected. */
  readonly of_payroll_entry_id?: string;
  /** For settled leave: days paid out or owed by the employee. */
  readonly days?: string;
}

/** An amount that a later payslip must recover. @property code of the component. Null for negative earnings */
export interface RemainingDebt {
  readonly code: string | null;
  readonly amount: string;
}

/** A payslip. The totals are the sums of its lines. */
export interface ComputedPayslip {
  readonly working_days: string;
  readonly payment_days: string;
  readonly lop_days: string;
  readonly absent_days: string;
  readonly overtime_minutes: number;
  readonly earnings: readonly PayLine[];
  readonly deductions: readonly PayLine[];
  readonly employer: readonly PayLine[];
  readonly gross: string;
  readonly total_deductions: string;
  readonly employer_cost: string;
  readonly net: string;
  /** Amount that counts for the tax of the year. */
  readonly taxable: string;
  readonly tax: string;
  /** Tax deducted, by tax code. */
  readonly tax_by_code: Readonly<Record<string, string>>;
  readonly left_over: readonly RemainingDebt[];
  readonly explain: readonly Explanation[];
}

const amounts = (lines: readonly PayslipLine[]): Rational[] => lines.map(({ amount }) => amount);

/** A payslip before taxes. */
interface PayBeforeTax {
  readonly ledger: CalculatedValues;
  readonly remainingPay: RemainingPay;
  readonly earnings: PayslipLine[];
  readonly employer: PayslipLine[];
  readonly contributions: DeductionLine[];
  readonly gross: Rational;
  readonly taxable: Rational;
  /** Negative part of the earnings. */
  readonly below: Rational;
}

/** Adds a value that is a sum or a difference of others. */
function addExplained(
  pay: PayBasis,
  ledger: CalculatedValues,
  name: string,
  inputs: Record<string, Rational>,
  text: string,
): Rational {
  const figure = startCalculation(name, inputs);
  figure.step(text);
  const { amount, explanation } = figure.end(pay.places);
  ledger.explanations.push(explanation);
  return amount;
}

const NOTHING: OneTimeInput = { one_offs: [], leave: [] };

function earnAll(pay: PayBasis, once: OneTimeInput): PayBeforeTax {
  const ledger = openLedger(pay);
  const earnings = calculateEarnings(pay, ledger, once);
  const sum = total(amounts(earnings));
  const below = greatest(sum.neg(), ZERO);
  if (below.gt(ZERO)) {
    const amount = addExplained(pay, ledger, 'carried_over', {}, `0 - (${sumText(amounts(earnings))})`);
    earnings.push({ code: 'carried_over', name: 'Carried over', amount, taxable: false });
  }
  const gross = addExplained(pay, ledger, 'gross', {}, sumText(amounts(earnings)));
  ledger.values.set('gross', gross);
  const remainingPay = { left: gross };
  const { employer, deductions: contributions } = contribute(pay, ledger, remainingPay);
  const taxable = taxableOf(earnings, contributions);
  ledger.values.set('taxable', taxable);
  return { ledger, remainingPay, earnings, employer, contributions, gross, taxable, below };
}

/** Explains the calculation of a taxable amount. */
function explainTaxable(
  pay: PayBasis,
  name: string,
  ledger: CalculatedValues,
  { earnings, contributions }: PayBeforeTax,
): void {
  const taxed = amounts(earnings.filter(({ taxable }) => taxable));
  const text = sumText([...taxed, ...amounts(contributions).map((amount) => amount.neg())]);
  const figure = startCalculation(name, {});
  if (figure.step(text).lt(ZERO)) figure.step(`max(${text}, 0)`);
  ledger.explanations.push(figure.end(pay.places).explanation);
}

/** Returns a period in which all days are worked and paid by the current terms, without overtime. */
function fullPeriod(pay: PayBasis): PayBasis {
  const { terms, count } = pay;
  if (!terms) return { ...pay, shares: [] };
  const weeks = { monthly: 52 / 12, fortnightly: 2, weekly: 1 }[pay.input.facts.period.frequency];
  const worked_minutes = terms.basis === 'hourly' ? Math.round(Number(terms.weekly_hours) * 60 * weeks) : 0;
  return { ...pay, shares: [{ terms, paid: count.working_days, worked_minutes, overtime_minutes: 0 }] };
}

/** Returns the amounts that the annual taxes are calculated from, with their explanations. */
function taxableParts(pay: PayBasis, earned: PayBeforeTax): TaxableAmounts {
  const { ledger, taxable } = earned;
  const { one_offs, leave, tax_year } = pay.input.carried;
  explainTaxable(pay, 'taxable', ledger, earned);
  const isAnnual = componentsOfPhase(pay, 'tax').some(({ component }) => component.annual);
  if (!isAnnual) return { regular: taxable, once: ZERO, full: ZERO };
  const regular = one_offs.length > 0 || leave.length > 0 ? earnAll(pay, NOTHING) : earned;
  if (regular !== earned) explainTaxable(pay, 'taxable_regular', ledger, regular);
  if (hasNoEmployedDays(pay) || (tax_year.periods_left === 1 && pay.input.facts.period.regular))
    return { regular: regular.taxable, once: taxable.sub(regular.taxable), full: ZERO };
  const full = earnAll(fullPeriod(pay), NOTHING);
  explainTaxable(pay, 'taxable_full', ledger, full);
  return { regular: regular.taxable, once: taxable.sub(regular.taxable), full: full.taxable };
}

function deductTaxes(pay: PayBasis, earned: PayBeforeTax): DeductionLine[] {
  const { ledger, remainingPay } = earned;
  const parts = taxableParts(pay, earned);
  return componentsOfPhase(pay, 'tax').map((each) => {
    const { code, name } = each.component;
    const figure = tax(pay, ledger, each, parts);
    return deduct(pay, ledger, {
      line: { code, name, taxable: false },
      figure,
      remainingPay,
      mayPayBack: each.component.annual,
    });
  });
}

/** Formats a payslip as text. */
function formatPayslip(
  pay: PayBasis,
  earned: PayBeforeTax,
  lists: { deductions: DeductionLine[]; taxes: DeductionLine[]; left_over: RemainingDebt[] },
): ComputedPayslip {
  const { ledger, earnings, employer, gross, taxable } = earned;
  const { deductions, taxes, left_over } = lists;
  const money = (value: Rational): string => formatFixed(value, pay.places);
  const lines = (all: readonly PayslipLine[]): PayLine[] =>
    all.map(({ amount, taxable: _, ...line }) => {
      const { missing: __, ...shown } = line as Omit<DeductionLine, 'amount' | 'taxable'>;
      return { ...shown, amount: money(amount) };
    });
  const total_deductions = addExplained(pay, ledger, 'total_deductions', {}, sumText(amounts(deductions)));
  const employer_cost = addExplained(pay, ledger, 'employer_cost', {}, sumText(amounts(employer)));
  const net = addExplained(pay, ledger, 'net', {}, `${formatNumber(gross)} - ${formatNumber(total_deductions)}`);
  const { working_days, payment_days, lop_days, absent_days } = pay.count;
  return {
    working_days: formatNumber(working_days),
    payment_days: formatNumber(pay.shares.length > 0 ? payment_days : ZERO),
    lop_days: formatNumber(lop_days),
    absent_days: formatNumber(absent_days),
    overtime_minutes: pay.shares.reduce((sum, { overtime_minutes }) => sum + overtime_minutes, 0),
    earnings: lines(earnings),
    deductions: lines(deductions),
    employer: lines(employer),
    gross: money(gross),
    total_deductions: money(total_deductions),
    employer_cost: money(employer_cost),
    net: money(net),
    taxable: money(taxable),
    tax: money(total(amounts(taxes))),
    tax_by_code: Object.fromEntries(taxes.map(({ code, amount }) => [code, money(amount)])),
    left_over,
    explain: ledger.explanations,
  };
}

/**
 * Calculates a payslip. The same input gives the same payslip, regardless of the order of its facts.
 * @throws FormulaFailed if a formula has no value for this employee
 */
export function calculatePayslip(input: PayInput): ComputedPayslip {
  const pay = payOf(inputInOrder(input));
  const earned = earnAll(pay, pay.input.carried);
  const { ledger, remainingPay, contributions, below } = earned;
  const taxes = deductTaxes(pay, earned);
  const afterTax = deductAfterTax(pay, ledger, remainingPay);
  const back = deductRecoveries(pay, ledger, remainingPay);
  const missing = afterTax.filter((line) => line.missing.gt(ZERO));
  const left_over = [
    ...(below.gt(ZERO) ? [{ code: null, amount: formatFixed(below, pay.places) }] : []),
    ...missing.map((line) => ({ code: line.code, amount: formatFixed(line.missing, pay.places) })),
  ];
  return formatPayslip(pay, earned, {
    deductions: [...contributions, ...taxes, ...afterTax, ...back],
    taxes,
    left_over,
  });
}
