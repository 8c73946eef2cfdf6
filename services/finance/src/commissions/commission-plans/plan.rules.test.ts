import { describe, expect, test } from '@jest/globals';
import { compare, subtract, sum } from '@suite/money';
import fc from 'fast-check';
import { toBaseCurrency } from '../../ledger/ledger/journal.rules.ts';
import { accrualLines, payoutLines } from '../commissions/commission.rules.ts';
import { commissionOf, type CommissionableSale, type CommissionTerms, type CommissionTier } from './plan.rules.ts';

const RUNS = { numRuns: 2_000 };
const NONE = { rate: null, fixed_amount: null, tiers: null, min: null, max: null };
const plan = (more: Partial<CommissionTerms>): CommissionTerms => ({
  type: 'percent',
  base: 'net',
  trigger: 'posting',
  ...NONE,
  ...more,
});
/** Worked example G21: 3 % up to 5,000, and 5 % from there to 10,000. */
const tiered = plan({
  type: 'tiered',
  tiers: [
    { up_to: '5000', rate: '3' },
    { up_to: '10000', rate: '5' },
  ],
});
/** Returns a sale without tax, in base currency. */
const sale = (total: string, remaining = total, collected = '0'): CommissionableSale => ({
  total,
  remaining,
  collected,
  base: remaining,
  currency: 'EUR',
});
const amount = (terms: CommissionTerms, ...figures: Parameters<typeof sale>) =>
  commissionOf(terms, sale(...figures)).amount;

describe('a commission', () => {
  test('is 250.00 for 7,000 in two tiers, and 200.00 after a return of 1,000', () => {
    expect(amount(tiered, '7000')).toBe('250.00');
    expect(amount(tiered, '7000', '6000')).toBe('200.00');
    expect(amount(tiered, '7000', '0')).toBe('0.00');
  });

  test.each<[string, CommissionTerms, [string, string?, string?], string]>([
    ['is rounded half up for a percentage', plan({ rate: '2.5' }), ['100.20'], '2.51'],
    ['does not increase above the last tier', tiered, ['25000'], '400.00'],
    ['includes the end of a tier', tiered, ['5000'], '150.00'],
    [
      'has no limit in a tier without an end',
      plan({ type: 'tiered', tiers: [{ up_to: null, rate: '1' }] }),
      ['25000'],
      '250.00',
    ],
    ['is a fixed amount', plan({ type: 'fixed', fixed_amount: '40' }), ['7000'], '40.00'],
    [
      'decreases with the remaining amount if it is fixed',
      plan({ type: 'fixed', fixed_amount: '40' }),
      ['9', '6'],
      '26.67',
    ],
    ['is a fixed amount and a percentage', plan({ type: 'hybrid', fixed_amount: '40', rate: '1' }), ['7000'], '110.00'],
    ['is at least the minimum', plan({ rate: '1', min: '5' }), ['100'], '5.00'],
    [
      'is at most the maximum, even for the remaining amount',
      plan({ rate: '10', max: '50' }),
      ['1000', '600'],
      '50.00',
    ],
    ['is in proportion to a payment', plan({ rate: '10', trigger: 'payment' }), ['100', '100', '33.33'], '3.33'],
    ['is zero without a payment', plan({ rate: '10', trigger: 'payment' }), ['100'], '0.00'],
    [
      'is complete when the remaining amount is paid',
      plan({ rate: '10', trigger: 'payment' }),
      ['100', '60', '60'],
      '6.00',
    ],
  ])('%s', (_, terms, figures, expected) => {
    expect(amount(terms, ...figures)).toBe(expected);
  });

  test('is zero for a sale below cost, unless the plan ignores the cost', () => {
    const loss = { ...sale('100'), base: '-20.00' };
    expect(commissionOf(plan({ base: 'margin', rate: '10' }), loss).amount).toBe('0.00');
    expect(commissionOf(plan({ base: 'margin', type: 'hybrid', fixed_amount: '4', rate: '10' }), loss).amount).toBe(
      '4.00',
    );
  });

  test('has no cents in a currency without cents', () => {
    expect(commissionOf(plan({ rate: '2.5' }), { ...sale('100'), currency: 'JPY' }).amount).toBe('3');
  });
});

