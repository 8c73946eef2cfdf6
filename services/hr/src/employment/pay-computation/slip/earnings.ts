/** Earnings: basic salary for payment days, overtime, earning components and one-off payments. */
import { evaluateFormula, filledIn, formulaOf } from '../formula/formula.ts';
import type { OneOff, PaidOnceInput, SettledLeave } from '../facts/input.ts';
import { leaveCalculation, leaveNames } from './leave.ts';
import {
  addTo,
  assignedIn,
  type AssignedComponent,
  held,
  type Ledger,
  type PayslipLine,
  type Pay,
  pickValues,
  componentRateOf,
  type Share,
  sourceOf,
} from './pay.ts';
import { least, type Rational, rational, total, written, ZERO } from '../arithmetic/rational.ts';
import { slabText } from '../facts/slabs.ts';
import { sumText, type Working, working } from '../formula/working.ts';

const bracketed = (text: string): string => (/ [+-] /.test(text) ? `(${text})` : text);

/** Returns the prorated sum of a value per share, such as `(3000 * 9 + 3300 * 12) / 21`. */
function prorated({ count, per_month }: Pay, shares: readonly Share[], valueOf: (share: Share) => Rational): string {
  const parts = shares.map((share) => `${written(valueOf(share))} * ${written(share.paid)}`);
  return `${bracketed(parts.join(' + '))} / ${written(count.working_days)}${per_month.text}`;
}

/** Returns the hourly rate as a line. For a monthly salary: twelve months divided by the hours of 52 weeks. */
const hourText = ({ terms: { basis, amount, weekly_hours } }: Share): string =>
  basis === 'hourly' ? amount : `${amount} * 12 / (52 * ${weekly_hours})`;

function basicText(pay: Pay): string {
  const monthly = pay.shares.filter(({ terms }) => terms.basis === 'monthly');
  const hourly = pay.shares.filter(({ terms }) => terms.basis === 'hourly');
  const hours = hourly.map(({ terms, worked_minutes }) => `${terms.amount} * ${worked_minutes} / 60`);
  return [
    ...(monthly.length > 0 ? [prorated(pay, monthly, ({ terms }) => rational(terms.amount))] : []),
    ...hours,
  ].join(' + ');
}

const rounded = (text: string, places: number): string => `round(${text}, ${places})`;
/** Appends a factor to a line, if there is one. */
const times = (text: string, factor: string): string => (factor ? `(${text})${factor}` : text);

/** Ends a calculation and records its value. */
function enter(pay: Pay, ledger: Ledger, line: Omit<PayslipLine, 'amount'>, figure: Working): PayslipLine {
  const { amount, explanation } = figure.end(pay.places);
  ledger.explanations.push({ ...explanation, ...sourceOf(line) });
  addTo(ledger, line.code, amount);
  return { ...line, amount };
}

function basic(pay: Pay, ledger: Ledger): PayslipLine[] {
  if (pay.shares.length === 0) return [];
  const figure = working('basic', pickValues(ledger.values, ['basic_full', 'working_days', 'payment_days', 'hours']));
  figure.step(rounded(basicText(pay), pay.places));
  return [enter(pay, ledger, { code: 'basic', name: 'Basic salary', taxable: true }, figure)];
}

function overtime(pay: Pay, ledger: Ledger): PayslipLine[] {
  const shares = pay.shares.filter(({ overtime_minutes }) => overtime_minutes > 0);
  if (shares.length === 0) return [];
  const factor = rational(pay.input.facts.settings.overtime_factor);
  const hours = shares.map((share) => `${hourText(share)} * ${share.overtime_minutes} / 60`).join(' + ');
  const figure = working('overtime', { ...pickValues(ledger.values, ['basic_full', 'overtime_hours']), factor });
  figure.step(rounded(`${bracketed(hours)} * ${written(factor)}`, pay.places));
  return [enter(pay, ledger, { code: 'overtime', name: 'Overtime', taxable: true }, figure)];
}

/** Returns the sum of a component's base, at least zero and at most its ceiling. */
export function baseOf(
  { per_month }: Pay,
  ledger: Ledger,
  { component: { base, ceiling } }: AssignedComponent,
  usual: string,
): { inputs: Record<string, Rational>; find: (figure: Working) => Rational } {
  const inputs = pickValues(ledger.values, base.length > 0 ? base : [usual]);
  const find = (figure: Working) => {
    let sum = figure.step(sumText(Object.values(inputs)));
    if (sum.lt(ZERO)) sum = figure.step(`max(${written(sum)}, 0)`);
    if (ceiling) {
      sum = least(figure.step(`min(${written(sum)}, ${ceiling}${per_month.text})`), sum);
    }
    return sum;
  };
  return { inputs: ceiling ? { ...inputs, ceiling: rational(ceiling) } : inputs, find };
}

/** Returns a percentage of a base, times a factor, rounded. */
export function percentOfBase(pay: Pay, ledger: Ledger, each: AssignedComponent, factor = ''): Working {
  const percent = componentRateOf(each);
  const { inputs, find } = baseOf(pay, ledger, each, 'basic');
  const figure = working(each.component.code, { ...inputs, percent });
  figure.step(rounded(times(`${written(find(figure))} * ${written(percent)} / 100`, factor), pay.places));
  return figure;
}

/** Returns the slabs over a base, times a factor, rounded. */
export function slabsOfBase(
  pay: Pay,
  ledger: Ledger,
  each: AssignedComponent,
  { usual = 'basic', factor = '' }: { usual?: string; factor?: string } = {},
): Working {
  const { inputs, find } = baseOf(pay, ledger, each, usual);
  const figure = working(each.component.code, inputs);
  figure.step(rounded(times(slabText(each.component.slabs ?? [], find(figure)), factor), pay.places));
  return figure;
}

