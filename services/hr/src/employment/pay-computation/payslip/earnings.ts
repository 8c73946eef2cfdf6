/** Earnings: basic salary for payment days, overtime, earning components and one-off payments. */
import { evaluateFormula, substituteValues, formulaOf } from '../formula/formula.ts';
import type { OneOff, OneTimeInput, SettledLeave } from '../facts/input.ts';
import { leaveCalculation, leaveNames } from './leave.ts';
import {
  addTo,
  assignedIn,
  type AssignedComponent,
  componentsOfPhase,
  type CalculatedValues,
  type PayslipLine,
  type PayBasis,
  pickValues,
  componentRateOf,
  type PayShare,
  sourceOf,
} from './pay.ts';
import { least, type Rational, rational, total, formatNumber, ZERO } from '../arithmetic/rational.ts';
import { slabText } from '../facts/slabs.ts';
import { sumText, type Calculation, startCalculation } from '../formula/calculation.ts';

const addBrackets = (text: string): string => (/ [+-] /.test(text) ? `(${text})` : text);

/** Returns the prorated sum of a value per share, such as `(3000 * 9 + 3300 * 12) / 21`. */
function prorate(
  { count, per_month }: PayBasis,
  shares: readonly PayShare[],
  valueOf: (share: PayShare) => Rational,
): string {
  const parts = shares.map((share) => `${formatNumber(valueOf(share))} * ${formatNumber(share.paid)}`);
  return `${addBrackets(parts.join(' + '))} / ${formatNumber(count.working_days)}${per_month.text}`;
}

/** Returns the hourly rate as a line. For a monthly salary: twelve months divided by the hours of 52 weeks. */
const hourText = ({ terms: { basis, amount, weekly_hours } }: PayShare): string =>
  basis === 'hourly' ? amount : `${amount} * 12 / (52 * ${weekly_hours})`;

function basicText(pay: PayBasis): string {
  const monthly = pay.shares.filter(({ terms }) => terms.basis === 'monthly');
  const hourly = pay.shares.filter(({ terms }) => terms.basis === 'hourly');
  const hours = hourly.map(({ terms, worked_minutes }) => `${terms.amount} * ${worked_minutes} / 60`);
  return [...(monthly.length > 0 ? [prorate(pay, monthly, ({ terms }) => rational(terms.amount))] : []), ...hours].join(
    ' + ',
  );
}

const roundText = (text: string, places: number): string => `round(${text}, ${places})`;
/** Appends a factor to a line, if there is one. */
const multiplyText = (text: string, factor: string): string => (factor ? `(${text})${factor}` : text);

/** Ends a calculation and records its value. */
function recordAmount(
  pay: PayBasis,
  ledger: CalculatedValues,
  line: Omit<PayslipLine, 'amount'>,
  figure: Calculation,
): PayslipLine {
  const { amount, explanation } = figure.end(pay.places);
  ledger.explanations.push({ ...explanation, ...sourceOf(line) });
  addTo(ledger, line.code, amount);
  return { ...line, amount };
}

function basic(pay: PayBasis, ledger: CalculatedValues): PayslipLine[] {
  if (pay.shares.length === 0) return [];
  const figure = startCalculation(
    'basic',
    pickValues(ledger.values, ['basic_full', 'working_days', 'payment_days', 'hours']),
  );
  figure.step(roundText(basicText(pay), pay.places));
  return [recordAmount(pay, ledger, { code: 'basic', name: 'Basic salary', taxable: true }, figure)];
}

function overtime(pay: PayBasis, ledger: CalculatedValues): PayslipLine[] {
  const shares = pay.shares.filter(({ overtime_minutes }) => overtime_minutes > 0);
  if (shares.length === 0) return [];
  const factor = rational(pay.input.facts.settings.overtime_factor);
  const hours = shares.map((share) => `${hourText(share)} * ${share.overtime_minutes} / 60`).join(' + ');
  const figure = startCalculation('overtime', {
    ...pickValues(ledger.values, ['basic_full', 'overtime_hours']),
    factor,
  });
  figure.step(roundText(`${addBrackets(hours)} * ${formatNumber(factor)}`, pay.places));
  return [recordAmount(pay, ledger, { code: 'overtime', name: 'Overtime', taxable: true }, figure)];
}

