/**
 * Syntax of formulas. jsep parses the text, and its result is limited to the few kinds of node that a formula may have.
 * Literals are read as written, not as the floats of the library.
 */
import jsep from 'jsep';
import { formatExact, type Rational, rational } from '../arithmetic/rational.ts';

/** A formula that cannot be saved. @property position of the character at fault, from 0 */
export class FormulaError extends Error {
  readonly position: number;

  constructor(position: number, message: string) {
    super(message);
    this.name = 'FormulaInvalid';
    this.position = position;
  }
}

export const functions = ['min', 'max', 'round', 'floor', 'ceil', 'if'] as const;
export type FunctionName = (typeof functions)[number];

const operators = ['+', '-', '*', '/', '<', '<=', '>', '>=', '==', '!=', '&&', '||'] as const;
export type Operator = (typeof operators)[number];

/** A node of a formula, with its start position. */
export type FormulaNode = { readonly position: number } & (
  | { readonly kind: 'number'; readonly value: Rational }
  | { readonly kind: 'truth'; readonly value: boolean }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'sign'; readonly operator: '-' | '+' | '!'; readonly of: FormulaNode }
  | { readonly kind: 'pair'; readonly operator: Operator; readonly left: FormulaNode; readonly right: FormulaNode }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly given: readonly FormulaNode[] }
);

const MAX_NODES = 200;
const MAX_LENGTH = 1_000;
const MAX_DEPTH = 50;

/** Readers inside a token that this plugin itself requested. */
const visited = new WeakSet<object>();

/** The library does not report where a node begins. */
jsep.plugins.register({
  name: 'positions',
  init() {
    jsep.hooks.add('gobble-token', function readToken(env) {
      if (visited.delete(this)) return;
      visited.add(this);
      const position = this.index;
      const node = this.gobbleToken();
      if (!node && this.index !== position) throw new FormulaError(position, 'These brackets are empty.');
      // A node in brackets begins inside the brackets.
      if (node) env.node = { ...node, position: startOf(node) ?? position };
    });
  },
});

const startOf = (node: jsep.Expression): number | undefined =>
  typeof node.position === 'number' ? node.position : undefined;

/** Returns the start position of a node. Two operands begin at the left one. */
function positionOf(node: jsep.Expression): number {
  const own = startOf(node);
  if (own !== undefined) return own;
  return node.type === 'BinaryExpression' ? positionOf((node as jsep.BinaryExpression).left) : 0;
}

const isOneOf = <T extends string>(known: readonly T[], word: string): word is T =>
  (known as readonly string[]).includes(word);

/** The limits of a text: the number of nodes and the allowed numbers. */
interface FormulaLimits {
  nodes: number;
  numberOf(raw: string): Rational | undefined;
}

/** Limits for formulas that users enter. */
const TYPED: FormulaLimits = {
  nodes: MAX_NODES,
  numberOf: (raw) => (/^\d{1,15}(\.\d{1,10})?$/.test(raw) ? rational(raw) : undefined),
};
/** Limits for calculated lines, which have as many parts as there are facts, and exact numbers. */
const COMPUTED: FormulaLimits = {
  nodes: Number.POSITIVE_INFINITY,
  numberOf: (raw) => (/^\d+(\.\d+)?$/.test(raw) ? formatExact(raw) : undefined),
};

function literal(node: jsep.Literal, position: number, { numberOf }: FormulaLimits): FormulaNode {
  if (typeof node.value === 'boolean') return { kind: 'truth', position, value: node.value };
  const value = typeof node.value === 'number' ? numberOf(node.raw) : undefined;
  if (value) return { kind: 'number', position, value };
  throw new FormulaError(position, 'Write numbers as plain decimals, with at most 15 digits and 10 decimals.');
}

