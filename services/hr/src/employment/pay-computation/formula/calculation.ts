/**
 * Calculation of a value. Each step is a line of arithmetic without names, in the language of formulas, and the value
 * is computed from that text. A payslip's explanation is therefore always its actual calculation.
 */
import { evaluate } from './evaluate.ts';
import type { Formula } from './formula.ts';
import { parseLine } from './syntax.ts';
import { formatFixed, type Rational, formatNumber } from '../arithmetic/rational.ts';

/** A line of arithmetic with its value. */
export interface FormulaStep {
  readonly text: string;
  readonly value: string;
}

/** Explanation of a value. Numbers in a step are inputs, or values of earlier steps. */
export interface Explanation {
  /** Code of a component, or name of a value: `gross`. */
  readonly component: string;
  /** Source of the line: a one-off, leave ledger entry, loan or recovery. */
  readonly of?: string;
  /** Payslip that the line corrects. */
  readonly of_payroll_entry_id?: string;
  /** Formula of the component, before names are replaced. */
  readonly formula?: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly steps: readonly FormulaStep[];
  readonly result: string;
}

const NOTHING: ReadonlyMap<string, Rational> = new Map();

/**
 * Evaluates a line of arithmetic. Lines rarely repeat, so unlike formulas they are not cached. @throws FormulaFailed
 */
const valueOf = (text: string): Rational => evaluate(parseLine(text), NOTHING);

/** Calculation of one value in progress. */
export interface Calculation {
  /** Adds a line and returns its value. */
  step(text: string): Rational;
  /** Returns the value of the last line, with its explanation. */
  end(places: number): { readonly amount: Rational; readonly explanation: Explanation };
}

/** Starts the calculation of a value. */
export function startCalculation(
  component: string,
  inputs: Readonly<Record<string, Rational>>,
  formula?: Formula,
): Calculation {
  const steps: FormulaStep[] = [];
  let last = valueOf('0');
  return {
    step(text) {
      last = valueOf(text);
      steps.push({ text, value: formatNumber(last) });
      return last;
    },
    end(places) {
      const shown = Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, formatNumber(value)]));
      const result = formatFixed(last, places);
      const explanation = { component, ...(formula && { formula: formula.text }), inputs: shown, steps, result };
      return { amount: last, explanation };
    },
  };
}

/** Maximum number of parts in a flat sum. A longer sum is grouped in brackets, so that no part is nested too deep. */
const PARTS_MAX = 100;

/** Returns a sum as a line: `4433.02 + 155.84`. Returns `0` for no values. */
export function sumText(values: readonly Rational[]): string {
  const [first, ...rest] = values;
  if (!first) return '0';
  if (values.length > PARTS_MAX) {
    const starts = Array.from({ length: Math.ceil(values.length / PARTS_MAX) }, (_, at) => at * PARTS_MAX);
    return starts.map((start) => `(${sumText(values.slice(start, start + PARTS_MAX))})`).join(' + ');
  }
  return rest.reduce(
    (text, value) => `${text} ${value.s < 0n ? '-' : '+'} ${formatNumber(value.abs())}`,
    formatNumber(first),
  );
}

/** Returns true if an explanation adds up: each line has its stated value, and the last one is the result. */
export function addsUp({ steps, result }: Explanation): boolean {
  const places = result.split('.')[1]?.length ?? 0;
  const last = steps.at(-1);
  if (!last || formatFixed(valueOf(last.text), places) !== result) return false;
  return steps.every(({ text, value }) => formatNumber(valueOf(text)) === value);
}