/** Returns the sum of a component's base, at least zero and at most its ceiling. */
export function baseOf(
  { per_month }: PayBasis,
  ledger: CalculatedValues,
  { component: { base, ceiling } }: AssignedComponent,
  usual: string,
): { inputs: Record<string, Rational>; find: (figure: Calculation) => Rational } {
  const inputs = pickValues(ledger.values, base.length > 0 ? base : [usual]);
  const find = (figure: Calculation) => {
    let sum = figure.step(sumText(Object.values(inputs)));
    if (sum.lt(ZERO)) sum = figure.step(`max(${formatNumber(sum)}, 0)`);
    if (ceiling) {
      sum = least(figure.step(`min(${formatNumber(sum)}, ${ceiling}${per_month.text})`), sum);
    }
    return sum;
  };
  return { inputs: ceiling ? { ...inputs, ceiling: rational(ceiling) } : inputs, find };
}

/** Returns a percentage of a base, times a factor, rounded. */
export function percentOfBase(
  pay: PayBasis,
  ledger: CalculatedValues,
  each: AssignedComponent,
  factor = '',
): Calculation {
  const percent = componentRateOf(each);
  const { inputs, find } = baseOf(pay, ledger, each, 'basic');
  const figure = startCalculation(each.component.code, { ...inputs, percent });
  figure.step(
    roundText(multiplyText(`${formatNumber(find(figure))} * ${formatNumber(percent)} / 100`, factor), pay.places),
  );
  return figure;
}

/** Returns the slabs over a base, times a factor, rounded. */
export function slabsOfBase(
  pay: PayBasis,
  ledger: CalculatedValues,
  each: AssignedComponent,
  { usual = 'basic', factor = '' }: { usual?: string; factor?: string } = {},
): Calculation {
  const { inputs, find } = baseOf(pay, ledger, each, usual);
  const figure = startCalculation(each.component.code, inputs);
  figure.step(roundText(multiplyText(slabText(each.component.slabs ?? [], find(figure)), factor), pay.places));
  return figure;
}

/** Returns a formula over earlier values, times a factor, rounded. @throws FormulaFailed */
export function formulaAmount(
  pay: PayBasis,
  ledger: CalculatedValues,
  { component }: AssignedComponent,
  factor = '',
): Calculation {
  const formula = formulaOf(component.formula ?? '0');
  const names = [...new Set(formula.mentions.map(({ name }) => name))];
  const figure = startCalculation(component.code, pickValues(ledger.values, names), formula);
  // Evaluates before the names are replaced, so that values beyond the limits are rejected.
  evaluateFormula(formula, ledger.values);
  const text = substituteValues(formula, ledger.values);
  figure.step(roundText(multiplyText(text, factor), pay.places));
  return figure;
}

/** Calculates the part of a monthly amount that a run pays, regardless of the days: `120`. */
export function wholeAmount(pay: PayBasis, each: AssignedComponent): Calculation {
  const amount = componentRateOf(each);
  const figure = startCalculation(each.component.code, { amount });
  figure.step(roundText(`${formatNumber(amount)}${pay.per_month.text}`, pay.places));
  return figure;
}

/** Returns a component as an employee had it on the days of a share. Undefined if they did not have it. */
const componentOnShare = ({ component }: AssignedComponent, { terms }: PayShare): AssignedComponent | undefined => {
  const assigned = assignedIn(terms, component);
  return assigned && { component, assigned };
};

/** Returns the shares whose days include a component of the employee. */
const sharesWith = ({ shares }: PayBasis, each: AssignedComponent): PayShare[] =>
  shares.filter((share) => componentOnShare(each, share));
const paidDays = (shares: readonly PayShare[]): Rational => total(shares.map(({ paid }) => paid));

