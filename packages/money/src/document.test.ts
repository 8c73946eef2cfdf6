import { expect, test } from '@jest/globals';
import { amounts, tax } from '../test/taxes.ts';
import { documentTotals, isZero, sum } from './money.ts';

const vat10 = tax({ id: 'vat10', rate: '10' });
const inclusive19 = tax({ rate: '19', inclusive: true });

// Worked example G1.
test('totals three engines less 10 % and an installation, with tax, to 184.76', () => {
  const totals = documentTotals({
    currency: 'EUR',
    lines: [
      { qty: '3', unit_price: '19.99', discount: { type: 'percent', value: '10' }, taxes: [tax()] },
      { qty: '1', unit_price: '100.00', taxes: [tax()] },
    ],
  });
  expect(totals).toEqual({
    subtotal: '159.97',
    discount_total: '6.00',
    net_total: '153.97',
    tax_total: '30.79',
    total: '184.76',
    taxes: [{ ...tax(), base: '153.97', amount: '30.79' }],
    lines: [
      {
        gross: '59.97',
        discount: '6.00',
        header_discount: '0.00',
        net: '53.97',
        tax: '10.79',
        total: '64.76',
        taxes: [{ ...tax(), base: '53.97', amount: '10.79' }],
      },
      {
        gross: '100.00',
        discount: '0.00',
        header_discount: '0.00',
        net: '100.00',
        tax: '20.00',
        total: '120.00',
        taxes: [{ ...tax(), base: '100.00', amount: '20.00' }],
      },
    ],
  });
});

// Worked example G2.
test('rounds a tax once over the document: 0.35 for three lines of 1.15', () => {
  const line = { qty: '1', unit_price: '1.15', taxes: [vat10] };
  const totals = documentTotals({ currency: 'EUR', lines: [line, line, line] });
  expect(totals.tax_total).toBe('0.35');
  expect(amounts(totals)).toEqual([['0.12'], ['0.12'], ['0.11']]);
});

// Worked example G3.
test('leaves prices that include their tax unchanged: 353.90 with a tax of 56.51', () => {
  const totals = documentTotals({
    currency: 'EUR',
    lines: [
      { qty: '1', unit_price: '340.00', taxes: [inclusive19] },
      { qty: '1', unit_price: '13.90', taxes: [inclusive19] },
    ],
  });
  expect(totals).toMatchObject({ subtotal: '353.90', total: '353.90', tax_total: '56.51', net_total: '297.39' });
  expect(totals.lines.map(({ total }) => total)).toEqual(['340.00', '13.90']);
  expect(sum(amounts(totals).flat(), 'EUR')).toBe('56.51');
});

// Worked example G7.
test('distributes a discount of 1.00 over three lines: 0.34, 0.33 and 0.33', () => {
  const line = { qty: '1', unit_price: '10.00', taxes: [] };
  const totals = documentTotals({
    currency: 'EUR',
    lines: [line, line, line],
    discount: { type: 'amount', value: '1.00' },
  });
  expect(totals.lines.map(({ header_discount }) => header_discount)).toEqual(['0.34', '0.33', '0.33']);
  expect(totals.lines.map(({ net }) => net)).toEqual(['9.66', '9.67', '9.67']);
  expect(totals).toMatchObject({ subtotal: '30.00', discount_total: '1.00', net_total: '29.00', total: '29.00' });
});

// Worked example G12.
test('balances a receivable of 184.76 with revenue and output tax', () => {
  const { total, net_total, tax_total } = documentTotals({
    currency: 'EUR',
    lines: [
      { qty: '3', unit_price: '19.99', discount: { type: 'percent', value: '10' }, taxes: [tax()] },
      { qty: '1', unit_price: '100.00', taxes: [tax()] },
    ],
  });
  expect([total, net_total, tax_total]).toEqual(['184.76', '153.97', '30.79']);
  expect(isZero(sum([total, `-${net_total}`, `-${tax_total}`], 'EUR'))).toBe(true);
});

test('a discount amount applies to the whole line', () => {
  const [line] = documentTotals({
    currency: 'EUR',
    lines: [{ qty: '3', unit_price: '10', discount: { type: 'amount', value: '4.50' }, taxes: [tax()] }],
  }).lines;
  expect(line).toMatchObject({ gross: '30.00', discount: '4.50', net: '25.50', tax: '5.10', total: '30.60' });
});

