/**
 * The working of a figure. Each step is a line of arithmetic without names, in the language of formulas, and the figure is
 * computed from that text: what a payslip says of itself is therefore how it came about.
 */
import { evaluate } from './evaluate.ts';
import type { Formula } from './formula.ts';
import { parseLine } from './syntax.ts';
import { fixed, type Rational, written } from '../arithmetic/rational.ts';

/** A line of arithmetic and its value. */
export interface Step {
  readonly text: string;
  readonly value: string;
}

/** How a figure came about. Numbers of a step are inputs, or values of steps before it. */
export interface Explanation {
  /** The code of a component, or the name of a figure: `gross`. */
  readonly component: string;
  /** The one-off, the line of leave, the loan or the recovery of the line. */
  readonly of?: string;
  /** The payslip that the line corrects. */
  readonly of_payroll_entry_id?: string;
  /** The formula of the component, before its names were replaced. */
  readonly formula?: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  readonly result: string;
}

const NOTHING: ReadonlyMap<string, Rational> = new Map();

/** The value of a line of arithmetic, which hardly ever comes again: so it is not remembered, as formulas are. @throws FormulaFailed */
const valueOf = (text: string): Rational => evaluate(parseLine(text), NOTHING);

/** The working of one figure, as far as it has come. */
export interface Working {
  /** Adds a line, and returns its value. */
  step(text: string): Rational;
  /** The figure with its working: the value of the last line. */
  end(places: number): { readonly amount: Rational; readonly explanation: Explanation };
}

/** Begins the working of a figure. */
export function working(component: string, inputs: Readonly<Record<string, Rational>>, formula?: Formula): Working {
  const steps: Step[] = [];
  let last = valueOf('0');
  return {
    step(text) {
      last = valueOf(text);
      steps.push({ text, value: written(last) });
      return last;
    },
    end(places) {
      const shown = Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, written(value)]));
      const result = fixed(last, places);
      const explanation = { component, ...(formula && { formula: formula.text }), inputs: shown, steps, result };
      return { amount: last, explanation };
    },
  };
}

/** So many parts of a sum stand beside each other; those of a longer one stand in brackets, so that none is nested too deep. */
const PARTS_MAX = 100;

/** A sum as a line: `4433.02 + 155.84`; of nothing, `0`. */
export function sumText(values: readonly Rational[]): string {
  const [first, ...rest] = values;
  if (!first) return '0';
  if (values.length > PARTS_MAX) {
    const starts = Array.from({ length: Math.ceil(values.length / PARTS_MAX) }, (_, at) => at * PARTS_MAX);
    return starts.map((start) => `(${sumText(values.slice(start, start + PARTS_MAX))})`).join(' + ');
  }
  return rest.reduce((text, value) => `${text} ${value.s < 0n ? '-' : '+'} ${written(value.abs())}`, written(first));
}

/** Whether an explanation adds up: each line has the value that it says, and the last one is the result. */
export function addsUp({ steps, result }: Explanation): boolean {
  const places = result.split('.')[1]?.length ?? 0;
  const last = steps.at(-1);
  if (!last || fixed(valueOf(last.text), places) !== result) return false;
  return steps.every(({ text, value }) => written(valueOf(text)) === value);
}
