import { describe, expect, test } from '@jest/globals';
import { sum } from '@suite/money';
import fc from 'fast-check';
import { refundPayments, type PosPayment } from './payment.rules.ts';

const cents = (amount: number) => (amount / 100).toFixed(2);
const kept: PosPayment[] = [
  { method: 'cash', amount: '10.00' },
  { method: 'card', amount: '20.00' },
  { method: 'online', amount: '5.00' },
];

describe('the payments of a refund', () => {
  test('use the card before cash, at most up to each original payment', () => {
    expect(refundPayments(kept, '0', '19.99', 'EUR')).toEqual([{ method: 'card', amount: '19.99' }]);
    expect(refundPayments(kept, '19.99', '5.02', 'EUR')).toEqual([
      { method: 'card', amount: '0.01' },
      { method: 'online', amount: '5.00' },
      { method: 'cash', amount: '0.01' },
    ]);
    expect(refundPayments(kept, '25.01', '9.99', 'EUR')).toEqual([{ method: 'cash', amount: '9.99' }]);
    expect(refundPayments(kept, '35.00', '0.00', 'EUR')).toEqual([]);
  });

  test('refund each method in full, in any number of steps', () => {
    const method = fc.constantFrom('cash', 'card', 'online', 'bank', 'other');
    const amount = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(method, amount), { minLength: 1, maxLength: 6 }),
        fc.array(fc.nat(100)),
        (came, steps) => {
          const payments = came.map(([name, value]): PosPayment => ({ method: name, amount: cents(value) }));
          const whole = came.reduce((all, [, value]) => all + value, 0);
          const stops = [...steps.map((share) => Math.floor((whole * share) / 100)), whole].toSorted((a, b) => a - b);
          const back = stops.flatMap((stop, at) => {
            const before = stops[at - 1] ?? 0;
            return refundPayments(payments, cents(before), cents(stop - before), 'EUR');
          });
          const per = (all: readonly PosPayment[]) =>
            new Map(
              [...Map.groupBy(all, (one) => one.method)].map(([name, some]) => [
                name,
                sum(
                  some.map((one) => one.amount),
                  'EUR',
                ),
              ]),
            );
          expect(per(back)).toEqual(per(payments));
        },
      ),
    );
  });
});
