import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { component, daysOf, input, monthly, workedComponents } from '../../../../test/pay-input.ts';
import type { PayComponent } from '../facts/component.ts';
import { countDays, type PayDay, type DayCount, workingDaysBases } from '../facts/days.ts';
import { fingerprint, type PayInput } from '../facts/input.ts';
import { calculatePayslip } from './payslip.ts';
import { rational, total } from '../arithmetic/rational.ts';
import { addsUp } from '../formula/calculation.ts';

const cents = (most: number) => fc.integer({ min: 0, max: most }).map((amount) => (amount / 100).toFixed(2));
const halves = fc.constantFrom<0 | 1 | 2>(0, 1, 2);

const codes = [...workedComponents.map(({ code }) => code), 'extra', 'car'];
const components: readonly PayComponent[] = [
  ...workedComponents,
  component({ code: 'extra', kind: 'earning', calc: 'fixed', amount: '77.77', position: 3 }),
  component({ code: 'car', kind: 'deduction', calc: 'fixed', amount: '400.00', position: 3 }),
];

const change = fc.record({
  employed: fc.boolean(),
  holiday: fc.constantFrom<PayDay['holiday']>('none', 'paid', 'unpaid'),
  unpaid_leave: halves,
  absent: halves,
  overtime_minutes: fc.integer({ min: 0, max: 300 }),
});
const month = fc
  .constantFrom(['2026-02-01', '2026-02-28'], ['2026-05-01', '2026-05-31'], ['2026-06-01', '2026-06-30'])
  .chain(([start = '', end = '']) => {
    const all = daysOf(start, end);
    const changed = fc.array(fc.option(change, { nil: {}, freq: 3 }), { minLength: all.length, maxLength: all.length });
    return changed.map((changes) => all.map((day, at): PayDay => ({ ...day, ...changes[at] })));
  });

const someInput: fc.Arbitrary<PayInput> = fc
  .record({
    days: month,
    basis: fc.constantFrom(...workingDaysBases),
    salary: cents(900_000),
    raise: cents(900_000),
    raised: fc.integer({ min: 0, max: 27 }),
    once: fc.integer({ min: -500_000, max: 500_000 }),
    periods_left: fc.integer({ min: 1, max: 12 }),
    taxable: cents(9_000_000),
    paid: cents(2_000_000),
    loans: fc.array(cents(100_000), { maxLength: 3 }),
    recoveries: fc.array(cents(100_000), { maxLength: 3 }),
    percent: fc.integer({ min: 0, max: 100 }),
    leave: fc.array(fc.integer({ min: -3_000, max: 3_000 }), { maxLength: 2 }),
  })
  .map(({ days, basis, salary, raise, once, periods_left, taxable, paid, loans, recoveries, ...more }) =>
    input({
      facts: {
        days,
        components,
        period: { start: days[0]!.date, end: days.at(-1)!.date, frequency: 'monthly', regular: true },
        terms: [monthly(salary, codes), monthly(raise, codes, days[more.raised]!.date)],
        settings: { working_days_basis: basis, overtime_factor: '1.5', recovery_max_percent: more.percent },
      },
      carried: {
        one_offs: [{ id: 'o', code: 'basic', amount: (once / 100).toFixed(2) }],
        leave: more.leave.map((hundredths, at) => ({
          id: `e${at}`,
          on: days[at]!.date,
          days: (hundredths / 100).toFixed(2),
          salary: monthly(salary),
        })),
        tax_year: { periods_left, taxable, paid: { income_tax: paid } },
        loans: loans.map((left, at) => ({ id: `l${at}`, since: `2026-01-0${at + 1}`, instalment: '150.00', left })),
        recoveries: recoveries.map((left, at) => ({ id: `r${at}`, since: `2026-01-0${at + 1}`, left })),
      },
    }),
  );

const sum = (lines: readonly { amount: string }[]) => total(lines.map(({ amount }) => rational(amount)));
const reverseOrder = <T>(list: readonly T[]): T[] => list.toReversed();

