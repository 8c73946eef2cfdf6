import { describe, expect, test } from '@jest/globals';
import { amountOf, isPayable, unitAmount } from './amount.rules.ts';

describe('an amount at the payment provider', () => {
  test.each([
    ['49.00', 'EUR', 4_900],
    ['0.01', 'USD', 1],
    ['4900', 'JPY', 4_900],
    ['5.120', 'KWD', 5_120],
    // Stripe counts hundredths that cannot be paid, or none where the currency has fifths.
    ['5000', 'ISK', 500_000],
    ['380000', 'UGX', 38_000_000],
    ['1000.00', 'MGA', 1_000],
  ])('is converted from %s %s to %i units, and back unchanged', (amount, currency, units) => {
    expect(unitAmount({ amount, currency })).toBe(units);
    expect(amountOf(units, currency)).toBe(amount);
  });

  test.each([
    ['49.5', 'EUR', true],
    ['49.0000', 'JPY', true],
    ['49.005', 'EUR', false],
    ['0.5', 'JPY', false],
    ['0.5', 'ISK', false],
    ['0.2', 'MGA', false],
    ['5.12', 'KWD', true],
    ['5.124', 'KWD', false],
    ['1500000.00', 'IDR', true],
    ['999999999999999', 'EUR', false],
  ])('is payable as %s %s: %s', (amount, currency, expected) => {
    expect(isPayable({ amount, currency })).toBe(expected);
  });
});