const cents = fc.integer({ min: 0, max: 5_000_000 });
const decimal = (value: number) => (value / 100).toFixed(2);
const rates = fc.integer({ min: 0, max: 10_000 }).map((value) => (value / 100).toFixed(2));
const tiers = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: 1, max: 4_000_000 }), { minLength: 1, maxLength: 4 }),
    fc.array(rates, { minLength: 5, maxLength: 5 }),
    fc.boolean(),
  )
  .map(([ends, of, isOpen]): CommissionTier[] => [
    ...ends.toSorted((a, b) => a - b).map((end, at) => ({ up_to: decimal(end), rate: of[at]! })),
    ...(isOpen ? [{ up_to: null, rate: of[4]! }] : []),
  ]);
const triggers = fc.constantFrom('posting' as const, 'payment' as const);
const limits = fc.tuple(fc.option(cents), fc.option(cents)).map((both) => {
  const [min, max] = both.every((one) => one !== null) ? both.toSorted((a, b) => a! - b!) : both;
  return {
    min: min === null || min === undefined ? null : decimal(min),
    max: max === null || max === undefined ? null : decimal(max),
  };
});
const plans: fc.Arbitrary<CommissionTerms> = fc.oneof(
  fc
    .record({ rate: rates, trigger: triggers, of: limits })
    .map(({ rate, trigger, of }) => plan({ rate, trigger, ...of })),
  fc
    .record({ fixed: cents, trigger: triggers })
    .map(({ fixed, trigger }) => plan({ type: 'fixed', fixed_amount: decimal(fixed), trigger })),
  fc
    .record({ of: tiers, trigger: triggers, more: limits })
    .map(({ of, trigger, more }) => plan({ type: 'tiered', tiers: of, trigger, ...more })),
  fc
    .record({ of: tiers, fixed: cents, trigger: triggers })
    .map(({ of, fixed, trigger }) => plan({ type: 'hybrid', tiers: of, fixed_amount: decimal(fixed), trigger })),
);
/** Arbitrary totals, each with two lower remainders. */
const remainders = fc
  .tuple(fc.integer({ min: 1, max: 5_000_000 }), fc.nat(), fc.nat())
  .map(([total, first, second]) => {
    const one = first % (total + 1);
    return { total: decimal(total), one: decimal(one), other: decimal(second % (one + 1)) };
  });

describe('a commission under any plan', () => {
  test('never falls as the amount rises, is zero for zero, and is within the limits', () => {
    fc.assert(
      fc.property(plans, remainders, (terms, { total, one, other }) => {
        const [whole, more, less] = [total, one, other].map((left) => amount(terms, total, left, left)) as [
          string,
          string,
          string,
        ];
        expect(compare(more, whole)).toBeLessThanOrEqual(0);
        expect(compare(less, more)).toBeLessThanOrEqual(0);
        expect(amount(terms, total, '0')).toBe('0.00');
        expect(compare(whole, terms.max ?? whole)).toBeLessThanOrEqual(0);
        expect(compare(whole, terms.min ?? whole)).toBeGreaterThanOrEqual(0);
      }),
      RUNS,
    );
  });

  test('is the same for payments in any split as for one payment', () => {
    fc.assert(
      fc.property(plans, remainders, (terms, { total, one, other }) => {
        const stations = ['0', other, one, total].map((paid) =>
          amount({ ...terms, trigger: 'payment' }, total, total, paid),
        );
        const steps = stations.slice(1).map((station, at) => subtract(station, stations[at]!, 'EUR'));
        expect(steps.every((step) => !step.startsWith('-'))).toBe(true);
        expect(sum(steps, 'EUR')).toBe(amount({ ...terms, trigger: 'posting' }, total));
      }),
      RUNS,
    );
  });

  test('is posted with lines that balance', () => {
    const terms = { currency: 'EUR', rate: '1', base_currency: 'EUR' };
    const signed = fc.integer({ min: -500_000, max: 500_000 }).filter((value) => value !== 0);
    const side = (sides: ReturnType<typeof toBaseCurrency>, which: string) =>
      sum(
        sides.filter((one) => one.side === which).map(({ base }) => base),
        'EUR',
      );
    fc.assert(
      fc.property(fc.array(signed, { minLength: 1, maxLength: 5 }), (amounts) => {
        const given = amounts.map(decimal);
        for (const sides of [accrualLines(given[0]!, 'A'), payoutLines({ id: 'bank' }, given, 'A', 'EUR')]) {
          const lines = toBaseCurrency(sides, terms);
          expect(side(lines, 'debit')).toBe(side(lines, 'credit'));
          expect(lines.length).toBeGreaterThan(1);
          expect(lines.some(({ account }) => account === 'rounding')).toBe(false);
        }
      }),
      RUNS,
    );
  });
});