/** Returns a function that converts and counts the library's nodes. */
function narrower(limits: FormulaLimits) {
  let count = 0;
  const call = (node: jsep.CallExpression, position: number): FormulaNode => {
    const name = node.callee.type === 'Identifier' ? String((node.callee as jsep.Identifier).name) : '';
    if (!isOneOf(functions, name)) throw new FormulaError(position, `The functions are ${functions.join(', ')}.`);
    return { kind: 'call', position, name, given: node.arguments.map(narrow) };
  };
  const pair = ({ operator, left, right }: jsep.BinaryExpression, position: number): FormulaNode => {
    if (!isOneOf(operators, operator)) throw new FormulaError(position, `There is no operator ${operator}.`);
    return { kind: 'pair', position, operator, left: narrow(left), right: narrow(right) };
  };
  const sign = ({ operator, argument }: jsep.UnaryExpression, position: number): FormulaNode => {
    if (!isOneOf(['-', '+', '!'], operator)) throw new FormulaError(position, `There is no operator ${operator}.`);
    return { kind: 'sign', position, operator, of: narrow(argument) };
  };
  function narrow(node: jsep.Expression): FormulaNode {
    const position = positionOf(node);
    count += 1;
    if (count > limits.nodes) throw new FormulaError(position, `A formula has at most ${MAX_NODES} parts.`);
    switch (node.type as jsep.ExpressionType) {
      case 'Literal':
        return literal(node as jsep.Literal, position, limits);
      case 'Identifier':
        return { kind: 'name', position, name: String((node as jsep.Identifier).name) };
      case 'UnaryExpression':
        return sign(node as jsep.UnaryExpression, position);
      case 'BinaryExpression':
        return pair(node as jsep.BinaryExpression, position);
      case 'CallExpression':
        return call(node as jsep.CallExpression, position);
      default:
        throw new FormulaError(position, 'Write one expression of numbers, names, operators and functions.');
    }
  }
  return narrow;
}

/** The tokens that become nodes: numbers and names, and each operator. Brackets and commas only group them. */
const TOKEN = /[\p{L}\p{N}_$.]+|&&|\|\||[<>=!]=|[^\s\p{L}\p{N}_$.(),]/gu;

/**
 * Returns the position of the first token beyond the limit. A long text is rejected before the library builds its tree.
 */
function excessPosition(text: string): number | undefined {
  let count = 0;
  for (const { index } of text.matchAll(TOKEN)) {
    count += 1;
    if (count > MAX_NODES) return index;
  }
  return undefined;
}

/** Returns the maximum depth of brackets in a text. */
function depthOf(text: string): number {
  let [depth, most] = [0, 0];
  for (const sign of text) {
    if (sign === '(') depth += 1;
    if (sign === ')') depth -= 1;
    most = Math.max(most, depth);
  }
  return most;
}

function readText(text: string): jsep.Expression {
  try {
    return jsep(text);
  } catch (error) {
    if (error instanceof FormulaError) throw error;
    const { index = 0, description } = error as { index?: number; description?: string };
    throw new FormulaError(index, description ? `${description}.` : 'This formula cannot be read.');
  }
}

/**
 * Parses a formula.
 * @throws FormulaError if it does not parse, is longer than 1,000 characters, or has more than 200 parts
 */
export function parse(text: string): FormulaNode {
  if (text.trim() === '') throw new FormulaError(0, 'Enter a formula.');
  if (text.length > MAX_LENGTH) throw new FormulaError(MAX_LENGTH, `A formula has at most ${MAX_LENGTH} characters.`);
  if (depthOf(text) > MAX_DEPTH)
    throw new FormulaError(0, `A formula has at most ${MAX_DEPTH} brackets within each other.`);
  const excess = excessPosition(text);
  if (excess !== undefined) throw new FormulaError(excess, `A formula has at most ${MAX_NODES} parts.`);
  return narrower(TYPED)(readText(text));
}

/** Parses a calculated line of arithmetic. */
export const parseLine = (text: string): FormulaNode => narrower(COMPUTED)(readText(text));

/** Returns the child nodes of a node. */
export function partsOf(node: FormulaNode): readonly FormulaNode[] {
  if (node.kind === 'sign') return [node.of];
  if (node.kind === 'pair') return [node.left, node.right];
  return node.kind === 'call' ? node.given : [];
}
