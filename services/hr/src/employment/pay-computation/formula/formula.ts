/** Formulas: arithmetic over the values of a payslip, without any other capability. */
import { LRUCache } from 'lru-cache';
import { type Rational, formatNumber } from '../arithmetic/rational.ts';
import { assertNumber, type Mention, mentions } from './check.ts';
import { evaluate, type FormulaValues } from './evaluate.ts';
import { type FormulaNode, parse } from './syntax.ts';

/** A parsed and checked formula. */
export interface Formula {
  readonly text: string;
  /** Names in the formula, with repetitions. */
  readonly mentions: readonly Mention[];
  readonly root: FormulaNode;
}

const cache = new LRUCache<string, Formula>({ max: 2_000 });

/** Parses a formula. @throws FormulaInvalid if it does not parse or is not a number */
export function formulaOf(text: string): Formula {
  const before = cache.get(text);
  if (before) return before;
  const root = parse(text);
  assertNumber(root);
  const formula = { text, root, mentions: mentions(root).toSorted((one, other) => one.position - other.position) };
  cache.set(text, formula);
  return formula;
}

/** Returns the value of a formula. @throws FormulaFailed */
export const evaluateFormula = ({ root }: Formula, values: FormulaValues): Rational => evaluate(root, values);

/** Returns the formula with values instead of names: `min(3946.43 * 0.005, 15)`. */
export function substituteValues({ text, mentions: all }: Formula, values: FormulaValues): string {
  let [filled, from] = ['', 0];
  for (const { name, position } of all) {
    const value = values.get(name);
    const shown = value ? formatNumber(value) : '0';
    filled += text.slice(from, position) + (shown.startsWith('-') ? `(${shown})` : shown);
    from = position + name.length;
  }
  return filled + text.slice(from);
}
