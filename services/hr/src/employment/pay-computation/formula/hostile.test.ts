import { describe, expect, test } from '@jest/globals';
import { component } from '../../../../test/pay-input.ts';
import { type Rational, rational, formatNumber } from '../arithmetic/rational.ts';
import { faultsIn } from '../facts/component.ts';
import { evaluateFormula, formulaOf } from './formula.ts';

const LIMIT = 1_000;
const repeatPart = (part: string): string => part.repeat(LIMIT).slice(0, LIMIT);
const joinParts = (count: number, part: (at: number) => string, operator: string): string =>
  Array.from({ length: count }, (_, at) => part(at)).join(operator);

/** The values of an employee, with the maximum number of digits. */
const values = new Map<string, Rational>(
  Object.entries({ a: '123456789.1234567891', b: '0.12345678901234567891', c: '7.1234567890123456787' }).map(
    ([name, value]) => [name, rational(value)],
  ),
);

/** Returns the message of a rejected formula, or its value. */
function outcomeOf(text: string): string {
  try {
    return formatNumber(evaluateFormula(formulaOf(text), values));
  } catch (error) {
    return (error as Error).message;
  }
}

const PARTS = 'A formula has at most 200 parts.';
const BRACKETS = 'A formula has at most 50 brackets within each other.';
const DIGITS = 'A value has more than 57 digits. Round intermediate results.';

describe('a hostile formula', () => {
  test.each([
    ['signs', `${repeatPart('-').slice(1)}1`, PARTS],
    ['negations', `${repeatPart('!').slice(1)}1`, PARTS],
    ['sums', `${repeatPart('1+').slice(2)}1`, PARTS],
    ['comparisons', repeatPart('1<2=='), PARTS],
    ['square brackets', repeatPart('['), PARTS],
    ['indexes', `a${repeatPart('[a]').slice(3)}`, PARTS],
    ['conditions', repeatPart('1?'), PARTS],
    ['semicolons', repeatPart('1;'), PARTS],
    ['calls within each other', repeatPart('max('), BRACKETS],
    ['brackets', repeatPart('('), BRACKETS],
    ['calls of results', `a${'()'.repeat(499)}`, 'The functions are min, max, round, floor, ceil, if.'],
    [
      'a number without an end',
      repeatPart('9'),
      'Write numbers as plain decimals, with at most 15 digits and 10 decimals.',
    ],
    ['quotients of values', joinParts(50, (at) => (at === 49 ? 'c/c' : 'b/c'), '*'), DIGITS],
    ['quotients of literals', joinParts(40, (at) => `1/0.${1_234_567_891 + at * 97}`, '+'), DIGITS],
    ['fractions with denominators of their own', joinParts(30, (at) => `1/${99_999_999_999 + at * 97}`, '+'), DIGITS],
    ['the maximum of quotients', `max(${joinParts(20, () => '1/b/b/b/b', ',')})`, DIGITS],
  ])('is rejected within bounded work if it consists of %s', (_, text, message) => {
    expect(text.length).toBeLessThanOrEqual(LIMIT);
    expect(outcomeOf(text)).toBe(message);
  });

  test('reports the position of the first part beyond the limit', () => {
    expect(() => formulaOf(repeatPart('['))).toThrow(expect.objectContaining({ position: 200 }));
    expect(() => formulaOf(`max(${joinParts(210, () => '15', ', ')})`)).toThrow(
      expect.objectContaining({ position: 4 + 199 * 4 }),
    );
  });

  test('allows the values that payslips contain', () => {
    expect(outcomeOf('round(a * 0.0123456789 / 30.4166666667 * 0.3333333333, 2)')).toBe('16703.1');
    expect(outcomeOf(joinParts(30, () => 'a / 3', '+'))).toBe('1234567891.234567891');
  });
});

test('reports one fault per component, in time linear to the references', () => {
  const formula = (code: string, text: string, position: number) =>
    component({ code, kind: 'earning', calc: 'formula', formula: text, position });
  const codes = Array.from({ length: 400 }, (_, at) => `c${at}`);
  const chain = codes.map((code, at) =>
    formula(code, at === 0 ? '1' : joinParts(100, (part) => codes[(at * 7 + part) % at]!, '+'), at),
  );
  expect(faultsIn(chain)).toEqual([]);
  const moved = [formula('c0', '1', 999), ...chain.slice(1)];
  const faults = faultsIn(moved);
  expect(faults).toHaveLength(399);
  expect(faults[0]).toMatchObject({ code: 'c1', message: 'c0 is computed after c1.' });
});