test('the net of a line is rounded, and its discount is the difference', () => {
  const half = { type: 'percent', value: '50' } as const;
  const line = { qty: '1', unit_price: '0.05', discount: half, taxes: [] };
  expect(documentTotals({ currency: 'EUR', lines: [line] }).lines[0]).toMatchObject({ discount: '0.02', net: '0.03' });
  expect(documentTotals({ currency: 'EUR', lines: [{ ...line, discount: null }], discount: half })).toMatchObject({
    discount_total: '0.03',
    net_total: '0.02',
  });
});

test('a discount can be the whole price, even if the price is rounded up', () => {
  const all = { type: 'amount', value: '1.00' } as const;
  const [line] = documentTotals({
    currency: 'EUR',
    lines: [{ qty: '1', unit_price: '0.995', discount: all, taxes: [tax()] }],
  }).lines;
  expect(line).toMatchObject({ gross: '1.00', discount: '1.00', net: '0.00', tax: '0.00', total: '0.00' });
  const free = { qty: '2', unit_price: '5', discount: { type: 'percent', value: '100' } as const, taxes: [tax()] };
  expect(documentTotals({ currency: 'EUR', lines: [free] })).toMatchObject({ discount_total: '10.00', total: '0.00' });
});

test('adds the discounts of lines and document, before tax', () => {
  const discount = { type: 'percent', value: '10' } as const;
  const line = { qty: '1', unit_price: '100', discount, taxes: [tax()] };
  expect(documentTotals({ currency: 'EUR', lines: [line, line], discount })).toMatchObject({
    subtotal: '200.00',
    discount_total: '38.00',
    net_total: '162.00',
    tax_total: '32.40',
    total: '194.40',
  });
});

test("distributes the document's discount in proportion to the line amounts", () => {
  const totals = documentTotals({
    currency: 'EUR',
    lines: [
      { qty: '1', unit_price: '30', taxes: [] },
      { qty: '1', unit_price: '20', discount: { type: 'percent', value: '50' }, taxes: [] },
    ],
    discount: { type: 'amount', value: '4' },
  });
  expect(totals.lines.map(({ header_discount }) => header_discount)).toEqual(['3.00', '1.00']);
});

test('yen have no decimals, dinars three', () => {
  const lines = [{ qty: '3', unit_price: '33.3335', taxes: [vat10] }];
  expect(documentTotals({ currency: 'JPY', lines })).toMatchObject({ net_total: '100', tax_total: '10', total: '110' });
  expect(documentTotals({ currency: 'KWD', lines })).toMatchObject({
    net_total: '100.001',
    tax_total: '10.000',
    total: '110.001',
  });
});

test('the totals of a document without lines are zero', () => {
  const nothing = { subtotal: '0.00', discount_total: '0.00', net_total: '0.00', tax_total: '0.00', total: '0.00' };
  expect(documentTotals({ currency: 'EUR', lines: [] })).toEqual({ ...nothing, taxes: [], lines: [] });
});

test('calculates a line without tax next to a line with tax', () => {
  const totals = documentTotals({
    currency: 'EUR',
    lines: [
      { qty: '1', unit_price: '10', taxes: [] },
      { qty: '1', unit_price: '10', taxes: [vat10] },
    ],
  });
  expect(amounts(totals)).toEqual([[], ['1.00']]);
  expect(totals.taxes).toEqual([{ ...vat10, base: '10.00', amount: '1.00' }]);
});

test('returns additional fields of a tax unchanged', () => {
  const booked = { ...tax(), account: '2200' };
  const totals = documentTotals({
    currency: 'EUR',
    lines: [{ qty: '1', unit_price: '1', taxes: [booked] }],
  });
  expect(totals.taxes[0]?.account).toBe('2200');
  expect(totals.lines[0]?.taxes[0]?.account).toBe('2200');
});

test('quantities, prices and amounts keep every digit', () => {
  const totals = documentTotals({
    currency: 'EUR',
    lines: [{ qty: '123456.123456', unit_price: '7654321.4321', taxes: [vat10] }],
  });
  expect(totals).toMatchObject({ net_total: '944972851693.24', tax_total: '94497285169.32' });
  const large = { qty: '0.999999', unit_price: '500000000000000.0050', taxes: [] };
  // Exactly ….004999995, which twenty digits would round to a half.
  expect(documentTotals({ currency: 'EUR', lines: [large] }).total).toBe('499999500000000.00');
});
