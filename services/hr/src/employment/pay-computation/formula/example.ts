/** Test evaluation of a formula before it is saved, with its explanation. */
import { type Rational, rational } from '../arithmetic/rational.ts';
import { evaluateFormula, substituteValues, type Formula, formulaOf } from './formula.ts';
import { type Explanation, startCalculation } from './calculation.ts';

/** Returns the names in a formula, each once, in order of appearance. @throws FormulaInvalid */
export const namesIn = (formula: string): readonly Formula['mentions'][number][] => {
  const { mentions } = formulaOf(formula);
  return mentions.filter(({ name }, at) => mentions.findIndex((other) => other.name === name) === at);
};

/**
 * Evaluates a formula with example values. Missing names count as zero: the employee does not have the component.
 * @param places the number of decimals on a payslip in the currency
 * @throws FormulaInvalid, FormulaFailed
 */
export function tryFormula(text: string, example: Readonly<Record<string, string>>, places: number): Explanation {
  const formula = formulaOf(text);
  const values = new Map<string, Rational>(
    Object.entries(example).map(([name, value]): [string, Rational] => [name, rational(value)]),
  );
  const seen = Object.fromEntries(namesIn(text).map(({ name }) => [name, values.get(name) ?? rational(0)]));
  const figure = startCalculation('check', seen, formula);
  // Evaluates before the names are replaced, so that values beyond the limits are rejected.
  evaluateFormula(formula, values);
  const filled = substituteValues(formula, values);
  figure.step(filled);
  figure.step(`round(${filled}, ${places})`);
  return figure.end(places).explanation;
}
