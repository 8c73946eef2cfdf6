import { expect, test } from '@jest/globals';
import { FormulaFailed } from './evaluate.ts';
import { FormulaError } from './syntax.ts';
import { namesIn, tryFormula } from './example.ts';
import { addsUp } from './calculation.ts';

test('evaluates a formula with example values, rounded, with its explanation', () => {
  const tried = tryFormula('min(basic * 0.005, 15)', { basic: '2345.67' }, 2);
  expect(tried).toEqual({
    component: 'check',
    formula: 'min(basic * 0.005, 15)',
    inputs: { basic: '2345.67' },
    steps: [
      { text: 'min(2345.67 * 0.005, 15)', value: '11.72835' },
      { text: 'round(min(2345.67 * 0.005, 15), 2)', value: '11.73' },
    ],
    result: '11.73',
  });
  expect(addsUp(tried)).toBe(true);
  expect(tryFormula('basic / 3', { basic: '1000' }, 0).result).toBe('333');
  expect(tryFormula('bonus + 1', {}, 2).result).toBe('1.00');
});

test('lists each name once, at its first position', () => {
  expect(namesIn('basic + gross - basic')).toEqual([
    { name: 'basic', position: 0 },
    { name: 'gross', position: 8 },
  ]);
});

test('rejects formulas without a value', () => {
  expect(() => tryFormula('1 / basic', {}, 2)).toThrow(FormulaFailed);
  expect(() => tryFormula('1 +', {}, 2)).toThrow(FormulaError);
});
