import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Decimal, ZERO } from './decimal.ts';
import { valueStep, type StockBalance } from './valuation.rules.ts';

const NOTHING: StockBalance = { on_hand: ZERO, value: ZERO };
const USUAL = new Decimal('3.33');

const cents = fc.integer({ min: 0, max: 10_000_000 }).map((amount) => new Decimal(amount).div(100));
const qty = fc.integer({ min: 1, max: 5_000_000 }).map((amount) => new Decimal(amount).div(1_000));
const arrival = fc.record({ qty, value: fc.option(cents, { nil: undefined }) });
const departure = qty.map((amount) => ({ qty: amount.negated(), value: undefined }));
const step = fc.oneof(arrival, departure);

const isWhole = (amount: Decimal): boolean => amount.decimalPlaces() <= 2;

describe('any sequence of movements', () => {
  test('has whole-cent values that add up and match the sign of the quantity', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let worth = NOTHING;
        for (const one of steps) {
          const { after, value, residue } = valueStep(worth, one, USUAL, 'EUR');
          expect(isWhole(value) && isWhole(residue)).toBe(true);
          expect(after.on_hand.eq(worth.on_hand.plus(one.qty))).toBe(true);
          expect(after.value.eq(worth.value.plus(value).plus(residue))).toBe(true);
          const sign = after.on_hand.comparedTo(0);
          expect(sign === 0 ? after.value.isZero() : after.value.times(sign).gte(0)).toBe(true);
          worth = after;
        }
      }),
    );
  });

  test('posts no adjustment while stock is positive and issues are at average cost', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(arrival, fc.nat(100)), { minLength: 1, maxLength: 30 }), (steps) => {
        let worth = NOTHING;
        for (const [one, share] of steps) {
          const arrived = valueStep(worth, one, USUAL, 'EUR');
          const part = arrived.after.on_hand.times(share).div(100).toDecimalPlaces(3, Decimal.ROUND_DOWN);
          worth = arrived.after;
          expect(arrived.residue.isZero()).toBe(true);
          if (part.isZero()) continue;
          const left = valueStep(worth, { qty: part.negated(), value: undefined }, USUAL, 'EUR');
          expect(left.residue.isZero()).toBe(true);
          worth = left.after;
        }
      }),
    );
  });

  test('ends with zero value if all stock is issued', () => {
    fc.assert(
      fc.property(arrival, ({ qty, value }) => {
        const { after } = valueStep(NOTHING, { qty, value }, USUAL, 'EUR');
        const gone = valueStep(after, { qty: qty.negated(), value: undefined }, USUAL, 'EUR');
        expect([gone.after.value.isZero(), gone.residue.isZero()]).toEqual([true, true]);
        expect(gone.value.eq(after.value.negated())).toBe(true);
      }),
    );
  });
});
