import { expect, test } from '@jest/globals';
import { amounts, tax } from '../test/taxes.ts';
import { documentTotals, type Tax } from './money.ts';

const gst = tax({ id: 'gst', name: 'GST', rate: '5' });
const qst = tax({ id: 'qst', name: 'QST', rate: '9.975' });
const deposit = tax({ id: 'deposit', name: 'Deposit', rate: '0.25', kind: 'fixed' });
const included = (one: Tax): Tax => ({ ...one, inclusive: true });
const compound = (one: Tax): Tax => ({ ...one, compound: true });

const ofOne = (unit_price: string, taxes: readonly Tax[], qty = '1') =>
  documentTotals({ currency: 'EUR', lines: [{ qty, unit_price, taxes }] });

test('applies each of several taxes to the net', () => {
  const totals = ofOne('100', [gst, qst]);
  expect(amounts(totals)).toEqual([['5.00', '9.98']]);
  expect(totals.taxes.map(({ base }) => base)).toEqual(['100.00', '100.00']);
  expect(totals).toMatchObject({ net_total: '100.00', tax_total: '14.98', total: '114.98' });
});

test('applies a compound tax to the net and the taxes before it', () => {
  const totals = ofOne('100', [gst, compound(qst)]);
  expect(amounts(totals)).toEqual([['5.00', '10.47']]);
  expect(totals.taxes.map(({ base }) => base)).toEqual(['100.00', '105.00']);
});

test('a compound tax counts only the taxes before it', () => {
  const totals = ofOne('100', [compound(qst), gst]);
  expect(amounts(totals)).toEqual([['9.98', '5.00']]);
  expect(totals.taxes.map(({ base }) => base)).toEqual(['100.00', '100.00']);
});

test('compound taxes build on each other', () => {
  const third = compound(tax({ id: 'third', rate: '10' }));
  const totals = ofOne('100', [gst, compound(tax({ id: 'second', rate: '20' })), third]);
  expect(amounts(totals)).toEqual([['5.00', '21.00', '12.60']]);
});

test('applies a fixed tax per unit of quantity', () => {
  const totals = ofOne('2', [deposit], '2.5');
  expect(amounts(totals)).toEqual([['0.63']]);
  expect(totals).toMatchObject({ net_total: '5.00', total: '5.63' });
  expect(totals.taxes[0]?.base).toBe('5.00');
});

test('applies a compound tax to an earlier fixed tax', () => {
  const totals = ofOne('10', [
    deposit,
    compound(tax({ rate: '10' })),
    compound(tax({ id: 'fee', rate: '1', kind: 'fixed' })),
  ]);
  expect(amounts(totals)).toEqual([['0.25', '1.03', '1.00']]);
  expect(totals.taxes.map(({ base }) => base)).toEqual(['10.00', '10.25', '10.00']);
});

test('extracts several inclusive taxes from the price together', () => {
  const totals = ofOne('115.00', [included(gst), included(tax({ rate: '10' }))]);
  expect(totals).toMatchObject({ net_total: '100.00', tax_total: '15.00', total: '115.00', subtotal: '115.00' });
  expect(amounts(totals)).toEqual([['5.00', '10.00']]);
});

test('extracts inclusive compound taxes from the last to the first', () => {
  const totals = ofOne('115.50', [included(gst), included(compound(tax({ rate: '10' })))]);
  expect(amounts(totals)).toEqual([['5.00', '10.50']]);
  expect(totals).toMatchObject({ net_total: '100.00', total: '115.50' });
  expect(totals.taxes.map(({ base }) => base)).toEqual(['100.00', '105.00']);
});

test('extracts an inclusive fixed tax first', () => {
  const totals = ofOne('1.44', [included(deposit), included(tax({ rate: '19' }))]);
  expect(amounts(totals)).toEqual([['0.25', '0.19']]);
  expect(totals.net_total).toBe('1.00');
  const compounded = ofOne('1.4875', [included(deposit), included(compound(tax({ rate: '19' })))], '100');
  expect(amounts(compounded)).toEqual([['25.00', '23.75']]);
  expect(compounded.net_total).toBe('100.00');
});

test('a price can consist of only its fixed tax', () => {
  expect(ofOne('0.25', [included(deposit)])).toMatchObject({ net_total: '0.00', tax_total: '0.25', total: '0.25' });
});

test('applies an exclusive tax to the net without the inclusive tax', () => {
  const totals = ofOne('119.00', [included(tax({ rate: '19' })), gst]);
  expect(amounts(totals)).toEqual([['19.00', '5.00']]);
  expect(totals).toMatchObject({ subtotal: '119.00', net_total: '100.00', tax_total: '24.00', total: '124.00' });
});

test('allows an inclusive compound tax on top of an exclusive tax', () => {
  const totals = ofOne('110.50', [gst, included(compound(tax({ rate: '10' })))]);
  expect(amounts(totals)).toEqual([['5.00', '10.50']]);
  expect(totals).toMatchObject({ net_total: '100.00', total: '115.50' });
});

test('treats a half that results from thirds as a half', () => {
  const third = included(tax({ rate: '200' }));
  const line = { qty: '1', unit_price: '0.01', taxes: [third] };
  const sixth = { qty: '1', unit_price: '0.01', taxes: [{ ...third, id: 'other', rate: '500' }] };
  // Three times two thirds of a cent, and three times five sixths, which is exactly two and a half.
  const totals = documentTotals({ currency: 'EUR', lines: [line, line, line, sixth, sixth, sixth] });
  expect(totals.taxes.map(({ amount }) => amount)).toEqual(['0.02', '0.03']);
});

test('distributes each tax of a document over its lines', () => {
  const totals = documentTotals({
    currency: 'EUR',
    lines: [
      { qty: '1', unit_price: '0.10', taxes: [gst] },
      { qty: '1', unit_price: '0.10', taxes: [qst, gst] },
      { qty: '1', unit_price: '0.10', taxes: [qst] },
    ],
  });
  expect(amounts(totals)).toEqual([['0.01'], ['0.01', '0.00'], ['0.01']]);
  expect(totals.taxes.map(({ id, base, amount }) => [id, base, amount])).toEqual([
    ['gst', '0.20', '0.01'],
    ['qst', '0.20', '0.02'],
  ]);
});

test('inclusive taxes never exceed the price, and the higher ID is reduced', () => {
  const taxes = ['a', 'b', 'c'].map((id) => included(tax({ id, rate: '100' })));
  const totals = ofOne('0.02', taxes);
  expect(amounts(totals)).toEqual([['0.01', '0.01', '0.00']]);
  expect(totals).toMatchObject({ net_total: '0.00', total: '0.02' });
  expect(amounts(ofOne('0.02', taxes.toReversed()))).toEqual([['0.00', '0.01', '0.01']]);
});

test('assigns a tax to a line whose price can include the tax', () => {
  const taxes = ['a', 'b'].map((id) => included(tax({ id, rate: '60' })));
  const line = { qty: '1', unit_price: '0.01', taxes };
  const totals = documentTotals({ currency: 'EUR', lines: [line, line] });
  expect(amounts(totals)).toEqual([
    ['0.01', '0.00'],
    ['0.00', '0.01'],
  ]);
  expect(totals.lines.map(({ net }) => net)).toEqual(['0.00', '0.00']);
});