/** Returns an amount prorated by the terms of each payment day. */
function byDays(pay: PayBasis, ledger: CalculatedValues, each: AssignedComponent): Calculation {
  const { calc, ceiling } = each.component;
  const isPercent = calc === 'percent_of_basic';
  const inputs = pickValues(ledger.values, [...(isPercent ? ['basic_full'] : []), 'working_days', 'payment_days']);
  const figure = startCalculation(each.component.code, {
    ...inputs,
    ...(isPercent && ceiling && { ceiling: rational(ceiling) }),
    [isPercent ? 'percent' : 'amount']: componentRateOf(each),
  });
  const valueOf = (share: PayShare): Rational => {
    const rate = componentRateOf(componentOnShare(each, share)!);
    if (!isPercent) return rate;
    const base = ceiling ? formatNumber(figure.step(`min(${share.terms.amount}, ${ceiling})`)) : share.terms.amount;
    return figure.step(`${base} * ${formatNumber(rate)} / 100`);
  };
  figure.step(roundText(prorate(pay, sharesWith(pay, each), valueOf), pay.places));
  return figure;
}

/** Returns the part of the paid days with the component, as a factor. Empty if it applies to all days. */
function partOfDays(pay: PayBasis, each: AssignedComponent): string {
  const own = sharesWith(pay, each);
  const paid = paidDays(pay.shares);
  if (own.length === pay.shares.length || paid.equals(ZERO)) return '';
  return ` * ${formatNumber(paidDays(own))} / ${formatNumber(paid)}`;
}

function earning(pay: PayBasis, ledger: CalculatedValues, each: AssignedComponent): Calculation {
  const { calc, prorated: isProrated, base } = each.component;
  if (calc === 'formula') {
    const days = ` * ${formatNumber(paidDays(sharesWith(pay, each)))} / ${formatNumber(pay.count.working_days)}`;
    return formulaAmount(pay, ledger, each, isProrated ? days : '');
  }
  if (calc === 'fixed') return isProrated ? byDays(pay, ledger, each) : wholeAmount(pay, each);
  const factor = isProrated ? partOfDays(pay, each) : '';
  if (calc === 'slab') return slabsOfBase(pay, ledger, each, { factor });
  const isMonthly = pay.shares.every(({ terms }) => terms.basis === 'monthly');
  return isProrated && base.length === 0 && isMonthly
    ? byDays(pay, ledger, each)
    : percentOfBase(pay, ledger, each, factor);
}

const NAMES: Readonly<Record<string, string>> = { overtime: 'Overtime', ...leaveNames };

/** Settles leave days: days to pay out, or excess days to repay. */
function settleLeave(pay: PayBasis, ledger: CalculatedValues, settled: SettledLeave): PayslipLine {
  const { line, figure } = leaveCalculation(pay, settled);
  return recordAmount(pay, ledger, line, figure);
}

function oneOffLine(pay: PayBasis, ledger: CalculatedValues, { id, code, amount, arrears }: OneOff): PayslipLine {
  const component = pay.input.facts.components.find((each) => each.code === code);
  const figure = arrears
    ? startCalculation(code, {
        now: rational(arrears.now),
        before: rational(arrears.before),
        settled: rational(arrears.settled),
      })
    : startCalculation(code, { amount: rational(amount) });
  figure.step(arrears ? `${arrears.now} - ${arrears.before} - ${arrears.settled}` : amount);
  const name = component?.name ?? NAMES[code] ?? 'Basic salary';
  const line = { code, name, taxable: component?.taxable ?? true, of: id };
  const of_payroll_entry_id = arrears?.of_payroll_entry_id;
  return recordAmount(pay, ledger, { ...line, ...(of_payroll_entry_id && { of_payroll_entry_id }) }, figure);
}

/** Earnings without a component. */
const OWN = ['basic', 'overtime', ...Object.keys(leaveNames)];

/** Calculates all earnings and adds them to the values of a payslip. */
export function calculateEarnings(
  pay: PayBasis,
  ledger: CalculatedValues,
  { one_offs, leave: settled }: OneTimeInput,
): PayslipLine[] {
  const lines = [
    ...basic(pay, ledger),
    ...overtime(pay, ledger),
    ...settled.map((one) => settleLeave(pay, ledger, one)),
  ];
  const { values } = ledger;
  for (const code of OWN) if (!values.has(code)) values.set(code, ZERO);
  if (pay.shares.length > 0) {
    for (const each of componentsOfPhase(pay, 'earning')) {
      const { code, name, taxable } = each.component;
      lines.push(recordAmount(pay, ledger, { code, name, taxable }, earning(pay, ledger, each)));
    }
  }
  lines.push(...one_offs.map((one) => oneOffLine(pay, ledger, one)));
  return lines;
}
