import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Rational, rational, formatNumber } from '../arithmetic/rational.ts';
import { FormulaFailed } from './evaluate.ts';
import { evaluateFormula, substituteValues, formulaOf } from './formula.ts';
import { FormulaError } from './syntax.ts';

const values = (given: Record<string, string>): Map<string, Rational> =>
  new Map(Object.entries(given).map(([name, value]) => [name, rational(value)]));
/** Returns the error that some work throws. */
function errorThrownBy(work: () => unknown): Error | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

const evaluateText = (text: string, given: Record<string, string> = {}): string =>
  formatNumber(evaluateFormula(formulaOf(text), values(given)));

const errorOf = (text: string): [number, string] => {
  try {
    formulaOf(text);
  } catch (error) {
    if (error instanceof FormulaError) return [error.position, error.message];
    throw error;
  }
  throw new Error(`${text} was not refused.`);
};

describe('a formula', () => {
  test('checks a formula of maximum depth quickly', () => {
    expect(evaluateText(`if(1 == 1${' == true'.repeat(40)}, 1, 2)`)).toBe('1');
    const nested = Array.from({ length: 35 }).reduce<string>((inner) => `if(1 < 2, ${inner}, 3)`, '7');
    expect(evaluateText(nested)).toBe('7');
  });

  test.each([
    ['0.1 + 0.2', '0.3'],
    ['1 / 3 * 3', '1'],
    ['2 / 3', '(2 / 3)'],
    ['2 + 3 * 4 - -1', '15'],
    ['(2 + 3) * 4', '20'],
    ['min(3, 1, 2) + max(3, 1, 2)', '4'],
    ['round(2.5) + round(-2.5)', '0'],
    ['round(1.005, 2)', '1.01'],
    ['floor(2.9) + ceil(2.1)', '5'],
    ['floor(-2.1) + ceil(-2.9)', '-5'],
    ['if(1 < 2 && !(1 == 2), 10, 20)', '10'],
    ['if(1 > 2 || true == false, 10, 20)', '20'],
    ['if(1 != 1, 1 / 0, 7)', '7'],
    ['if(false && 1 / 0 > 1, 1, 2)', '2'],
    ['12345678901234.12345 * 10', '123456789012341.2345'],
  ])('evaluates %s to %s', (text, value) => {
    expect(evaluateText(text)).toBe(value);
  });

  test('reads values by name, and missing components as zero', () => {
    expect(evaluateText('min(basic * 0.005, 15) + bonus', { basic: '2000.00' })).toBe('10');
    const formula = formulaOf('(basic) - if(basic > 1, basic * basic_full, -basic)');
    expect(formula.mentions.map(({ name, position }) => [name, position])).toEqual([
      ['basic', 1],
      ['basic', 13],
      ['basic', 24],
      ['basic_full', 32],
      ['basic', 45],
    ]);
    expect(substituteValues(formula, values({ basic: '-2.50', basic_full: '3' }))).toBe(
      '((-2.5)) - if((-2.5) > 1, (-2.5) * 3, -(-2.5))',
    );
  });

  test.each([
    ['', 0, 'Enter a formula.'],
    ['basic *', 7, 'Expected expression after *.'],
    ['basic * (2', 10, 'Unclosed (.'],
    ['() 5', 0, 'These brackets are empty.'],
    ['1 2', 0, 'Write one expression of numbers, names, operators and functions.'],
    ['basic ** 2', 0, 'There is no operator **.'],
    ['2 + process.exit()', 4, 'The functions are min, max, round, floor, ceil, if.'],
    ['basic.constructor', 0, 'Write one expression of numbers, names, operators and functions.'],
    ['sqrt(2)', 0, 'The functions are min, max, round, floor, ceil, if.'],
    ['1 + "2"', 4, 'Write numbers as plain decimals, with at most 15 digits and 10 decimals.'],
    ['1e400', 0, 'Write numbers as plain decimals, with at most 15 digits and 10 decimals.'],
    ['1 + (2 > 1)', 4, 'This is true or false, and must be a number.'],
    ['1 < 2', 0, 'This is true or false, and must be a number.'],
    ['if(1, 2, 3)', 3, 'This is a number, and must be true or false.'],
    ['if(1 > 2, 2, 3 > 4)', 13, 'This is true or false, and must be a number.'],
    ['if(1 > 2, 2)', 0, 'if takes 3 values.'],
    ['round(1, 0.5)', 9, 'Write the decimals as a whole number up to 10.'],
    ['round(1, basic)', 9, 'Write the decimals as a whole number up to 10.'],
    ['min()', 0, 'min takes 1 to 20 values.'],
  ])('rejects %s at position %i: %s', (text, position, message) => {
    expect(errorOf(text)).toEqual([position, message]);
  });

  test('has bounds', () => {
    const sum = (count: number) => Array.from({ length: count }, () => '1').join('+');
    expect(evaluateText(sum(100))).toBe('100');
    expect(errorOf(sum(101))[1]).toBe('A formula has at most 200 parts.');
    expect(errorOf(`${'('.repeat(51)}1${')'.repeat(51)}`)[1]).toMatch('50 brackets');
    expect(errorOf(`1${' '.repeat(1_000)}`)[1]).toMatch('1000 characters');
    expect(errorOf('('.repeat(1_000))[1]).toMatch('50 brackets');
  });

  test.each([
    ['1 / (basic - 5)', 'The formula divides by zero.'],
    ['basic * 999999999999999', 'A value has more than 15 digits.'],
  ])('fails to evaluate %s', (text, message) => {
    expect(() => evaluateText(text, { basic: '5' })).toThrow(new FormulaFailed(message));
  });

  test('accepts or rejects any text without other errors', () => {
    const word = fc.constantFrom(
      'basic',
      '1',
      '2.5',
      '(',
      ')',
      ',',
      '+',
      '-',
      '*',
      '/',
      '<',
      '==',
      '&&',
      '!',
      'if',
      'min',
      'round',
      ' ',
      'constructor',
      '__proto__',
      'this',
      '[',
      ']',
      '.',
      '?',
      ':',
      ';',
      '"',
      '=>',
      '%',
      'null',
      '\u0000',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), (words) => {
        const error = errorThrownBy(() => evaluateText(words.join(''), { basic: '3' }));
        expect([undefined, FormulaError, FormulaFailed]).toContain(error?.constructor);
      }),
      { numRuns: 2_000 },
    );
  });
});
