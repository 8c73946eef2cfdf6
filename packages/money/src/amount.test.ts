import { expect, test } from '@jest/globals';
import { refusedField } from '../test/refused.ts';
import { AmountRefused, compare, currenciesWith, isOverPrecise, isZero, minorUnits, roundTo } from './money.ts';
import { subtract, sum, formatWithDecimals } from './money.ts';

test('a currency has two decimals unless ISO 4217 defines none or three', () => {
  expect(['EUR', 'USD', 'HUF', 'JPY', 'KRW', 'KWD', 'TND'].map(minorUnits)).toEqual([2, 2, 2, 0, 0, 3, 3]);
  expect(currenciesWith[0].map(minorUnits)).toEqual(Array.from({ length: 17 }, () => 0));
  expect(currenciesWith[3].map(minorUnits)).toEqual(Array.from({ length: 7 }, () => 3));
});

test('requires three upper-case characters A-Z for a currency', () => {
  for (const wrong of ['', 'eur', 'EURO', 'xEUR', 'EU1']) {
    expect(refusedField(() => minorUnits(wrong))).toBe('currency');
  }
  expect(() => minorUnits('euro')).toThrow('Enter a three-character currency code (ISO 4217).');
});

test('amounts are rounded half away from zero to the decimals of their currency', () => {
  expect(roundTo('1.5', 'EUR')).toBe('1.50');
  expect(roundTo('1.005', 'EUR')).toBe('1.01');
  expect(roundTo('1.004999', 'EUR')).toBe('1.00');
  expect(roundTo('-1.005', 'EUR')).toBe('-1.01');
  expect(roundTo('2.5', 'JPY')).toBe('3');
  expect(roundTo('-2.5', 'JPY')).toBe('-3');
  expect(roundTo('2.49', 'JPY')).toBe('2');
  expect(roundTo('1.2345', 'KWD')).toBe('1.235');
  expect(roundTo('-0.001', 'EUR')).toBe('0.00');
});

test('large amounts keep every digit', () => {
  expect(roundTo('999999999999999.9949', 'EUR')).toBe('999999999999999.99');
  expect(sum(['999999999999999.99', '0.01', '999999999999999.99'], 'EUR')).toBe('1999999999999999.99');
});

test('detects amounts with more decimals than their currency', () => {
  expect(isOverPrecise('1.50', 'EUR')).toBe(false);
  expect(isOverPrecise('1.5000', 'EUR')).toBe(false);
  expect(isOverPrecise('1.501', 'EUR')).toBe(true);
  expect(isOverPrecise('1.501', 'KWD')).toBe(false);
  expect(isOverPrecise('1.5', 'JPY')).toBe(true);
  expect(isOverPrecise('-1', 'JPY')).toBe(false);
});

test('sums of the largest amounts can be added, compared and rounded', () => {
  const largest = '999999999999999.99';
  const total = sum(
    Array.from({ length: 1_000 }, () => largest),
    'EUR',
  );
  expect(sum([total, total], 'EUR')).toBe('1999999999999999980.00');
  expect(subtract(total, largest, 'EUR')).toBe('998999999999999990.01');
  expect([roundTo(`${total}5`, 'EUR'), compare(total, largest), isZero(total)]).toEqual([
    '999999999999999990.01',
    1,
    false,
  ]);
});

test('accepts only plain decimal strings as amounts', () => {
  const wrong = ['', ' 1', '1 ', '+1', '1e3', '1.', '.5', '1,5', '0x10', 'NaN', 'Infinity', '--1'];
  for (const amount of [...wrong, '1'.repeat(25), '1.123456789012345678901']) {
    expect(refusedField(() => roundTo(amount, 'EUR'))).toBe('amount');
    expect(refusedField(() => isOverPrecise(amount, 'EUR'))).toBe('amount');
    expect(refusedField(() => isZero(amount))).toBe('amount');
    expect(refusedField(() => compare(amount, '1'))).toBe('left');
    expect(refusedField(() => compare('1', amount))).toBe('right');
  }
  expect(roundTo('123456789012345.12345678901234567890', 'EUR')).toBe('123456789012345.12');
});

test('throws its own error with a message and a field', () => {
  const refusal = new AmountRefused('lines.0.qty', 'This must be more than zero.');
  expect(refusal).toBeInstanceOf(Error);
  expect(refusal).toMatchObject({ name: 'AmountRefused', field: 'lines.0.qty' });
  expect(() => roundTo('x', 'EUR')).toThrow('Write a decimal string such as "1250.00".');
  expect(() => sum(['0.001'], 'EUR')).toThrow('This has at most 2 decimals.');
  expect(() => sum(['0.1'], 'JPY')).toThrow('This has no decimals.');
});

test.each([
  ['5.1000', 2, '5.10'],
  ['5.1000', 0, '5.1'],
  ['100', 0, '100'],
  ['100.000', 0, '100'],
  ['-7', 2, '-7.00'],
  ['0.1234', 2, '0.1234'],
])('writes %s with at least %i decimals as %s', (decimal, least, written) => {
  expect(formatWithDecimals(decimal, least)).toBe(written);
});

test('adds amounts of one currency', () => {
  expect(sum([], 'EUR')).toBe('0.00');
  expect(sum([], 'JPY')).toBe('0');
  expect(sum(['0.1', '0.2', '-0.05'], 'EUR')).toBe('0.25');
  expect(sum(['1.2340', '2'], 'KWD')).toBe('3.234');
  expect(refusedField(() => sum(['1.00', '2.00', '0.001'], 'EUR'))).toBe('amounts.2');
});

test('allows a negative remainder of an amount', () => {
  expect(subtract('184.76', '100.00', 'EUR')).toBe('84.76');
  expect(subtract('1', '3', 'JPY')).toBe('-2');
  expect(subtract('1', '1.00', 'EUR')).toBe('0.00');
  expect(refusedField(() => subtract('1.001', '1', 'EUR'))).toBe('amount');
  expect(refusedField(() => subtract('1', '1.001', 'EUR'))).toBe('taken');
});

test('compares decimals by value', () => {
  expect(compare('1.5', '1.50')).toBe(0);
  expect(compare('9', '10')).toBe(-1);
  expect(compare('10', '9')).toBe(1);
  expect(compare('-10', '-9')).toBe(-1);
  expect(['10', '9', '-1.5'].toSorted(compare)).toEqual(['-1.5', '9', '10']);
  expect(['0', '0.00', '-0', '0.01', '-1'].map(isZero)).toEqual([true, true, true, false, false]);
});

// Worked example G9.
test('settles 184.76 with payments of 100.00 and 63.17 and a credit of 21.59', () => {
  const afterFirst = subtract('184.76', '100.00', 'EUR');
  const afterCredit = subtract(afterFirst, '21.59', 'EUR');
  expect([afterFirst, afterCredit, subtract(afterCredit, '63.17', 'EUR')]).toEqual(['84.76', '63.17', '0.00']);
  expect(compare('0.01', subtract(afterCredit, '63.17', 'EUR'))).toBe(1);
});
