import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RUNS, unitsOf, formatUnits } from '../test/properties.ts';
import { refusedField } from '../test/refused.ts';
import { spread, sum } from './money.ts';

test('gives the remaining unit to the largest remainder, or the lower position', () => {
  expect(spread('1.00', ['1', '1', '1'], 'EUR')).toEqual(['0.34', '0.33', '0.33']);
  expect(spread('0.35', ['1.15', '1.15', '1.15'], 'EUR')).toEqual(['0.12', '0.12', '0.11']);
  expect(spread('10.00', ['1', '2', '4'], 'EUR')).toEqual(['1.43', '2.86', '5.71']);
  expect(spread('0.01', ['1', '3', '2'], 'EUR')).toEqual(['0.00', '0.01', '0.00']);
  expect(spread('0.05', ['0.5', '0.5'], 'EUR')).toEqual(['0.03', '0.02']);
});

test('shares have the decimals of the currency', () => {
  expect(spread('100', ['1', '1', '1'], 'JPY')).toEqual(['34', '33', '33']);
  expect(spread('1', ['1', '1', '1'], 'KWD')).toEqual(['0.334', '0.333', '0.333']);
});

test('distributes a negative amount as its opposite', () => {
  expect(spread('-1.00', ['1', '1', '1'], 'EUR')).toEqual(['-0.34', '-0.33', '-0.33']);
  expect(spread('-0.01', ['1', '1'], 'EUR')).toEqual(['-0.01', '0.00']);
});

test('spreads evenly if all weights are zero', () => {
  expect(spread('0.05', ['0', '0', '0'], 'EUR')).toEqual(['0.02', '0.02', '0.01']);
});

test('gives nothing to a zero weight next to other weights', () => {
  expect(spread('0.05', ['0', '1', '0', '1'], 'EUR')).toEqual(['0.00', '0.03', '0.00', '0.02']);
});

test('distributes zero as zeros', () => {
  expect(spread('0', ['1', '0'], 'EUR')).toEqual(['0.00', '0.00']);
  expect(spread('0', ['0', '0'], 'JPY')).toEqual(['0', '0']);
  expect(spread('0.00', [], 'EUR')).toEqual([]);
});

test('equal weights get equal shares despite repeating decimals', () => {
  const thirds = ['0.33333333333333333333', '0.33333333333333333333', '0.33333333333333333333'];
  expect(spread('0.02', thirds, 'EUR')).toEqual(['0.01', '0.01', '0.00']);
  expect(spread('900000000000000.01', ['1', '1', '1'], 'EUR')).toEqual([
    '300000000000000.01',
    '300000000000000.00',
    '300000000000000.00',
  ]);
});

test('rejects an amount that cannot be distributed', () => {
  expect(refusedField(() => spread('0.01', [], 'EUR'))).toBe('weights');
  expect(() => spread('0.01', [], 'EUR')).toThrow('There is nothing to spread over.');
  expect(refusedField(() => spread('0.001', ['1'], 'EUR'))).toBe('total');
  expect(refusedField(() => spread('1', ['1', '-1'], 'EUR'))).toBe('weights.1');
  expect(refusedField(() => spread('1', ['1', 'x'], 'EUR'))).toBe('weights.1');
  expect(refusedField(() => spread('1', ['0.123456789012345678901'], 'EUR'))).toBe('weights.0');
});

test('spreads every unit, and each share within one unit of its quota', () => {
  const weights = fc.array(fc.bigInt(0n, 10n ** 9n), { minLength: 1, maxLength: 8 });
  const currencies = fc.constantFrom(['JPY', 0] as const, ['EUR', 2] as const, ['KWD', 3] as const);
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 12n), 10n ** 12n), weights, currencies, (units, weights, [currency, decimals]) => {
      const total = formatUnits(units, decimals);
      const shares = spread(total, weights.map(String), currency);
      expect(sum(shares, currency)).toBe(total);
      const whole = weights.reduce((a, b) => a + b, 0n);
      const [due, all] = whole === 0n ? [weights.map(() => 1n), BigInt(weights.length)] : [weights, whole];
      const errors = shares.map((share, at) => unitsOf(share, decimals) * all - units * due[at]!);
      expect(errors.filter((error) => error >= all || -error >= all)).toEqual([]);
    }),
    RUNS,
  );
});
