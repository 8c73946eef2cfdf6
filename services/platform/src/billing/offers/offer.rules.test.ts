import { describe, expect, test } from '@jest/globals';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { marginOf } from './offer.rules.ts';

const cents = (units: number): string => new Decimal(units).div(100).toFixed(2);

describe('the margin of an instance', () => {
  test('is rounded down to hundredths of a percent: 49.00 with 35.00 wholesale', () => {
    expect(marginOf({ amount: '49.00', wholesale_amount: '35.00' })).toEqual({ margin: '14', margin_percent: '28.57' });
    expect(marginOf({ amount: '35.00', wholesale_amount: '35.00' })).toEqual({ margin: '0', margin_percent: '0.00' });
    expect(marginOf({ amount: '0', wholesale_amount: '0' })).toEqual({ margin: '0', margin_percent: '0.00' });
  });

  test('always leaves the operator at least the wholesale price', () => {
    const prices = fc.tuple(fc.integer({ min: 1, max: 10_000_000 }), fc.integer({ min: 0, max: 10_000_000 }));
    fc.assert(
      fc.property(prices, ([wholesale, more]) => {
        const [amount, wholesale_amount] = [cents(wholesale + more), cents(wholesale)];
        const { margin, margin_percent } = marginOf({ amount, wholesale_amount });
        const paid_out = new Decimal(amount).times(margin_percent).div(100);
        expect(new Decimal(amount).minus(paid_out).gte(wholesale_amount)).toBe(true);
        expect(new Decimal(margin).plus(wholesale_amount).eq(amount)).toBe(true);
        expect(margin_percent).toMatch(/^\d{1,3}\.\d\d$/);
      }),
    );
  });
});
