/** A formula that is tried before it is kept: its working for an example. */
import { type Rational, rational } from '../arithmetic/rational.ts';
import { compute, filledIn, type Formula, formulaOf } from './formula.ts';
import { type Explanation, working } from './working.ts';

/** The names that a formula mentions, each once, in the order in which they stand there. @throws FormulaInvalid */
export const namesIn = (formula: string): readonly Formula['mentions'][number][] => {
  const { mentions } = formulaOf(formula);
  return mentions.filter(({ name }, at) => mentions.findIndex((other) => other.name === name) === at);
};

/**
 * Computes a formula for an example. What the example does not name is of something that the person does not get: zero.
 * @param places the decimals that a payslip in the currency has
 * @throws FormulaInvalid, FormulaFailed
 */
export function tryFormula(text: string, example: Readonly<Record<string, string>>, places: number): Explanation {
  const formula = formulaOf(text);
  const values = new Map<string, Rational>(
    Object.entries(example).map(([name, value]): [string, Rational] => [name, rational(value)]),
  );
  const seen = Object.fromEntries(namesIn(text).map(({ name }) => [name, values.get(name) ?? rational(0)]));
  const figure = working('check', seen, formula);
  // Computed before its names are replaced: a value that has no end is refused as one.
  compute(formula, values);
  const filled = filledIn(formula, values);
  figure.step(filled);
  figure.step(`round(${filled}, ${places})`);
  return figure.end(places).explanation;
}
