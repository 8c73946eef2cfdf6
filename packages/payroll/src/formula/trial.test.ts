import { expect, test } from '@jest/globals';
import { FormulaFailed } from './evaluate.ts';
import { FormulaInvalid } from './syntax.ts';
import { namesIn, tryFormula } from './trial.ts';
import { addsUp } from './working.ts';

test('a formula is tried by an example, to the cent, with its working', () => {
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

test('names stand once each, where they are first', () => {
  expect(namesIn('basic + gross - basic')).toEqual([
    { name: 'basic', position: 0 },
    { name: 'gross', position: 8 },
  ]);
});

test('what has no value is said', () => {
  expect(() => tryFormula('1 / basic', {}, 2)).toThrow(FormulaFailed);
  expect(() => tryFormula('1 +', {}, 2)).toThrow(FormulaInvalid);
});
