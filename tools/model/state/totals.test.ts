import { describe, expect, test } from '@jest/globals';
import { ExactDecimal, money } from './exact-decimal.ts';
import { partOf, type Tax, totalsOf, type EnteredLine } from './totals.ts';

/** Tests the model's own arithmetic against the worked examples G1, G2, G3, G7 and G8. */
const tax = (rate: string, inclusive = false): Tax => ({ id: rate, rate, inclusive });
const line = (qty: string, price: string, taxes: Tax[], percent?: string): EnteredLine => ({
  qty: new ExactDecimal(qty),
  unit_price: new ExactDecimal(price),
  taxes,
  discount: percent ? { type: 'percent', value: percent } : null,
});
const figures = (lines: EnteredLine[], discount: { type: 'amount'; value: string } | null = null) => {
  const { totals, lines: each } = totalsOf(lines, discount)!;
  return {
    net: money(totals.net_total),
    tax: money(totals.tax_total),
    total: money(totals.total),
    taxes: each.map((one) => money(one.tax)),
    costs: each.map(({ cost }) => money(cost)),
  };
};
/** Three engines at 19.99 less 10 %, and a service at 100.00, with 20 % tax on top. */
const enginesAndService = [line('3', '19.99', [tax('20')], '10'), line('1', '100.00', [tax('20')])];

describe('the totals of documents in the model', () => {
  test('add exclusive tax to a discounted line: 184.76', () => {
    expect(figures(enginesAndService)).toMatchObject({
      net: '153.97',
      tax: '30.79',
      total: '184.76',
      taxes: ['10.79', '20.00'],
    });
  });

  test('round a tax once, and allocate 0.35 to three lines by largest remainder', () => {
    const three = ['1', '1', '1'].map((qty) => line(qty, '1.15', [tax('10')]));
    expect(figures(three)).toMatchObject({ tax: '0.35', taxes: ['0.12', '0.12', '0.11'] });
  });

  test('leave prices that include their tax unchanged: 353.90 with a tax of 56.51', () => {
    const both = ['340.00', '13.90'].map((price) => line('1', price, [tax('19', true)]));
    expect(figures(both)).toMatchObject({ net: '297.39', tax: '56.51', total: '353.90' });
  });

  test('allocate a document discount of 1.00 to three lines', () => {
    const three = ['1', '1', '1'].map((qty) => line(qty, '10.00', []));
    const { costs } = figures(three, { type: 'amount', value: '1.00' });
    expect(costs).toEqual(['9.66', '9.67', '9.67']);
  });

  test('split a tax of 10.79 exactly over three engines that are returned one by one', () => {
    const [first] = totalsOf(enginesAndService, null)!.lines;
    const parts = ['0', '1', '2'].map((before) =>
      partOf(first!, new ExactDecimal(3), new ExactDecimal(before), new ExactDecimal(1)),
    );
    expect(parts.map(({ net }) => money(net))).toEqual(['17.99', '17.99', '17.99']);
    expect(parts.map((part) => money(part.tax))).toEqual(['3.60', '3.59', '3.60']);
  });

  test('reject a discount above the amount', () => {
    expect(totalsOf(enginesAndService, { type: 'amount', value: '153.98' })).toBeUndefined();
    expect(totalsOf([line('1', '1.00', [], '100.1')], null)).toBeUndefined();
  });
});
