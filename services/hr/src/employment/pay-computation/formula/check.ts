/** Type check of formulas: numbers and booleans, without conversion. */
import { FormulaError, type FunctionName, type Node, type Operator, partsOf } from './syntax.ts';

type Type = 'number' | 'truth';

const WORDS: Readonly<Record<Type, string>> = { number: 'a number', truth: 'true or false' };

/** Minimum and maximum number of operands of each function. */
const COUNTS: Readonly<Record<FunctionName, readonly [number, number]>> = {
  min: [1, 20],
  max: [1, 20],
  round: [1, 2],
  floor: [1, 1],
  ceil: [1, 1],
  if: [3, 3],
};

function demand(node: Node, wanted: Type): void {
  const found = typeOf(node);
  if (found !== wanted) throw new FormulaError(node.position, `This is ${WORDS[found]}, and must be ${WORDS[wanted]}.`);
}

function typeOfCall({ name, given, position }: Extract<Node, { kind: 'call' }>): Type {
  const [fewest, most] = COUNTS[name];
  if (given.length < fewest || given.length > most) {
    const count = fewest === most ? String(fewest) : `${fewest} to ${most}`;
    throw new FormulaError(position, `${name} takes ${count} values.`);
  }
  if (name === 'if') {
    const [test, whenTrue, whenFalse] = given as [Node, Node, Node];
    demand(test, 'truth');
    // Each node is visited once: visiting it twice at each level would take exponential time.
    const type = typeOf(whenTrue);
    demand(whenFalse, type);
    return type;
  }
  for (const node of given) demand(node, 'number');
  const [, places] = given;
  if (name === 'round' && places && !(places.kind === 'number' && places.value.d === 1n && places.value.lte(10)))
    throw new FormulaError(places.position, 'Write the decimals as a whole number up to 10.');
  return 'number';
}

const isLogical = (operator: Operator): boolean => operator === '&&' || operator === '||';
const isEquality = (operator: Operator): boolean => operator === '==' || operator === '!=';

function typeOfPair({ operator, left, right }: Extract<Node, { kind: 'pair' }>): Type {
  if (isEquality(operator)) demand(right, typeOf(left));
  else for (const node of [left, right]) demand(node, isLogical(operator) ? 'truth' : 'number');
  return '+-*/'.includes(operator) ? 'number' : 'truth';
}

/** Returns the type of a node. @throws FormulaError if an operator or a function gets a value of another type */
function typeOf(node: Node): Type {
  switch (node.kind) {
    case 'number':
    case 'name':
      return 'number';
    case 'truth':
      return 'truth';
    case 'sign': {
      const wanted = node.operator === '!' ? 'truth' : 'number';
      demand(node.of, wanted);
      return wanted;
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
export function mentions(node: Node): readonly Mention[] {
  const own = node.kind === 'name' ? [{ name: node.name, position: node.position }] : [];
  return [...own, ...partsOf(node).flatMap(mentions)];
}

/** Checks that a formula is a number. @throws FormulaError */
export const assertNumber = (node: Node): void => demand(node, 'number');
