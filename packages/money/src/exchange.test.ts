import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RUNS, formatUnits } from '../test/properties.ts';
import { refusedField } from '../test/refused.ts';
import { journalToBase, sum, toBase } from './money.ts';

test('converts an amount to base currency by multiplying it by the rate', () => {
  expect(toBase('184.76', '0.9137', 'EUR')).toBe('168.82');
  expect(toBase('100', '0.0061234567', 'EUR')).toBe('0.61');
  expect(toBase('1.00', '149.5', 'JPY')).toBe('150');
  expect(toBase('-1.00', '149.5', 'JPY')).toBe('-150');
  expect(toBase('2.005', '1', 'KWD')).toBe('2.005');
  expect(toBase('0.00', '1.1', 'EUR')).toBe('0.00');
});

test('a rate must be positive and has at most ten decimals', () => {
  for (const rate of ['0', '0.00', '-1', '1.12345678901', 'x']) {
    expect(refusedField(() => toBase('1', rate, 'EUR'))).toBe('rate');
    expect(refusedField(() => journalToBase(['1', '-1'], rate, 'EUR'))).toBe('rate');
  }
  expect(() => toBase('1', '0', 'EUR')).toThrow('This must be more than zero.');
  expect(toBase('1', '1.1234567891', 'EUR')).toBe('1.12');
});

test('rejects a value that is too large for an amount', () => {
  expect(refusedField(() => toBase('1.00001', '1', 'EUR'))).toBe('amount');
  expect(refusedField(() => toBase('500000000000000', '2', 'EUR'))).toBe('amount');
  expect(refusedField(() => toBase('-500000000000000', '2', 'EUR'))).toBe('amount');
  expect(() => toBase('500000000000000', '2', 'EUR')).toThrow(
    'The resulting amount is too large. Enter a smaller value.',
  );
  expect(toBase('499999999999999.99', '2', 'EUR')).toBe('999999999999999.98');
  expect(refusedField(() => journalToBase(['1', '-0.99999', '-0.00001'], '1', 'EUR'))).toBe('amounts.1');
  expect(refusedField(() => journalToBase(['-500000000000000', '500000000000000'], '2', 'EUR'))).toBe('amounts.0');
});

// Worked example G12.
test('balances the journal of an invoice, also in another currency', () => {
  const journal = ['184.76', '-153.97', '-30.79', '22.00', '-22.00'];
  expect(journalToBase(journal, '1', 'EUR')).toEqual({ amounts: journal, difference: '0.00' });
  expect(journalToBase(['184.76', '-153.97', '-30.79'], '0.91', 'EUR')).toEqual({
    amounts: ['168.13', '-140.11', '-28.02'],
    difference: '0.00',
  });
});

test('converts each amount separately and returns the difference', () => {
  expect(journalToBase(['0.03', '-0.01', '-0.01', '-0.01'], '0.5', 'EUR')).toEqual({
    amounts: ['0.02', '-0.01', '-0.01', '-0.01'],
    difference: '0.01',
  });
  expect(journalToBase([], '2', 'JPY')).toEqual({ amounts: [], difference: '0' });
});

test('rejects a journal that does not balance', () => {
  expect(refusedField(() => journalToBase(['1.00', '-0.99'], '1', 'EUR'))).toBe('amounts');
  expect(() => journalToBase(['1.00', '-0.99'], '1', 'EUR')).toThrow('Debits and credits do not balance.');
});

test('a journal in the base currency balances with its difference', () => {
  const amounts = fc.array(fc.bigInt(-(10n ** 9n), 10n ** 9n), { maxLength: 8 });
  fc.assert(
    fc.property(amounts, fc.bigInt(1n, 10n ** 13n), (units, factor) => {
      const rate = formatUnits(factor, 10);
      const balanced = [...units, -units.reduce((a, b) => a + b, 0n)].map((amount) => formatUnits(amount, 2));
      const { amounts, difference } = journalToBase(balanced, rate, 'EUR');
      expect(sum([...amounts, difference], 'EUR')).toBe('0.00');
      expect(amounts).toEqual(balanced.map((amount) => toBase(amount, rate, 'EUR')));
    }),
    RUNS,
  );
});
