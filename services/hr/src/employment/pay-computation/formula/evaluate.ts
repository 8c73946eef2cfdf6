/** Evaluates formulas exactly. Each node is visited at most once, so the number of nodes limits the cost. */
import { CEILING, greatest, least, ONE, type Rational, round, ZERO } from '../arithmetic/rational.ts';
import type { FunctionName, FormulaNode } from './syntax.ts';

/** Formula without a value for an employee's pay: it divides by zero, or its value is too large. */
export class FormulaFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FormulaFailed';
  }
}

/** The value of each name that a formula may refer to. */
export type FormulaValues = ReadonlyMap<string, Rational>;

type FormulaValue = Rational | boolean;

/**
 * The limit of numerator and denominator: 2^192, about 57 digits. Amounts, rates and days need far fewer. Without the
 * limit, quotients of long decimals grow with each operation, and so does the work of the next one.
 */
const PRECISE = 1n << 192n;

function assertPrecision(value: Rational): Rational {
  if (value.d >= PRECISE || value.n >= PRECISE)
    throw new FormulaFailed('A value has more than 57 digits. Round intermediate results.');
  if (value.abs().gte(CEILING)) throw new FormulaFailed('A value has more than 15 digits.');
  return value;
}

function divide(left: Rational, right: Rational): Rational {
  if (right.equals(ZERO)) throw new FormulaFailed('The formula divides by zero.');
  return left.div(right);
}

const arithmetic = {
  '+': (left: Rational, right: Rational) => left.add(right),
  '-': (left: Rational, right: Rational) => left.sub(right),
  '*': (left: Rational, right: Rational) => left.mul(right),
  '/': divide,
};
const comparison = {
  '<': (order: number) => order < 0,
  '<=': (order: number) => order <= 0,
  '>': (order: number) => order > 0,
  '>=': (order: number) => order >= 0,
};

/** Rounds down to the next lower whole number: -1.5 becomes -2. */
const roundDown = (value: Rational): Rational => value.floor();
const roundUp = (value: Rational): Rational => value.ceil();

const called: Readonly<Record<Exclude<FunctionName, 'if'>, (given: readonly Rational[]) => Rational>> = {
  min: (given) => given.reduce(least),
  max: (given) => given.reduce(greatest),
  round: ([value = ZERO, places = ZERO]) => round(value, Number(places.n)),
  floor: ([value = ZERO]) => roundDown(value),
  ceil: ([value = ZERO]) => roundUp(value),
};

function pairValue(
  { operator, left, right }: Extract<FormulaNode, { kind: 'pair' }>,
  values: FormulaValues,
): FormulaValue {
  // The right side is not evaluated if the left side decides.
  if (operator === '&&') return truthOf(left, values) && truthOf(right, values);
  if (operator === '||') return truthOf(left, values) || truthOf(right, values);
  const [one, other] = [valueOf(left, values), valueOf(right, values)];
  if (typeof one === 'boolean' || typeof other === 'boolean') return (one === other) === (operator === '==');
  if (operator === '==' || operator === '!=') return one.equals(other) === (operator === '==');
  if (operator in comparison) return comparison[operator as keyof typeof comparison](one.compare(other));
  return assertPrecision(arithmetic[operator as keyof typeof arithmetic](one, other));
}

function callValue({ name, given }: Extract<FormulaNode, { kind: 'call' }>, values: FormulaValues): FormulaValue {
  if (name !== 'if') return called[name](given.map((node) => number(node, values)));
  const [test, whenTrue, whenFalse] = given as [FormulaNode, FormulaNode, FormulaNode];
  return truthOf(test, values) ? valueOf(whenTrue, values) : valueOf(whenFalse, values);
}

function valueOf(node: FormulaNode, values: FormulaValues): FormulaValue {
  switch (node.kind) {
    case 'number':
    case 'truth':
      return node.value;
    case 'name':
      return values.get(node.name) ?? ZERO;
    case 'sign':
      if (node.operator === '!') return !truthOf(node.of, values);
      return number(node.of, values).mul(node.operator === '-' ? ONE.neg() : ONE);
    case 'pair':
      return pairValue(node, values);
    default:
      return callValue(node, values);
  }
}

const truthOf = (node: FormulaNode, values: FormulaValues): boolean => valueOf(node, values) === true;

function number(node: FormulaNode, values: FormulaValues): Rational {
  const value = valueOf(node, values);
  if (typeof value === 'boolean') throw new TypeError('A formula was not checked before it was computed.');
  return value;
}

/**
 * Returns the value of a checked formula. A name without a value counts as zero: the employee does not have the
 * component.
 * @throws FormulaFailed if it divides by zero, or a value has more than 15 digits
 */
export const evaluate = (node: FormulaNode, values: FormulaValues): Rational => number(node, values);
