import { describe, expect, test } from '@jest/globals';
import { component, input, june, monthly } from '../../../../test/pay-input.ts';
import type { PeriodFacts } from '../facts/input.ts';
import { addsUp } from '../formula/calculation.ts';
import { calculatePayslip } from './payslip.ts';

const extra = component({ code: 'extra', kind: 'earning', calc: 'fixed', amount: '210.00' });
/** The salary of June, with a component until the 14th, or from the 15th. */
const until = [monthly('3000.00', ['extra']), monthly('3000.00', [], '2026-06-15')];
const since = [monthly('3000.00'), monthly('3000.00', ['extra'], '2026-06-15')];

/** Returns the amount of the component. Undefined if it is not paid. */
function amountPaid(facts: Partial<PeriodFacts>): string | undefined {
  const slip = calculatePayslip(input({ facts }));
  for (const each of slip.explain) expect([each.component, addsUp(each)]).toEqual([each.component, true]);
  return slip.earnings.find(({ code }) => code === 'extra')?.amount;
}

describe('a component that an employee has on some days of the period', () => {
  test.each([
    ['a fixed amount', {}, '90.00', '120.00'],
    ['a percentage', { calc: 'percent_of_basic', amount: null, percent: '7' }, '90.00', '120.00'],
    [
      'a percentage of what was earned',
      { calc: 'percent_of_basic', amount: null, percent: '7', base: ['basic'] },
      '90.00',
      '120.00',
    ],
    ['brackets', { calc: 'slab', amount: null, slabs: [{ from: '0', rate: '7' }] }, '90.00', '120.00'],
    ['a formula', { calc: 'formula', amount: null, formula: '140 + 70', prorated: true }, '90.00', '120.00'],
    ['an amount that is not prorated has the value of the last day', { prorated: false }, undefined, '210.00'],
  ] as const)('is paid for those: %s', (_, given, before, after) => {
    const components = [{ ...extra, ...given } as typeof extra];
    expect([amountPaid({ components, terms: until }), amountPaid({ components, terms: since })]).toEqual([
      before,
      after,
    ]);
  });

  test('is paid with the amount of each day', () => {
    const termsWithValue = (value: string, from: string) => ({
      ...monthly('3000.00', [], from),
      components: [{ code: 'extra', value }],
    });
    const terms = [termsWithValue('210.00', '2020-01-01'), termsWithValue('420.00', '2026-06-15')];
    expect(amountPaid({ components: [extra], terms })).toBe('330.00');
  });
});

test('limits a percentage of the salary by its ceiling on each day', () => {
  const housing = { ...extra, calc: 'percent_of_basic' as const, amount: null, percent: '10', ceiling: '2100.00' };
  const facts = { components: [housing], terms: [monthly('3000.00', ['extra'])] };
  expect(amountPaid(facts)).toBe('210.00');
  const days = june().map((day) => ({ ...day, employed: day.date >= '2026-06-10' }));
  expect(amountPaid({ ...facts, days })).toBe('150.00');
  const raised = [monthly('2000.00', ['extra']), monthly('3000.00', ['extra'], '2026-06-15')];
  expect(amountPaid({ ...facts, terms: raised })).toBe('205.71');
});