/** Returns a formula over earlier values, times a factor, rounded. @throws FormulaFailed */
export function formulaFigure(pay: Pay, ledger: Ledger, { component }: AssignedComponent, factor = ''): Working {
  const formula = formulaOf(component.formula ?? '0');
  const names = [...new Set(formula.mentions.map(({ name }) => name))];
  const figure = working(component.code, pickValues(ledger.values, names), formula);
  // Evaluates before the names are replaced, so that values beyond the limits are rejected.
  evaluateFormula(formula, ledger.values);
  const text = filledIn(formula, ledger.values);
  figure.step(rounded(times(text, factor), pay.places));
  return figure;
}

/** Calculates the part of a monthly amount that a run pays, regardless of the days: `120`. */
export function wholeAmount(pay: Pay, each: AssignedComponent): Working {
  const amount = componentRateOf(each);
  const figure = working(each.component.code, { amount });
  figure.step(rounded(`${written(amount)}${pay.per_month.text}`, pay.places));
  return figure;
}

/** Returns a component as an employee had it on the days of a share. Undefined if they did not have it. */
const onShare = ({ component }: AssignedComponent, { terms }: Share): AssignedComponent | undefined => {
  const assigned = assignedIn(terms, component);
  return assigned && { component, assigned };
};

/** Returns the shares whose days include a component of the employee. */
const sharesWith = ({ shares }: Pay, each: AssignedComponent): Share[] =>
  shares.filter((share) => onShare(each, share));
const paidDays = (shares: readonly Share[]): Rational => total(shares.map(({ paid }) => paid));

/** Returns an amount prorated by the terms of each payment day. */
function byDays(pay: Pay, ledger: Ledger, each: AssignedComponent): Working {
  const { calc, ceiling } = each.component;
  const isPercent = calc === 'percent_of_basic';
  const inputs = pickValues(ledger.values, [...(isPercent ? ['basic_full'] : []), 'working_days', 'payment_days']);
  const figure = working(each.component.code, {
    ...inputs,
    ...(isPercent && ceiling && { ceiling: rational(ceiling) }),
    [isPercent ? 'percent' : 'amount']: componentRateOf(each),
  });
  const valueOf = (share: Share): Rational => {
    const rate = componentRateOf(onShare(each, share)!);
    if (!isPercent) return rate;
    const base = ceiling ? written(figure.step(`min(${share.terms.amount}, ${ceiling})`)) : share.terms.amount;
    return figure.step(`${base} * ${written(rate)} / 100`);
  };
  figure.step(rounded(prorated(pay, sharesWith(pay, each), valueOf), pay.places));
  return figure;
}

/** Returns the part of the paid days with the component, as a factor. Empty if it applies to all days. */
function partOfDays(pay: Pay, each: AssignedComponent): string {
  const own = sharesWith(pay, each);
  const paid = paidDays(pay.shares);
  if (own.length === pay.shares.length || paid.equals(ZERO)) return '';
  return ` * ${written(paidDays(own))} / ${written(paid)}`;
}

function earning(pay: Pay, ledger: Ledger, each: AssignedComponent): Working {
  const { calc, prorated: isProrated, base } = each.component;
  if (calc === 'formula') {
    const days = ` * ${written(paidDays(sharesWith(pay, each)))} / ${written(pay.count.working_days)}`;
    return formulaFigure(pay, ledger, each, isProrated ? days : '');
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
function settleLeave(pay: Pay, ledger: Ledger, settled: SettledLeave): PayslipLine {
  const { line, figure } = leaveCalculation(pay, settled);
  return enter(pay, ledger, line, figure);
}

function once(pay: Pay, ledger: Ledger, { id, code, amount, arrears }: OneOff): PayslipLine {
  const component = pay.input.facts.components.find((each) => each.code === code);
  const figure = arrears
    ? working(code, {
        now: rational(arrears.now),
        before: rational(arrears.before),
        settled: rational(arrears.settled),
      })
    : working(code, { amount: rational(amount) });
  figure.step(arrears ? `${arrears.now} - ${arrears.before} - ${arrears.settled}` : amount);
  const name = component?.name ?? NAMES[code] ?? 'Basic salary';
  const line = { code, name, taxable: component?.taxable ?? true, of: id };
  const of_payroll_entry_id = arrears?.of_payroll_entry_id;
  return enter(pay, ledger, { ...line, ...(of_payroll_entry_id && { of_payroll_entry_id }) }, figure);
}

/** Earnings without a component. */
const OWN = ['basic', 'overtime', ...Object.keys(leaveNames)];

/** Calculates all earnings and adds them to the values of a payslip. */
export function earn(pay: Pay, ledger: Ledger, { one_offs, leave: settled }: PaidOnceInput): PayslipLine[] {
  const lines = [
    ...basic(pay, ledger),
    ...overtime(pay, ledger),
    ...settled.map((one) => settleLeave(pay, ledger, one)),
  ];
  const { values } = ledger;
  for (const code of OWN) if (!values.has(code)) values.set(code, ZERO);
  if (pay.shares.length > 0) {
    for (const each of held(pay, 'earning')) {
      const { code, name, taxable } = each.component;
      lines.push(enter(pay, ledger, { code, name, taxable }, earning(pay, ledger, each)));
    }
  }
  lines.push(...one_offs.map((one) => once(pay, ledger, one)));
  return lines;
}
