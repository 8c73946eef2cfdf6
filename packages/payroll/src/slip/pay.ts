/** A payslip while it is computed: facts and figures that its parts share. */
import { minorUnits } from '@suite/money';
import { type Component, phaseOf, type Phase } from '../facts/component.ts';
import { countDays, type DayCount, hoursOf } from '../facts/days.ts';
import type { Values } from '../formula/evaluate.ts';
import type { Assigned, PayInput, Terms } from '../facts/input.ts';
import { type Rational, rational, total, ZERO } from '../arithmetic/rational.ts';
import type { Explanation } from '../formula/working.ts';

/** Days of a period with the same terms of salary. */
export interface Share {
  readonly terms: Terms;
  readonly paid: Rational;
  readonly worked_minutes: number;
  readonly overtime_minutes: number;
}

/** A line of a payslip, before it is written. */
export interface Line {
  readonly code: string;
  readonly name: string;
  readonly amount: Rational;
  readonly taxable: boolean;
  /** The one-off, the line of leave, the loan or the recovery that it comes of. */
  readonly of?: string;
  readonly of_payroll_entry_id?: string;
  /** Of leave that is settled. */
  readonly days?: string;
}

/** The source of a line. It distinguishes explanations of the same component. */
export const sourceOf = ({ of, of_payroll_entry_id }: Pick<Line, 'of' | 'of_payroll_entry_id'>) => ({
  ...(of !== undefined && { of }),
  ...(of_payroll_entry_id !== undefined && { of_payroll_entry_id }),
});

/** An input that was put in order, and what is read from it at once. */
export interface Pay {
  readonly input: PayInput;
  readonly places: number;
  readonly count: DayCount;
  /** In the order of days; none in an extra run. */
  readonly shares: readonly Share[];
  /** The terms of the last day on which he is employed. */
  readonly terms: Terms | undefined;
  /** How many of these periods a month has: amounts of a month are divided by it. */
  readonly per_month: { readonly text: string };
}

/** Amounts of a month, in periods of a run. */
const PART_OF_MONTH = { monthly: '', fortnightly: ' * 12 / 26', weekly: ' * 12 / 52' } as const;

const termsOn = (terms: readonly Terms[], date: string): Terms | undefined =>
  terms.findLast(({ from }) => from <= date);

function sharesOf({ facts }: PayInput, { days }: DayCount): Share[] {
  const shares: Share[] = [];
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

/** Reads an input that is in order. */
export function payOf(input: PayInput): Pay {
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

/** Whether a run that pays salaries pays somebody who had none of its days, as who left before them: nothing is to come of him. */
export const isGone = ({ input, shares }: Pay): boolean => input.facts.period.regular && shares.length === 0;

/** A component with what somebody has of it. */
export interface Held {
  readonly component: Component;
  readonly assigned: Assigned;
}

/** A component as terms have it, if they do. */
export const assignedIn = (terms: Terms | undefined, { code }: Component): Assigned | undefined =>
  terms?.components.find((each) => each.code === code);

/**
 * The components of a phase that somebody has, in the order of computing. What is paid by days he has as far as he had it on
 * any of them; everything else as on his last day.
 */
export function held({ input, terms, shares }: Pay, phase: Phase): Held[] {
  return input.facts.components.flatMap((component) => {
    if (component.one_off || phaseOf(component) !== phase) return [];
    const isByDays = phase === 'earning' && component.prorated;
    const last = isByDays ? shares.findLast((share) => assignedIn(share.terms, component))?.terms : terms;
    const assigned = assignedIn(last, component);
    return assigned ? [{ component, assigned }] : [];
  });
}

/** The amount or percent of a component that somebody has. */
export function rateOf({ component: { calc, amount, percent }, assigned }: Held): Rational {
  const own = calc === 'percent_of_basic' ? percent : amount;
  return rational(assigned.value ?? own ?? '0');
}

/** The figures that were computed so far, by their names. */
export interface Ledger {
  readonly values: Map<string, Rational>;
  readonly explanations: Explanation[];
}

/** Adds an amount to what a name has. */
export const addTo = ({ values }: Ledger, name: string, amount: Rational): void => {
  values.set(name, (values.get(name) ?? ZERO).add(amount));
};

/** The values of some names; one that has none is zero. */
export const pick = (values: Values, names: readonly string[]): Record<string, Rational> =>
  Object.fromEntries(names.map((name) => [name, values.get(name) ?? ZERO]));

const yearsBetween = (from: string, to: string): number => {
  const years = Number(to.slice(0, 4)) - Number(from.slice(0, 4));
  return Math.max(to.slice(5) < from.slice(5) ? years - 1 : years, 0);
};

/** Begins the figures of a payslip with those that are known before anything is earned. */
export function openLedger({ input, count, shares, terms }: Pay): Ledger {
  const { person, period } = input.facts;
  const sumMinutes = (of: 'worked_minutes' | 'overtime_minutes') => shares.reduce((sum, share) => sum + share[of], 0);
  const values = new Map<string, Rational>([
    ['working_days', count.working_days],
    ['payment_days', total(shares.map(({ paid }) => paid))],
    ['basic_full', terms ? rational(terms.amount) : ZERO],
    ['hours', hoursOf(sumMinutes('worked_minutes'))],
    ['overtime_hours', hoursOf(sumMinutes('overtime_minutes'))],
    ['age', rational(person.dob ? yearsBetween(person.dob, period.end) : 0)],
    ['service_years', rational(yearsBetween(person.joining_date, period.end))],
  ]);
  return { values, explanations: [] };
}
