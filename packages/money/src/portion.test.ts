import { expect, test } from '@jest/globals';
import { refusedField } from '../test/refused.ts';
import { tax } from '../test/taxes.ts';
import { documentTotals, type LineAmounts, partOfLine, portion, sumLines, type Tax } from './money.ts';

const lineOf = (qty: string, unit_price: string, taxes: readonly Tax[], percent = '0'): LineAmounts =>
  documentTotals({
    currency: 'EUR',
    lines: [{ qty, unit_price, discount: { type: 'percent', value: percent }, taxes }],
  }).lines[0]!;

/** First line of worked example G1, three engines at 19.99 less 10 %. Its tax is its share of the document's tax. */
const first: LineAmounts = {
  gross: '59.97',
  discount: '6.00',
  header_discount: '0.00',
  net: '53.97',
  tax: '10.79',
  total: '64.76',
  taxes: [{ ...tax(), base: '53.97', amount: '10.79' }],
};
const steps = ['0', '1', '2'].map((before) => ({ whole: '3', before, now: '1' }));

// Worked example G8.
test('returns three engines one by one, with taxes that add up to 10.79', () => {
  const returned = steps.map((step) => partOfLine(first, step, 'EUR'));
  expect(returned.map(({ net }) => net)).toEqual(['17.99', '17.99', '17.99']);
  expect(returned.map(({ tax }) => tax)).toEqual(['3.60', '3.59', '3.60']);
  expect(returned.map(({ total }) => total)).toEqual(['21.59', '21.58', '21.59']);
  expect(steps.map((step) => portion('10.79', step, 'EUR'))).toEqual(['3.60', '3.59', '3.60']);
});

test('rejects the return of a fourth of three engines', () => {
  const fourth = { whole: '3', before: '3', now: '1' };
  expect(refusedField(() => partOfLine(first, fourth, 'EUR'))).toBe('now');
  expect(() => portion('10.79', fourth, 'EUR')).toThrow('At most 0 of it is left.');
});

test('a return has the totals of its lines', () => {
  const second = { ...lineOf('1', '100.00', [tax()]) };
  const returned = [
    partOfLine(first, steps[0]!, 'EUR'),
    partOfLine(second, { whole: '1', before: '0', now: '1' }, 'EUR'),
  ];
  expect(sumLines(returned, 'EUR')).toEqual({
    subtotal: '119.99',
    discount_total: '2.00',
    net_total: '117.99',
    tax_total: '23.60',
    total: '141.59',
    taxes: [{ ...tax(), base: '117.99', amount: '23.60' }],
  });
});

test('a part carries every amount of the line', () => {
  expect(partOfLine(first, steps[0]!, 'EUR')).toEqual({
    gross: '19.99',
    discount: '2.00',
    header_discount: '0.00',
    net: '17.99',
    tax: '3.60',
    total: '21.59',
    taxes: [{ ...tax(), base: '17.99', amount: '3.60' }],
  });
  const discounted = { ...first, header_discount: '3.00', net: '50.97', total: '61.76' };
  expect(partOfLine(discounted, steps[0]!, 'EUR')).toMatchObject({
    gross: '19.99',
    discount: '2.00',
    header_discount: '1.00',
    net: '16.99',
  });
});

test('one of two at 10.00 including tax costs 10.00', () => {
  const line = lineOf('2', '10.00', [tax({ rate: '19', inclusive: true })]);
  expect(line).toMatchObject({ net: '16.81', tax: '3.19', total: '20.00' });
  const parts = ['0', '1'].map((before) => partOfLine(line, { whole: '2', before, now: '1' }, 'EUR'));
  expect(parts.map(({ total, net, tax }) => [total, net, tax])).toEqual([
    ['10.00', '8.40', '1.60'],
    ['10.00', '8.41', '1.59'],
  ]);
});

test('extracts inclusive taxes from the part in order, and adds exclusive ones', () => {
  const line = lineOf('2', '57.50', [
    tax({ id: 'a', rate: '5', inclusive: true }),
    tax({ id: 'b', rate: '10', inclusive: true }),
    tax({ id: 'c', rate: '7' }),
  ]);
  expect(line).toMatchObject({ net: '100.00', total: '122.00' });
  const part = partOfLine(line, { whole: '2', before: '0', now: '1' }, 'EUR');
  expect(part).toMatchObject({ gross: '57.50', net: '50.00', tax: '11.00', total: '61.00' });
  expect(part.taxes.map(({ amount, base }) => [amount, base])).toEqual([
    ['2.50', '50.00'],
    ['5.00', '50.00'],
    ['3.50', '50.00'],
  ]);
});

