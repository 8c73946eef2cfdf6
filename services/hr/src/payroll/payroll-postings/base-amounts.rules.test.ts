import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sum } from '@suite/money';
import { journalInBase, paymentInBase } from './base-amounts.rules.ts';

const cents = fc.integer({ min: 1, max: 10_000_000 }).map((amount) => (amount / 100).toFixed(2));
const rates = fc.integer({ min: 1, max: 5_000_000 }).map((rate) => (rate / 1_000_000).toFixed(6));
const zero = '0.00';

describe('a journal in the workspace currency', () => {
  test('balances, and owes employees the base value of their pay, at any rate', () => {
    fc.assert(
      fc.property(fc.array(cents, { minLength: 1, maxLength: 9 }), rates, (outstanding, rate) => {
        const credits = outstanding.map((credit, at) => ({ memo: `owed ${at}`, debit: zero, credit }));
        const lines = [{ memo: 'cost', debit: sum(outstanding, 'USD'), credit: zero }, ...credits];
        const base = journalInBase(lines, 'USD', { rate, base_currency: 'EUR' });
        const sumOfSide = (name: 'debit' | 'credit') =>
          sum(
            base.map((line) => line[name]),
            'EUR',
          );
        expect(sumOfSide('debit')).toBe(sumOfSide('credit'));
      }),
    );
  });

  test('omits amounts that round to zero', () => {
    const lines = [
      { memo: 'cost', debit: '100.01', credit: zero },
      { memo: 'owed', debit: zero, credit: '100.00' },
      { memo: 'dust', debit: zero, credit: '0.01' },
    ];
    expect(journalInBase(lines, 'USD', { rate: '0.1', base_currency: 'EUR' })).toEqual([
      { memo: 'cost', debit: '10.00', credit: zero },
      { memo: 'owed', debit: zero, credit: '10.00' },
    ]);
  });
});

test('splits partial payments that add up to the full amount, to the cent', () => {
  fc.assert(
    fc.property(fc.array(cents, { minLength: 1, maxLength: 9 }), rates, (parts, rate) => {
      const terms = { rate, base_currency: 'EUR' };
      let before = { amount: '0', base: '0' };
      for (const part of parts) {
        const base = paymentInBase(before, part, 'USD', terms);
        before = { amount: sum([before.amount, part], 'USD'), base: sum([before.base, base], 'EUR') };
      }
      expect(before.base).toBe(paymentInBase({ amount: '0', base: '0' }, sum(parts, 'USD'), 'USD', terms));
    }),
  );
});