describe('a payslip for random facts', () => {
  test('is not negative, is the sum of its lines, and adds up', () => {
    fc.assert(
      fc.property(someInput, (given) => {
        const slip = calculatePayslip(given);
        expect(rational(slip.net).gte(0)).toBe(true);
        expect(rational(slip.gross).gte(0)).toBe(true);
        expect(sum(slip.earnings).equals(slip.gross)).toBe(true);
        expect(sum(slip.deductions).equals(slip.total_deductions)).toBe(true);
        expect(sum(slip.employer).equals(slip.employer_cost)).toBe(true);
        expect(rational(slip.gross).sub(slip.total_deductions).equals(slip.net)).toBe(true);
        for (const each of slip.explain) expect([each.component, addsUp(each)]).toEqual([each.component, true]);
      }),
      { numRuns: 300 },
    );
  });

  test('does not depend on the order of its facts, and neither does their hash', () => {
    fc.assert(
      fc.property(someInput, ({ facts, carried }) => {
        const other: PayInput = {
          facts: {
            ...facts,
            days: reverseOrder(facts.days),
            // Terms are not reordered: of several terms of one day, only the last counts.
            terms: facts.terms.map((terms) => ({ ...terms, components: reverseOrder(terms.components) })),
            components: reverseOrder(facts.components),
          },
          carried: { ...carried, loans: reverseOrder(carried.loans), recoveries: reverseOrder(carried.recoveries) },
        };
        expect(fingerprint(other)).toBe(fingerprint({ facts, carried }));
        expect(calculatePayslip(other)).toEqual(calculatePayslip({ facts, carried }));
      }),
      { numRuns: 100 },
    );
  });

  test('has a different hash if a fact differs', () => {
    fc.assert(
      fc.property(someInput, fc.nat(27), (given, at) => {
        const days = given.facts.days.map((day, index) => (index === at ? { ...day, employed: !day.employed } : day));
        expect(fingerprint({ ...given, facts: { ...given.facts, days } })).not.toBe(fingerprint(given));
      }),
    );
  });
});

/** Pay for a 31st that is the only paid day of a month of thirty days. Source: `payAtLeastTheLastDay`. */
const daysPaidOutsideThirty = ({ days }: DayCount) =>
  total(days.filter(({ weight }) => weight === 0).map(({ paid }) => paid));
const daysPaidInMonth = (count: DayCount) => count.payment_days.sub(daysPaidOutsideThirty(count));

const thirtyOneDays = daysOf('2026-05-01', '2026-05-31');

describe('proration', () => {
  test('adds up to the month for any split, except for a lone 31st', () => {
    fc.assert(
      fc.property(
        month,
        fc.constantFrom(...workingDaysBases),
        fc.array(fc.nat(30), { maxLength: 4 }),
        (days, basis, cuts) => {
          const whole = countDays(days, basis);
          const partOfCut = (at: number) => cuts.filter((cut) => cut <= at).length;
          const parts = Array.from({ length: cuts.length + 1 }, (_, wanted) =>
            // An employee who is employed for part of the month is paid for that part.
            countDays(
              days.map((day, at) => ({ ...day, employed: day.employed && partOfCut(at) === wanted })),
              basis,
            ),
          );
          expect(total(parts.map(daysPaidInMonth)).equals(daysPaidInMonth(whole))).toBe(true);
          for (const count of [whole, ...parts]) {
            const alone = daysPaidOutsideThirty(count);
            expect(alone.lte(1) && (alone.equals(0) || daysPaidInMonth(count).equals(0))).toBe(true);
          }
          for (const { working_days } of parts) expect(working_days.equals(whole.working_days)).toBe(true);
        },
      ),
      { examples: [[thirtyOneDays, 'fixed_30', [30]]] },
    );
  });

  test('pays for at most the working days', () => {
    fc.assert(
      fc.property(month, fc.constantFrom(...workingDaysBases), (days, basis) => {
        const { payment_days, working_days, lop_days, absent_days } = countDays(days, basis);
        expect(payment_days.gte(0) && payment_days.add(lop_days).add(absent_days).lte(working_days)).toBe(true);
      }),
    );
  });

  test('counts thirty days for a thirty-day month, regardless of its length', () => {
    for (const [start, end] of [
      ['2026-02-01', '2026-02-28'],
      ['2028-02-01', '2028-02-29'],
      ['2026-05-01', '2026-05-31'],
    ] as const)
      expect(countDays(daysOf(start, end), 'fixed_30').working_days.equals(30)).toBe(true);
  });
});