test('an inclusive tax never exceeds the price of the part', () => {
  const cent = tax({ inclusive: true });
  const line = { ...first, gross: '0.02', discount: '0.00', taxes: [{ ...cent, base: '0.01', amount: '0.01' }] };
  const parts = ['0', '1', '2', '3'].map((before) => partOfLine(line, { whole: '4', before, now: '1' }, 'EUR'));
  expect(parts.map(({ net, tax, total }) => [net, tax, total])).toEqual([
    ['0.00', '0.01', '0.01'],
    ['0.00', '0.00', '0.00'],
    ['0.01', '0.00', '0.01'],
    ['0.00', '0.00', '0.00'],
  ]);
});

test('returns a line without a price at no cost', () => {
  const free = lineOf('2', '10.00', [tax({ inclusive: true })], '100');
  expect(partOfLine(free, { whole: '2', before: '1', now: '1' }, 'EUR')).toMatchObject({
    gross: '10.00',
    discount: '10.00',
    net: '0.00',
    tax: '0.00',
    total: '0.00',
  });
});

test('a part can be zero, and quantities can be fractions', () => {
  expect(portion('10.00', { whole: '3', before: '3', now: '0' }, 'EUR')).toBe('0.00');
  expect(portion('10.00', { whole: '2.5', before: '0', now: '0.000001' }, 'EUR')).toBe('0.00');
  expect(portion('10.00', { whole: '2.5', before: '0.5', now: '1.25' }, 'EUR')).toBe('5.00');
  expect(portion('-10.00', { whole: '3', before: '0', now: '1' }, 'EUR')).toBe('-3.33');
  expect(portion('10', { whole: '4', before: '0', now: '1' }, 'JPY')).toBe('3');
  expect(portion('1.000', { whole: '3', before: '1', now: '1' }, 'KWD')).toBe('0.334');
});

test('rejects impossible progress', () => {
  const refused = (whole: string, before: string, now: string) =>
    refusedField(() => portion('1', { whole, before, now }, 'EUR'));
  expect(refused('0', '0', '0')).toBe('whole');
  expect(refused('-1', '0', '0')).toBe('whole');
  expect(refused('3', '-1', '1')).toBe('before');
  expect(refused('3', '4', '0')).toBe('before');
  expect(refused('3', '1', '-1')).toBe('now');
  expect(refused('3', '1', '2.000001')).toBe('now');
  expect(refused('1.0000001', '0', '1')).toBe('whole');
  expect(refused('1', '0.0000001', '0')).toBe('before');
  expect(refused('1', '0', '0.0000001')).toBe('now');
  expect(() => portion('1', { whole: '0', before: '0', now: '0' }, 'EUR')).toThrow('more than zero');
  expect(() => portion('1', { whole: '1', before: '2', now: '0' }, 'EUR')).toThrow('This is more than there was.');
  expect(() => portion('1', { whole: '3', before: '1.50', now: '2' }, 'EUR')).toThrow('At most 1.5 of it is left.');
});

test('stored values are amounts of the currency', () => {
  const refused = (line: Partial<LineAmounts>) =>
    refusedField(() => partOfLine({ ...first, ...line }, steps[0]!, 'EUR'));
  expect(refused({ gross: '1.001' })).toBe('gross');
  expect(refused({ discount: '-1.00' })).toBe('discount');
  expect(refused({ header_discount: 'x' })).toBe('header_discount');
  expect(refused({ taxes: [{ ...tax(), base: '1', amount: '0.001' }] })).toBe('taxes.0.amount');
  expect(refusedField(() => portion('0.001', steps[0]!, 'EUR'))).toBe('total');
  expect(refusedField(() => sumLines([first, { ...first, net: '-1' }], 'EUR'))).toBe('lines.1.net');
  const untaxed = { ...first, taxes: [{ ...first.taxes[0]!, amount: '' }] };
  expect(refusedField(() => sumLines([first, untaxed], 'EUR'))).toBe('lines.1.taxes.0.amount');
});

test('values come from a column with four decimals', () => {
  const stored = { ...first, gross: '59.9700', discount: '6.0000', taxes: [{ ...first.taxes[0]!, amount: '10.7900' }] };
  expect(partOfLine(stored, steps[0]!, 'EUR')).toEqual(partOfLine(first, steps[0]!, 'EUR'));
});
