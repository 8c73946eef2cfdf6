/** Payslip in calculation: the facts and values that its parts share. */
import { minorUnits } from '@suite/money';
import { type PayComponent, phaseOf, type ComponentPhase } from '../facts/component.ts';
import { countDays, type DayCount, hoursOfMinutes } from '../facts/days.ts';
import type { FormulaValues } from '../formula/evaluate.ts';
import type { SalaryAssignment, PayInput, PayTerms } from '../facts/input.ts';
import { type Rational, rational, total, ZERO } from '../arithmetic/rational.ts';
import type { Explanation } from '../formula/calculation.ts';

/** The days of a period that share the same salary terms. */
export interface PayShare {
  readonly terms: PayTerms;
  readonly paid: Rational;
  readonly worked_minutes: number;
  readonly overtime_minutes: number;
}

/** A line of a payslip, before it is formatted. */
export interface PayslipLine {
  readonly code: string;
  readonly name: string;
  readonly amount: Rational;
  readonly taxable: boolean;
  /** Source of the line: the one-off, the line of leave, the loan or the recovery. */
  readonly of?: string;
  readonly of_payroll_entry_id?: string;
  /** Settled leave days. Absent for other lines. */
  readonly days?: string;
}

/** Returns the source of a line. It distinguishes explanations of the same component. */
export const sourceOf = ({ of, of_payroll_entry_id }: Pick<PayslipLine, 'of' | 'of_payroll_entry_id'>) => ({
  ...(of !== undefined && { of }),
  ...(of_payroll_entry_id !== undefined && { of_payroll_entry_id }),
});

/** Sorted input, with the values that are derived from it first. */
export interface PayBasis {
  readonly input: PayInput;
  readonly places: number;
  readonly count: DayCount;
  /** In order of days. Empty in an off-cycle run. */
  readonly shares: readonly PayShare[];
  /** Salary terms of the last day of employment in the period. */
  readonly terms: PayTerms | undefined;
  /** Number of these periods in a month, as a divisor for monthly amounts. */
  readonly per_month: { readonly text: string };
}

/** Factors that convert monthly amounts to the period of a run. */
const PART_OF_MONTH = { monthly: '', fortnightly: ' * 12 / 26', weekly: ' * 12 / 52' } as const;

const termsOn = (terms: readonly PayTerms[], date: string): PayTerms | undefined =>
  terms.findLast(({ from }) => from <= date);

function sharesOf({ facts }: PayInput, { days }: DayCount): PayShare[] {
  const shares: PayShare[] = [];
  for (const { day, paid } of days) {
    const terms = day.employed ? termsOn(facts.terms, day.date) : undefined;
    if (!terms) continue;
    const before = shares.at(-1);
    const known = before?.terms === terms ? before : undefined;
    if (known) shares.pop();
    shares.push({
      terms,
      paid: paid.add(known?.paid ?? ZERO),
      worked_minutes: day.worked_minutes + (known?.worked_minutes ?? 0),
      overtime_minutes: day.overtime_minutes + (known?.overtime_minutes ?? 0),
    });
  }
  return shares;
}

/** Reads an input in canonical order. */
export function payOf(input: PayInput): PayBasis {
  const { period, currency, settings, terms, days } = input.facts;
  const count = countDays(days, settings.working_days_basis);
  const shares = sharesOf(input, count);
  return {
    input,
    places: minorUnits(currency),
    count,
    shares: period.regular ? shares : [],
    terms: shares.at(-1)?.terms ?? termsOn(terms, period.end),
    per_month: { text: PART_OF_MONTH[period.frequency] },
  };
}

/**
 * Returns true if a salary run includes an employee without any employed day in the period, such as one who left
 * before. No further regular pay is expected.
 */
export const hasNoEmployedDays = ({ input, shares }: PayBasis): boolean =>
  input.facts.period.regular && shares.length === 0;

/** Component with the terms of the employee. */
export interface AssignedComponent {
  readonly component: PayComponent;
  readonly assigned: SalaryAssignment;
}

/** Returns the assignment of a component in the terms, if there is one. */
export const assignedIn = (terms: PayTerms | undefined, { code }: PayComponent): SalaryAssignment | undefined =>
  terms?.components.find((each) => each.code === code);

/**
 * Returns the components of a phase that an employee has, in the order of calculation. Prorated components count if the
 * employee had them on any day. All others count as on the last day.
 */
export function componentsOfPhase({ input, terms, shares }: PayBasis, phase: ComponentPhase): AssignedComponent[] {
  return input.facts.components.flatMap((component) => {
    if (component.one_off || phaseOf(component) !== phase) return [];
    const isByDays = phase === 'earning' && component.prorated;
    const last = isByDays ? shares.findLast((share) => assignedIn(share.terms, component))?.terms : terms;
    const assigned = assignedIn(last, component);
    return assigned ? [{ component, assigned }] : [];
  });
}

/** Returns the amount or percentage of an employee's component. */
export function componentRateOf({ component: { calc, amount, percent }, assigned }: AssignedComponent): Rational {
  const own = calc === 'percent_of_basic' ? percent : amount;
  return rational(assigned.value ?? own ?? '0');
}

/** Values calculated until now, by name. */
export interface CalculatedValues {
  readonly values: Map<string, Rational>;
  readonly explanations: Explanation[];
}

/** Adds an amount to the value of a name. */
export const addTo = ({ values }: CalculatedValues, name: string, amount: Rational): void => {
  values.set(name, (values.get(name) ?? ZERO).add(amount));
};

/** Returns the values of these names. Missing values count as zero. */
export const pickValues = (values: FormulaValues, names: readonly string[]): Record<string, Rational> =>
  Object.fromEntries(names.map((name) => [name, values.get(name) ?? ZERO]));

const yearsBetween = (from: string, to: string): number => {
  const years = Number(to.slice(0, 4)) - Number(from.slice(0, 4));
  return Math.max(to.slice(5) < from.slice(5) ? years - 1 : years, 0);
};

/** Starts the values of a payslip with the ones that are known before any earnings. */
export function openLedger({ input, count, shares, terms }: PayBasis): CalculatedValues {
  const { person, period } = input.facts;
  const sumMinutes = (of: 'worked_minutes' | 'overtime_minutes') => shares.reduce((sum, share) => sum + share[of], 0);
  const values = new Map<string, Rational>([
    ['working_days', count.working_days],
    ['payment_days', total(shares.map(({ paid }) => paid))],
    ['basic_full', terms ? rational(terms.amount) : ZERO],
    ['hours', hoursOfMinutes(sumMinutes('worked_minutes'))],
    ['overtime_hours', hoursOfMinutes(sumMinutes('overtime_minutes'))],
    ['age', rational(person.dob ? yearsBetween(person.dob, period.end) : 0)],
    ['service_years', rational(yearsBetween(person.joining_date, period.end))],
  ]);
  return { values, explanations: [] };
}
