/** Contributions, and deductions after the tax. Lines are deducted in order, while money remains. */
import { formulaAmount, percentOfBase, slabsOfBase, wholeAmount } from './earnings.ts';
import {
  addTo,
  type AssignedComponent,
  componentsOfPhase,
  type CalculatedValues,
  type PayslipLine,
  type PayBasis,
  sourceOf,
} from './pay.ts';
import { greatest, type Rational, total, formatNumber, ZERO } from '../arithmetic/rational.ts';
import type { Calculation } from '../formula/calculation.ts';

/** A deduction as applied. @property missing the amount that the remaining pay did not cover */
export interface DeductionLine extends PayslipLine {
  readonly missing: Rational;
}

/** The remaining pay. */
export interface RemainingPay {
  left: Rational;
}

/** Returns the explained amount of a contribution or deduction. @throws FormulaFailed */
function calculateAmount(pay: PayBasis, ledger: CalculatedValues, each: AssignedComponent): Calculation {
  switch (each.component.calc) {
    case 'fixed':
      return wholeAmount(pay, each);
    case 'percent_of_basic':
      return percentOfBase(pay, ledger, each);
    case 'formula':
      return formulaAmount(pay, ledger, each);
    default:
      return slabsOfBase(pay, ledger, each);
  }
}

/**
 * Applies a deduction, limited to the remaining money.
 * @param given.mayPayBack true if a negative deduction is paid out
 */
export function deduct(
  pay: PayBasis,
  ledger: CalculatedValues,
  {
    line,
    figure,
    remainingPay,
    mayPayBack = false,
  }: { line: Omit<PayslipLine, 'amount'>; figure: Calculation; remainingPay: RemainingPay; mayPayBack?: boolean },
): DeductionLine {
  const { amount: computed } = figure.end(pay.places);
  let due = computed;
  if (due.lt(ZERO) && !mayPayBack) due = figure.step(`max(${formatNumber(due)}, 0)`);
  const missing = greatest(due.sub(remainingPay.left), ZERO);
  if (missing.gt(ZERO)) figure.step(`min(${formatNumber(due)}, ${formatNumber(remainingPay.left)})`);
  const { amount, explanation } = figure.end(pay.places);
  remainingPay.left = remainingPay.left.sub(amount);
  ledger.explanations.push({ ...explanation, ...sourceOf(line) });
  addTo(ledger, line.code, amount);
  return { ...line, amount, missing };
}

const lineOf = ({ component: { code, name, taxable } }: AssignedComponent): Omit<PayslipLine, 'amount'> => ({
  code,
  name,
  taxable,
});

/** An off-cycle run deducts no monthly amounts. Employees who left before the period no longer pay these either. */
const isApplicable = ({ shares }: PayBasis, { component }: AssignedComponent): boolean =>
  shares.length > 0 || component.calc !== 'fixed';

/** Applies employer contributions and pre-tax deductions, in one order. */
export function contribute(
  pay: PayBasis,
  ledger: CalculatedValues,
  remainingPay: RemainingPay,
): { employer: PayslipLine[]; deductions: DeductionLine[] } {
  const [employer, deductions]: [PayslipLine[], DeductionLine[]] = [[], []];
  for (const each of componentsOfPhase(pay, 'contribution').filter((one) => isApplicable(pay, one))) {
    const figure = calculateAmount(pay, ledger, each);
    if (each.component.kind === 'deduction') {
      deductions.push(deduct(pay, ledger, { line: lineOf(each), figure, remainingPay }));
      continue;
    }
    // Employer contributions are not limited by the remaining pay.
    const endless = { left: figure.end(pay.places).amount };
    employer.push(deduct(pay, ledger, { line: lineOf(each), figure, remainingPay: endless }));
  }
  return { employer, deductions };
}

/** Applies the deductions after tax. */
export const deductAfterTax = (pay: PayBasis, ledger: CalculatedValues, remainingPay: RemainingPay): DeductionLine[] =>
  componentsOfPhase(pay, 'after_tax')
    .filter((one) => isApplicable(pay, one))
    .map((each) =>
      deduct(pay, ledger, { line: lineOf(each), figure: calculateAmount(pay, ledger, each), remainingPay }),
    );

/** Returns the taxable amount: taxable earnings less pre-tax deductions, at least zero. */
export function taxableOf(earnings: readonly PayslipLine[], deductions: readonly PayslipLine[]): Rational {
  const taxed = earnings.filter(({ taxable }) => taxable).map(({ amount }) => amount);
  return greatest(total(taxed).sub(total(deductions.map(({ amount }) => amount))), ZERO);
}
