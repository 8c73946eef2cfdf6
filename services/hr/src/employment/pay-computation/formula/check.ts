/** Type check of formulas: numbers and booleans, without conversion. */
import { FormulaError, type FunctionName, type FormulaNode, type Operator, partsOf } from './syntax.ts';

type ValueType = 'number' | 'truth';

const WORDS: Readonly<Record<ValueType, string>> = { number: 'a number', truth: 'true or false' };

/** Minimum and maximum number of operands of each function. */
const COUNTS: Readonly<Record<FunctionName, readonly [number, number]>> = {
  min: [1, 20],
  max: [1, 20],
  round: [1, 2],
  floor: [1, 1],
  ceil: [1, 1],
  if: [3, 3],
};

function assertType(node: FormulaNode, expected: ValueType): void {
  const found = typeOf(node);
  if (found !== expected)
    throw new FormulaError(node.position, `This is ${WORDS[found]}, and must be ${WORDS[expected]}.`);
}

function typeOfCall({ name, given, position }: Extract<FormulaNode, { kind: 'call' }>): ValueType {
  const [fewest, most] = COUNTS[name];
  if (given.length < fewest || given.length > most) {
    const count = fewest === most ? String(fewest) : `${fewest} to ${most}`;
    throw new FormulaError(position, `${name} takes ${count} values.`);
  }
  if (name === 'if') {
    const [test, whenTrue, whenFalse] = given as [FormulaNode, FormulaNode, FormulaNode];
    assertType(test, 'truth');
    // Each node is visited once: visiting it twice at each level would take exponential time.
    const type = typeOf(whenTrue);
    assertType(whenFalse, type);
    return type;
  }
  for (const node of given) assertType(node, 'number');
  const [, places] = given;
  if (name === 'round' && places && !(places.kind === 'number' && places.value.d === 1n && places.value.lte(10)))
    throw new FormulaError(places.position, 'Write the decimals as a whole number up to 10.');
  return 'number';
}

const isLogical = (operator: Operator): boolean => operator === '&&' || operator === '||';
const isEquality = (operator: Operator): boolean => operator === '==' || operator === '!=';

function typeOfPair({ operator, left, right }: Extract<FormulaNode, { kind: 'pair' }>): ValueType {
  if (isEquality(operator)) assertType(right, typeOf(left));
  else for (const node of [left, right]) assertType(node, isLogical(operator) ? 'truth' : 'number');
  return '+-*/'.includes(operator) ? 'number' : 'truth';
}

/** Returns the type of a node. @throws FormulaError if an operator or a function gets a value of another type */
function typeOf(node: FormulaNode): ValueType {
  switch (node.kind) {
    case 'number':
    case 'name':
      return 'number';
    case 'truth':
      return 'truth';
    case 'sign': {
      const expected = node.operator === '!' ? 'truth' : 'number';
      assertType(node.of, expected);
      return expected;
    }
    case 'pair':
      return typeOfPair(node);
    default:
      return typeOfCall(node);
  }
}

/** A name in a formula, with its position. */
export interface Mention {
  readonly name: string;
  readonly position: number;
}

/** Returns the names in a formula, in order of position. */
export function mentions(node: FormulaNode): readonly Mention[] {
  const own = node.kind === 'name' ? [{ name: node.name, position: node.position }] : [];
  return [...own, ...partsOf(node).flatMap(mentions)];
}

/** Checks that a formula is a number. @throws FormulaError */
export const assertNumber = (node: FormulaNode): void => assertType(node, 'number');
