/** Contributions, and what is kept back after the tax: lines are taken in their order, as far as there is money. */
import { formulaFigure, percentOfBase, slabsOfBase, wholeAmount } from './earnings.ts';
import { addTo, type Held, held, type Ledger, type Line, type Pay, sourceOf } from './pay.ts';
import { greatest, type Rational, total, written, ZERO } from '../arithmetic/rational.ts';
import type { Working } from '../formula/working.ts';

/** A deduction that was taken. @property missing what there was no money for */
export interface Taken extends Line {
  readonly missing: Rational;
}

/** Money that is still there. */
export interface Purse {
  left: Rational;
}

/** The working of a contribution or a deduction. @throws FormulaFailed */
function figureOf(pay: Pay, ledger: Ledger, each: Held): Working {
  switch (each.component.calc) {
    case 'fixed':
      return wholeAmount(pay, each);
    case 'percent_of_basic':
      return percentOfBase(pay, ledger, each);
    case 'formula':
      return formulaFigure(pay, ledger, each);
    default:
      return slabsOfBase(pay, ledger, each);
  }
}

/**
 * Takes a deduction as far as there is money.
 * @param given.mayPayBack whether one below zero is paid out
 */
export function take(
  pay: Pay,
  ledger: Ledger,
  {
    line,
    figure,
    purse,
    mayPayBack = false,
  }: { line: Omit<Line, 'amount'>; figure: Working; purse: Purse; mayPayBack?: boolean },
): Taken {
  const { amount: computed } = figure.end(pay.places);
  let due = computed;
  if (due.lt(ZERO) && !mayPayBack) due = figure.step(`max(${written(due)}, 0)`);
  const missing = greatest(due.sub(purse.left), ZERO);
  if (missing.gt(ZERO)) figure.step(`min(${written(due)}, ${written(purse.left)})`);
  const { amount, explanation } = figure.end(pay.places);
  purse.left = purse.left.sub(amount);
  ledger.explanations.push({ ...explanation, ...sourceOf(line) });
  addTo(ledger, line.code, amount);
  return { ...line, amount, missing };
}

const lineOf = ({ component: { code, name, taxable } }: Held): Omit<Line, 'amount'> => ({ code, name, taxable });

/** An extra run takes no amounts that are due each month, and nobody owes them any more who left before the period. */
const applies = ({ shares }: Pay, { component }: Held): boolean => shares.length > 0 || component.calc !== 'fixed';

/** The employer's part and what is taken before the tax, in one order. */
export function contribute(pay: Pay, ledger: Ledger, purse: Purse): { employer: Line[]; deductions: Taken[] } {
  const [employer, deductions]: [Line[], Taken[]] = [[], []];
  for (const each of held(pay, 'contribution').filter((one) => applies(pay, one))) {
    const figure = figureOf(pay, ledger, each);
    if (each.component.kind === 'deduction') {
      deductions.push(take(pay, ledger, { line: lineOf(each), figure, purse }));
      continue;
    }
    // The employer's money has no end.
    const endless = { left: figure.end(pay.places).amount };
    employer.push(take(pay, ledger, { line: lineOf(each), figure, purse: endless }));
  }
  return { employer, deductions };
}

/** Keeps back the deductions after the tax. */
export const keepBack = (pay: Pay, ledger: Ledger, purse: Purse): Taken[] =>
  held(pay, 'after_tax')
    .filter((one) => applies(pay, one))
    .map((each) => take(pay, ledger, { line: lineOf(each), figure: figureOf(pay, ledger, each), purse }));

/** The taxable amount: the taxable earnings less what is taken before the tax, at least zero. */
export function taxableOf(earnings: readonly Line[], deductions: readonly Line[]): Rational {
  const taxed = earnings.filter(({ taxable }) => taxable).map(({ amount }) => amount);
  return greatest(total(taxed).sub(total(deductions.map(({ amount }) => amount))), ZERO);
}
